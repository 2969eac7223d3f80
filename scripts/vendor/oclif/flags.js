export { boolean, custom, integer, string } from '@oclif/core/flags'
