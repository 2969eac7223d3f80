import type { Endpoint } from './contract.ts'

/** What of an endpoint is needed to find it. */
export type Placed = Pick<Endpoint, 'method' | 'path' | 'also'>

/** What a method and path came to. */
export type Match<E extends Placed = Endpoint> =
  | { name: string; endpoint: E; params: Record<string, string> }
  /** The path exists, for these methods. */
  | { allowed: readonly string[] }

/**
 * Finds the endpoint of a method and of a path below the prefix, as the path was sent: nothing is decoded but
 * parameters, and neither case nor slashes are forgiven. The path is part of what callers sign, so two
 * spellings of one path would be two requests.
 *
 * A segment written out wins over a parameter at the same place, and both over a final `*`, which takes the rest of the path.
 */
export function pathFinder<E extends Placed>(
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

/** Sorts parameters behind everything that can stand in a path. */
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

/** `undefined` for what is no percent-encoding of UTF-8. */
function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
