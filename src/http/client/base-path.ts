import type { Transport } from '../contract/wire-types.ts'

/**
 * Prepends a base path such as `/sandbox` to every path. Applied after signing, so the signature covers the path of the
 * API's document, wherever a proxy serves that API.
 */
export function below(basePath: string, transport: Transport): Transport {
  const base = basePath.replace(/\/+$/, '')
  return base === '' ? transport : (request) => transport({ ...request, path: base + request.path })
}
