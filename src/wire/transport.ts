/** Every way to reach a server, and what may be stacked on one. */

export { inProcess } from './in-process.ts'
export { type HttpOptions, overHttp } from './over-http.ts'
export { type PacedOptions, paced } from './paced.ts'
export { isRepeatable, type PatientOptions, patient, type Retry } from './patient.ts'
export {
  type OpenTransport,
  type RemoteCode,
  remoteCodes,
  type Transport,
  type WireReply,
  type WireRequest,
} from './remote.ts'
export { type Sign, signed } from './signed.ts'
export { type Exchange, watched } from './watched.ts'
