import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/**
 * A DNS lookup that knows only this machine. The result for any other name would depend on the network, where a lookup may take
 * seconds, and a test would send its callbacks there.
 */
export const lookUpLocalhost: LookupFunction = (name, options, done) => {
  if (name === 'localhost') lookup(name, options, done)
  else done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), [])
}
