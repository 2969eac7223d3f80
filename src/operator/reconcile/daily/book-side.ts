import {
  type Contradiction,
  contradictionsOf,
  firstOf,
  isHeadless,
  latestOf,
  type SlipHistory,
} from '../../../domain/bets/slip-history.ts'
import { isOfDay, mayBeOf } from '../../../domain/reconcile/break-causes.ts'
import { type BookedPlayer, figuresOf, noFigures, plus, type Reason } from '../../../domain/reconcile/daily.ts'
import { type BookState, bookState, headlessSlips, type Span, slipsSettled } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import type { Tenancy } from './types.ts'

/** The book's figures of a day. */

export interface BookDay {
  readonly state: BookState
  readonly players: ReadonlyMap<string, BookedPlayer>
  readonly slips: number
  readonly revisions: number
  readonly contradictions: readonly { readonly slip: SlipHistory; readonly violations: readonly Contradiction[] }[]
  /** Players with slips that may belong to the day but lack their first settlement. */
  readonly headless: readonly string[]
  /** Players with an unreadable record. */
  readonly unreadable: readonly string[]
  /** Earliest time at which a slip of the day was placed. */
  readonly placedFrom: number
}

/** Reads the day in one snapshot, so that a concurrent sync does not affect it. */
export function readBook(book: Book, span: Span): Promise<BookDay> {
  return book.store.read(async (reader) => {
    const state = await bookState(reader)
    const players = new Map<string, BookedPlayer>()
    const contradictions: { slip: SlipHistory; violations: Contradiction[] }[] = []
    const unreadable = new Set<string>()
    const day = { slips: 0, revisions: 0, placedFrom: span.from }
    const count = (slip: SlipHistory) => {
      const latest = latestOf(slip)
      const { player, username, currency } = latest
      const figures = figuresOf(latest)
      if (!latest.isOnsite) {
        const known = players.get(player)
        players.set(player, {
          player,
          username: known?.username ?? username,
          // A record that cannot be read has none.
          currency: known?.currency || currency,
          figures: plus(known?.figures ?? noFigures, figures),
        })
        day.slips += 1
      }
      day.revisions += slip.versions.length
      const { placedAt } = firstOf(slip)
      if (placedAt > 0) day.placedFrom = Math.min(day.placedFrom, placedAt)
      const violations = contradictionsOf(slip)
      if (violations.length > 0) contradictions.push({ slip, violations })
      if (slip.versions.some((version) => version.unreadable.length > 0)) unreadable.add(player)
    }
    for await (const slips of slipsSettled(reader, span)) slips.filter((slip) => !isHeadless(slip)).forEach(count)
    const torn = new Set<string>()
    for await (const slips of headlessSlips(reader, span.from)) {
      slips.filter((slip) => isOfDay(slip, span.from, span.to)).forEach(count)
      for (const slip of slips) if (mayBeOf(slip, span.from, span.to)) torn.add(latestOf(slip).player)
    }
    return {
      state,
      players,
      ...day,
      contradictions,
      headless: [...torn],
      unreadable: [...unreadable],
    }
  })
}

/** Returns why nothing can be compared, if so. */
export function bookDoubts({ owner, position }: BookState, tenant: Tenancy): Reason[] {
  const isAnothers =
    owner !== undefined && (owner.company_code !== tenant.companyCode || owner.environment !== tenant.environment)
  if (isAnothers) return [{ code: 'BOOK_OF_ANOTHER', doubts: 'all' }]
  return position === undefined || position.cursor === null ? [{ code: 'BOOK_EMPTY', doubts: 'all' }] : []
}
