/** The merchants of a local world, loaded only for local profiles. */
export { demoCredentials } from '../../services/gateway/admin/demo-data.ts'
export { closeWorld, openLocalWorld } from './local-world.ts'
