import { isIP } from 'node:net'

/** The addresses by which browsers reach what is served here: the base of every URL that is handed out. */

/** Returns what is wrong with a public URL, or nothing. Its text is not repeated, because it may hold a password. */
export function publicUrlFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text))
    return 'must be an http or https URL with its scheme, such as https://play.example.com'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return 'must not contain a query or a fragment'
  if (isWildcard(url.hostname)) return 'must name a host that browsers can open, not the wildcard address'
  if (url.port === '0') return 'must not have the port 0'
  // It becomes a path of cookies and pages as well, where other characters would have to be escaped.
  if (!/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(url.pathname))
    return 'may only have letters, digits, - . _ and ~ between the slashes of its path'
  // Whether a proxy took the path off could not be told from the request.
  const own = ownPath.exec(url.pathname)?.[0]
  return own === undefined
    ? undefined
    : `must not have a path that begins with ${own}, which the services have themselves`
}

const ownPath = /^\/(api|v1|play|pay|invoice|sandbox|docs|desk|launch)(?=\/|$)/i

/** A public URL in the form it is put before a path: without a slash at its end. */
export function publicUrlOf(text: string): string {
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/$/, '')}`
}

/** The path below which a public URL serves; empty when it is the root. */
export const basePathOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '')

/** The address served at as somebody on this machine can open it: nobody can open a wildcard address. */
export function openableUrl(servedUrl: string): string {
  const url = new URL(servedUrl)
  if (!isWildcard(url.hostname)) return servedUrl
  // Also for [::], which takes both families: containers often have no ::1.
  url.hostname = '127.0.0.1'
  return url.origin
}

/** Whether a host to listen on, or the host of a URL, means every address of the machine. */
export function isWildcard(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const name = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : bare}`)?.hostname
  return name === '0.0.0.0' || name === '[::]' || name === '[::ffff:0:0]'
}

/** Whether a host name can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** What is asked of a service, as it looks to the sender of a request: links that it is given begin with the address it used. */
export function reachedBy<App extends { readonly config: { publicUrl(): string } }>(
  app: App,
  { publicUrl }: { readonly publicUrl?: string | undefined },
): App {
  return publicUrl === undefined ? app : { ...app, config: { ...app.config, publicUrl: () => publicUrl } }
}
