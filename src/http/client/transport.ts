/** All transports to a server, and their wrappers. */

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
export { type Exchange, type ExchangeContent, type OnExchange, observed } from './observe.ts'
export { isRepeatable, type Retry, type RetryOptions, retrying } from './retry.ts'
export { type Sign, signed } from './sign.ts'
export { type ThrottleOptions, throttled } from './throttle.ts'
