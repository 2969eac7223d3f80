import type { SessionRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { isOver } from '../../../domain/account/state.ts'
import { endOf } from '../../../domain/players/session.ts'
import type { AuthenticateRequest } from '../../../http/contract/contract.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { Problem } from '../../../kit/problem.ts'
import type { EndReason } from '../player-page/browser/views.ts'
import { sessionIn } from '../players/session-cookie.ts'
import type { PlayerCaller } from '../players/sessions.ts'
import { playerOf } from '../queries/players.ts'
import { endSessions, saveSession, sessionByToken } from '../queries/sessions.ts'
import { tenantOf } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

/** State of a session: active, or ended with the reason. */
export type SessionState = { readonly caller: PlayerCaller } | { readonly over: EndReason }

/** Minimum interval of recorded activity. */
const seenEveryMs = 60_000

/** Authenticates the player by session cookie and records the activity, or refuses. */
export async function authenticatePlayer(app: Casino, request: AuthenticateRequest): Promise<PlayerCaller> {
  const token = sessionIn(request.headers['cookie'])
  if (token === undefined) throw new Problem('SESSION_NEEDED', 'Open the game from the site')
  const caller = await app.store.read((reader) => callerOf(reader, token))
  // The page names its session in a header, which no other site can send. A cookie alone, which any page can make the
  // browser send, changes nothing. It also keeps a page from playing on under a link that another tab has opened since.
  const named = request.headers['x-session']
  if (named === undefined && request.method !== 'GET')
    throw new Problem('SESSION_NEEDED', 'The header X-Session is missing or belongs to another session')
  if (named !== undefined && named !== caller.session.id) throw ended('SESSION_REPLACED')
  await recordActivity(app, caller)
  return caller
}

/** Returns the session of a token, or throws SESSION_ENDED with the reason. */
async function callerOf(reader: Reader, token: string): Promise<PlayerCaller> {
  const session = await sessionByToken(reader, sha256Hex(token))
  if (!session) throw ended('EXPIRED')
  const state = await sessionStateOf(reader, session)
  if ('over' in state) throw ended(state.over)
  return state.caller
}

/** Returns whether a session is still valid at the reader's time. */
export async function sessionStateOf(reader: Reader, session: SessionRow): Promise<SessionState> {
  const over = session.end_reason ?? endOf({ openedAt: session.opened_at, seenAt: session.seen_at }, reader.now)
  if (over) return { over }
  const player = await playerOf(reader, session.player_id)
  const tenant = await tenantOf(reader, session.tenant)
  if (!player || !tenant || tenant.disabled === 1 || isOver(tenant.state)) return { over: 'KICKED' }
  return player.status === 'locked' ? { over: 'LOCKED' } : { caller: { tenant, player, session } }
}

async function recordActivity(app: Casino, { session }: PlayerCaller): Promise<void> {
  await app.store
    .read(async (reader) => reader.now - session.seen_at >= seenEveryMs)
    .then(async (isDue) => {
      if (isDue) await app.store.write((tx) => saveSession(tx, session.id, { seen_at: tx.now }))
    })
}

function ended(reason: EndReason): Problem {
  return new Problem('SESSION_ENDED', 'This session has ended', { reason })
}

/** Logs the player out. */
export function leave(app: Casino, { player }: PlayerCaller): Promise<{ left: boolean }> {
  return app.store.write(async (tx) => {
    await endSessions(tx, player.id, 'LOGGED_OUT')
    return { left: true }
  })
}
