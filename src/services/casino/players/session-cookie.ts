import { sessionMaxMs } from '../../../domain/players/session.ts'
import { basePathOf } from '../../../http/server/public-url.ts'

const name = 'countroom_session'

/** Returns the session cookie: for the player's page only, not readable by scripts. */
export function sessionCookie(token: string, publicUrl: string): string {
  // Operators embed the game in a frame of their own site. Browsers send only cross-site cookies there, which require
  // https. Browsers that block third-party cookies accept only partitioned ones.
  const scope = publicUrl.startsWith('https:') ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax'
  return `${name}=${token}; Path=${basePathOf(publicUrl)}/play; Max-Age=${sessionMaxMs / 1000}; HttpOnly; ${scope}`
}

/** Returns the session's token from the cookies of a request. */
export function sessionIn(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
