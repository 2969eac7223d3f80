import { sessionMaxMs } from '../../domain/session.ts'

const name = 'countroom_session'

/** The cookie by which a browser stays in: for the player's page alone, out of reach of scripts. */
export function sessionCookie(token: string, publicUrl: string): string {
  // Operators show the game in a frame of their own site, where a browser sends only what says it may cross sites, and that only over https.
  const scope = publicUrl.startsWith('https:') ? 'SameSite=None; Secure' : 'SameSite=Lax'
  return `${name}=${token}; Path=/play; Max-Age=${sessionMaxMs / 1000}; HttpOnly; ${scope}`
}

/** The session's token among the cookies of a request. */
export function sessionIn(cookies: string | undefined): string | undefined {
  const pairs = (cookies ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
