import { limitsOf, oldestReadableMonth } from '../../domain/account/plan-limits.ts'
import type { Environment } from '../../domain/account/state.ts'
import type { Month } from '../../domain/bets/cursor.ts'
import { foldUsername } from '../../domain/players/player.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import type { Client } from '../../http/contract/contract.ts'
import { mapConcurrent } from '../../kit/map-concurrent.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { BetRecord, Player } from '../../services/casino/api/schemas/index.ts'
import { versionOf } from '../bets/slip-versions.ts'
import { type BookState, bookState } from '../bets/slips-by-day.ts'
import { checkPosition } from '../bets/sync/position.ts'
import type { Book } from '../book/book.ts'
import { readTail } from '../reconcile/daily/compare-records.ts'

/**
 * Reads balances together with the records they include. The record list is read to its end before and after, and a
 * player with new records in between is read again.
 */

export type WalletPlatform = Pick<Client<typeof casinoContract>, 'bets' | 'account' | 'player' | 'transfer' | 'summary'>

export interface ReadingWork {
  readonly platform: WalletPlatform
  readonly book: Book
  readonly environment: Environment
  /** The machine's time. */
  here(): number
  /** The platform's time, as far as it is known. */
  there(): number
  readonly sleep: Sleep
  readonly signal?: AbortSignal
  readonly onStep?: (read: number) => void
}

/** A balance and the position in the records that it includes. */
export interface Reading {
  readonly player: Player
  readonly requestedAt: number
  readonly answeredAt: number
  readonly platformAt: number
  /** Last row of the book. */
  readonly place: number
  /** Records of the player after that row, written by then. */
  readonly ahead: readonly BetRecord[]
}

export interface Readings {
  readonly state: BookState
  /** First month of which the platform still has all records. */
  readonly oldestMonth: Month
  readonly readings: ReadonlyMap<string, Reading | 'playing' | 'not-found'>
}

/** Maximum number of pages after the book's cursor; a book further behind must be synced first. */
const tailPages = 20
/** Number of players between two reads of the record list, and number read in parallel. */
const playersAtOnce = 50
const callsAtOnce = 8
/** Maximum number of reads of a player who keeps betting. */
const maxAttempts = 4

/** Reads these players. Returns a reason instead if the book is empty, ahead of the platform, or too far behind. */
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
    for (let attempt = 0; open.length > 0 && attempt < maxAttempts; attempt++) {
      work.signal?.throwIfAborted()
      const replies = await mapConcurrent(open, callsAtOnce, (username) => ask(work, username))
      const more = await tailFrom(work, at)
      if (!more) return { state, against: 'BOOK_BEHIND' }
      at = more.cursor
      const moved = new Set(more.records.map(({ username }) => foldUsername(username)))
      for (const [j, username] of open.entries()) {
        const key = foldUsername(username)
        const answer = replies[j]
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
  const requestedAt = work.here()
  try {
    const player = await work.platform.player({ query: { username } }, work.signal ? { signal: work.signal } : {})
    return { player, requestedAt, answeredAt: work.here() }
  } catch (error) {
    if (isProblem(error, 'PLAYER_NOT_FOUND')) return 'not-found' as const
    throw error
  }
}

/** If this machine's clock is behind the newest record of the platform, uses the time of that record. */
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
        'The platform no longer accepts the cursor of the book. To get a new one: countroom bets sync --out bets',
        {},
        { cause: error },
      )
    throw error
  }
}
