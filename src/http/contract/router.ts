import type { Endpoint } from './contract.ts'

/** Parts of an endpoint that routing needs. */
export type RoutedEndpoint = Pick<Endpoint, 'method' | 'path' | 'also'>

/** Result of matching a method and path. */
export type Match<E extends RoutedEndpoint = Endpoint> =
  | { name: string; endpoint: E; params: Record<string, string> }
  /** The path exists, for these methods. */
  | { allowed: readonly string[] }

/**
 * Finds the endpoint of a method and of a path below the prefix, exactly as the path was sent. Only parameters are
 * decoded; case and slashes matter. The path is part of the signature, so two spellings of one path would be two
 * requests. A literal segment has priority over a parameter.
 */
export function pathFinder<E extends RoutedEndpoint>(
  endpoints: Readonly<Record<string, E>>,
): (method: string, path: string) => Match<E> | undefined {
  const routes = Object.entries(endpoints).flatMap(([name, endpoint]) =>
    [endpoint.path, ...(endpoint.also ?? [])].map((path) => ({ name, endpoint, segments: path.split('/') })),
  )
  const open = routes
    .filter(({ segments }) => segments.at(-1) === '*')
    .toSorted((a, b) => b.segments.length - a.segments.length)
  const bySize = Map.groupBy(
    routes.filter((route) => !open.includes(route)),
    ({ segments }) => segments.length,
  )
  for (const list of bySize.values()) list.sort((a, b) => (patternOf(a.segments) < patternOf(b.segments) ? -1 : 1))

  return (method, path) => {
    const segments = path.split('/')
    const allowed: string[] = []
    for (const { name, endpoint, segments: pattern } of bySize.get(segments.length) ?? []) {
      const params = paramsOf(pattern, segments)
      if (!params) continue
      if (endpoint.method === method) return { name, endpoint, params }
      allowed.push(endpoint.method)
    }
    for (const { name, endpoint, segments: pattern } of open) {
      const fixed = pattern.length - 1
      const params = segments.length > fixed ? paramsOf(pattern.slice(0, fixed), segments) : undefined
      const rest = decoded(segments.slice(fixed).join('/'))
      if (!params || rest === undefined) continue
      if (endpoint.method === method) return { name, endpoint, params: { ...params, '*': rest } }
      allowed.push(endpoint.method)
    }
    return allowed.length > 0 ? { allowed } : undefined
  }
}

/** Returns a sort key that puts parameters after every text that can occur in a path. */
function patternOf(segments: readonly string[]): string {
  return segments.map((segment) => (segment.startsWith(':') ? '\uffff' : segment)).join('/')
}

function paramsOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [i, expected] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (!expected.startsWith(':')) {
      if (segment !== expected) return undefined
      continue
    }
    const text = decoded(segment)
    if (text === undefined || text === '') return undefined
    params[expected.slice(1)] = text
  }
  return params
}

/** Decodes a segment; `undefined` for invalid percent-encoding of UTF-8. */
function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
