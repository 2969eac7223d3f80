export { Config, Plugin } from '@oclif/core/config'
