/** Every way to reach a server, and what may be stacked on one. */

export {
  type OpenTransport,
  type RemoteCode,
  remoteCodes,
  type Transport,
  type WireReply,
  type WireRequest,
} from '../contract/wire-types.ts'
export { type HttpOptions, overHttp } from './http-transport.ts'
export { inProcess } from './in-process-transport.ts'
export { type Exchange, watched } from './observe.ts'
export { isRepeatable, type PatientOptions, patient, type Retry } from './retry.ts'
export { type Sign, signed } from './sign.ts'
export { type ThrottleOptions, throttled } from './throttle.ts'
