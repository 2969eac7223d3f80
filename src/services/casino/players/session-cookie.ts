import { sessionMaxMs } from '../../../domain/players/session.ts'
import { basePathOf } from '../../../http/server/public-url.ts'

const name = 'countroom_session'

/** The cookie by which a browser stays in: for the player's page alone, out of reach of scripts. */
export function sessionCookie(token: string, publicUrl: string): string {
  // Operators show the game in a frame of their own site. There a browser sends only cookies that may cross sites, which it
  // takes over https alone, and browsers that keep third parties' cookies out take only those that belong to one site.
  const scope = publicUrl.startsWith('https:') ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax'
  return `${name}=${token}; Path=${basePathOf(publicUrl)}/play; Max-Age=${sessionMaxMs / 1000}; HttpOnly; ${scope}`
}

/** The session's token among the cookies of a request. */
export function sessionIn(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
