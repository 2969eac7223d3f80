import { isIP } from 'node:net'

/** Public URLs: the base of every URL that is handed out. */

/** Returns the fault of a public URL, or undefined. Its text is not repeated, because it may contain a password. */
export function publicUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text))
    return 'must be an http or https URL with its scheme, such as https://play.example.com'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'must not contain a query or a fragment'
  if (isWildcard(url.hostname)) return 'must name a host that browsers can open, not the wildcard address'
  if (url.port === '0') return 'must not have the port 0'
  // It becomes a path of cookies and pages as well, where other characters would need escaping.
  if (!/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(url.pathname))
    return 'must have only letters, digits, - . _ and ~ between the slashes of its path'
  // Otherwise it would be unknown whether a proxy had removed the path.
  const own = ownPath.exec(url.pathname)?.[0]
  return own === undefined
    ? undefined
    : `must not have a path that begins with ${own}, which the services use themselves`
}

const ownPath = /^\/(api|v1|play|pay|invoice|sandbox|docs|desk|launch|try|healthz|readyz|metrics)(?=\/|$)/i

/** Returns a public URL without a trailing slash. */
export function publicUrlOf(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** Returns the path prefix of a public URL; empty for the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')

/** Returns the served address in a form that clients on this machine can open, unlike a wildcard address. */
export function openableUrl(servedUrl: string): string {
  const url = new URL(servedUrl)
  if (!isWildcard(url.hostname)) return servedUrl
  // Also for [::], which accepts both families: containers often have no ::1.
  url.hostname = '127.0.0.1'
  return url.origin
}

/** Returns whether a host, of a URL or to listen on, means every address of the machine. */
export function isWildcard(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const name = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : bare}`)?.hostname
  return name === '0.0.0.0' || name === '[::]' || name === '[::ffff:0:0]'
}

/** Returns whether a host name can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** Returns a service whose URLs begin with the address that a request used. */
export function reachedBy<App extends { readonly config: { publicUrl(): string } }>(
  app: App,
  { publicUrl }: { readonly publicUrl?: string | undefined },
): App {
  return publicUrl === undefined ? app : { ...app, config: { ...app.config, publicUrl: () => publicUrl } }
}
