export { settings } from '@oclif/core/settings'
