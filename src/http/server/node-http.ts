/**
 * Node's own HTTP module without an import statement. An import reads all exports, and the one of `WebSocket` loads a
 * whole client: 30 ms of every command on a local world.
 */
export const { createServer, request, STATUS_CODES, ServerResponse, validateHeaderValue } =
  process.getBuiltinModule('node:http')
