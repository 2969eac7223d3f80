/// <reference path="./undici-parts.d.ts" />
// The parts of the library that are used where the environment names a proxy.

import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'

export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js'

// A tunnel is opened by this function, which the library adds to the prototype only when loaded as a whole.
Dispatcher.prototype.connect = connect
