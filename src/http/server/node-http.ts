/**
 * Node's own HTTP, taken as it is. An import would ask each of its names for its value, and one of them answers by loading
 * a whole client for `WebSocket`: thirty milliseconds of every command that looks at its own world.
 */
export const { createServer, request, STATUS_CODES, ServerResponse, validateHeaderValue } =
  process.getBuiltinModule('node:http')
