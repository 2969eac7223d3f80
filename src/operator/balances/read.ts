import { limitsOf, oldestReadableMonth } from '../../domain/account/plan-limits.ts'
import type { Environment } from '../../domain/account/state.ts'
import type { Month } from '../../domain/bets/cursor.ts'
import { foldUsername } from '../../domain/players/player.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Client } from '../../http/contract/contract.ts'
import { atOnce } from '../../kit/map-concurrent.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { BetRecord, Player } from '../../services/casino/api/schemas/index.ts'
import { versionOf } from '../bets/slip-versions.ts'
import { type BookState, bookState } from '../bets/slips-by-day.ts'
import { checkPosition } from '../bets/sync/position.ts'
import type { Book } from '../book/book.ts'
import { readTail } from '../reconcile/daily/compare-records.ts'

/**
 * Reading balances so that it is known which records each of them goes with: the list of records is read to its end before
 * and after, and a player of whom something was written in between is read again.
 */

export type WalletPlatform = Pick<Client<typeof casinoContract>, 'bets' | 'account' | 'player' | 'transfer' | 'summary'>

export interface ReadingWork {
  readonly platform: WalletPlatform
  readonly book: Book
  readonly environment: Environment
  /** This machine's time. */
  here(): number
  /** The platform's, as far as it is known. */
  there(): number
  readonly sleep: Sleep
  readonly signal?: AbortSignal
  readonly onStep?: (read: number) => void
}

/** A balance, and the moment of the records it goes with. */
export interface Reading {
  readonly player: Player
  readonly askedAt: number
  readonly answeredAt: number
  readonly platformAt: number
  /** The book's last row. */
  readonly place: number
  /** The player's records behind it that were written by then. */
  readonly ahead: readonly BetRecord[]
}

export interface Readings {
  readonly state: BookState
  /** The first month of which the platform can have all records now. */
  readonly oldestMonth: Month
  readonly readings: ReadonlyMap<string, Reading | 'playing' | 'not-found'>
}

/** How many pages behind the book's cursor are looked at; a book that is further behind is to be synced. */
const tailPages = 20
/** How many players are read between two looks at the records, and how many of these at once. */
const playersAtOnce = 50
const callsAtOnce = 8
/** How often a player is read who goes on playing meanwhile. */
const maxAttempts = 4

/** The readings of these players; nothing where the book is not there or so far behind that none can be had. */
export async function readBalances(
  work: ReadingWork,
  usernames: readonly string[],
): Promise<Readings | { readonly state: BookState; readonly against: 'BOOK_EMPTY' | 'BOOK_AHEAD' | 'BOOK_BEHIND' }> {
  const state = await work.book.store.read(bookState)
  const cursor = state.position?.cursor ?? null
  if (cursor === null) return { state, against: 'BOOK_EMPTY' }
  const { plan } = await work.platform.account({}, work.signal ? { signal: work.signal } : {})
  const { retentionDays } = limitsOf(plan, work.environment)
  const oldestMonth = oldestReadableMonth(work.there(), retentionDays)
  const { platform, book, signal } = work
  const position = await checkPosition({ platform, book, now: work.there(), retentionDays, signal })
  if (position === 'ahead') return { state, against: 'BOOK_AHEAD' }
  const tail = await tailFrom(work, cursor)
  if (!tail) return { state, against: 'BOOK_BEHIND' }
  const records = new Map<string, BetRecord[]>()
  const take = (some: readonly BetRecord[]) => {
    for (const record of some) {
      const key = foldUsername(record.username)
      records.set(key, [...(records.get(key) ?? []), record])
    }
  }
  take(tail.records)
  let at = tail.cursor
  const readings = new Map<string, Reading | 'playing' | 'not-found'>()
  for (let i = 0; i < usernames.length; i += playersAtOnce) {
    let open: readonly string[] = usernames.slice(i, i + playersAtOnce)
    for (let tries = 0; open.length > 0 && tries < maxAttempts; tries++) {
      work.signal?.throwIfAborted()
      const asked = await atOnce(open, callsAtOnce, (username) => ask(work, username))
      const more = await tailFrom(work, at)
      if (!more) return { state, against: 'BOOK_BEHIND' }
      at = more.cursor
      const moved = new Set(more.records.map(({ username }) => foldUsername(username)))
      for (const [j, username] of open.entries()) {
        const key = foldUsername(username)
        const answer = asked[j]
        if (answer === undefined || answer === 'not-found') readings.set(key, 'not-found')
        else if (moved.has(key)) readings.set(key, 'playing')
        else {
          const ahead = records.get(key) ?? []
          readings.set(key, { ...answer, platformAt: latestOf(work, state, ahead), place: state.lastPlace, ahead })
        }
      }
      take(more.records)
      open = open.filter((username) => readings.get(foldUsername(username)) === 'playing')
    }
    work.onStep?.(Math.min(usernames.length, i + playersAtOnce))
  }
  return { state, oldestMonth, readings }
}

async function ask(work: ReadingWork, username: string) {
  const askedAt = work.here()
  try {
    const player = await work.platform.player({ query: { username } }, work.signal ? { signal: work.signal } : {})
    return { player, askedAt, answeredAt: work.here() }
  } catch (error) {
    if (isProblem(error, 'PLAYER_NOT_FOUND')) return 'not-found' as const
    throw error
  }
}

/** Where this machine's clock is behind what the platform has written already, the platform's is at least there. */
function latestOf(work: ReadingWork, { latestAt }: BookState, ahead: readonly BetRecord[]): number {
  return ahead.reduce((at, record) => Math.max(at, versionOf(record).settledAt), Math.max(work.there(), latestAt ?? 0))
}

async function tailFrom({ platform, signal }: ReadingWork, cursor: string) {
  try {
    const tail = await readTail(platform, cursor, tailPages, signal)
    return tail.isWhole ? tail : undefined
  } catch (error) {
    if (isProblem(error, 'INVALID_CURSOR'))
      throw new Problem(
        'CANNOT_CONCLUDE',
        'The platform no longer takes the book’s cursor: "countroom bets sync" finds a new one',
        {},
        { cause: error },
      )
    throw error
  }
}
