import type { Transport } from '../contract/wire-types.ts'

/**
 * Puts a base path such as `/sandbox` in front of every path. It comes after signing, so a signature is over
 * the path that the API's document knows, wherever a proxy has put that API.
 */
export function below(basePath: string, transport: Transport): Transport {
  const base = basePath.replace(/\/+$/, '')
  return base === '' ? transport : (request) => transport({ ...request, path: base + request.path })
}
