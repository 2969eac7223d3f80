import { useEffect, useState } from 'preact/hooks'

/** The current page, as the fragment of the address: a path, and the selections of the page. */

export interface Route {
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return {
    path: path.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

/** Decodes a part of the address, which a user may have typed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the address of a page. */
export function linkTo(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  )
  return `#/${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`
}

/** Returns the current page, and renders again when the address changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const change = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', change)
    // The address may have changed since the page was drawn.
    change()
    return () => removeEventListener('hashchange', change)
  }, [])
  return route
}

/** Changes a selection of the page, without a new entry in the browser's history. */
export function select(change: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = routeOf(location.hash)
  location.replace(linkTo(path.map(encodeURIComponent).join('/'), { ...query, ...change }))
}
