export { Command } from '@oclif/core/command'
