import type { BookBreakRow } from '../../../db/schema/book.ts'
import { foldUsername } from '../../../domain/players/player.ts'
import { periodIn } from '../../../domain/reconcile/periods.ts'
import { momentText } from '../../../kit/moment.ts'
import type { Book } from '../../book/book.ts'
import { periodRow } from '../periods/store.ts'
import { restatedBetween } from '../restated.ts'
import { maxSlips } from './explain.ts'
import type { Explained, PeriodExplained } from './schema.ts'

/** Explains a break of a closed period: the figures at the close and now, and the slips that changed between. */
export async function explainPeriod(book: Book, row: BookBreakRow): Promise<Partial<Explained>> {
  const { period: name, digest, player, currency, fields }: PeriodDetail = JSON.parse(row.detail)
  const found = await book.store.read(async (reader) => {
    const period = await periodRow(reader, name)
    const range = period && periodIn(name, period.timezone)
    // Closed again or reopened since: the reference figures of the break are gone.
    if (!period || !range || period.state === 'open' || period.digest !== digest) return { period, players: [] }
    const reference = { place: period.place, reconciled_at: period.closed_at ?? 0 }
    return { period, players: await restatedBetween(reader, { ...reference, from: range.from, to: range.to }) }
  })
  const slips = found.players
    .filter((each) => foldUsername(each.player) === foldUsername(player) && each.currency === currency)
    .flatMap((each) => each.slips)
  const { period } = found
  return {
    period: {
      period: name,
      timezone: period?.timezone ?? '',
      state: period?.state ?? 'open',
      closedBy: period?.closed_by ?? null,
      closedAt: period?.closed_at == null ? null : momentText(period.closed_at),
      player,
      currency,
      fields,
      slips: slips.slice(0, maxSlips),
      slipsLeftOut: Math.max(0, slips.length - maxSlips),
    },
    next: [
      ...slips.slice(0, 1).map(({ slipId }) => `Explain a slip that changed: countroom reconcile explain ${slipId}`),
      `Show the figures at the close and now: countroom reconcile periods show ${name}`,
    ],
  }
}

/** Details of a break of a period, as `periods/restated.ts` stores them. */
interface PeriodDetail extends Pick<PeriodExplained, 'period' | 'player' | 'currency' | 'fields'> {
  readonly digest: string | null
}
