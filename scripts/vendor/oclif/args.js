export { string } from '@oclif/core/args'
