/// <reference path="./undici-parts.d.ts" />
// The parts of the library that are used. The whole has five times as many modules.

export { default as request } from 'undici/lib/api/api-request.js'
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
