import { foldUsername } from '../../../domain/players/player.ts'
import type { DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import { dayOf } from '../../../domain/time/day.ts'
import { bookState } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import { keepFindings } from '../breaks/record.ts'
import type { ReconciliationRun, RecordedBreaks } from '../breaks/store.ts'
import type { ComparedTransfer } from './reconcile.ts'

/** Records the differences of compared transfers as breaks in the book. A transfer without a decision clears no break. */
export async function recordTransferBreaks(
  book: Book,
  run: ReconciliationRun,
  transfers: readonly ComparedTransfer[],
): Promise<RecordedBreaks> {
  const { owner } = await book.store.read(bookState)
  const decided = new Set(transfers.flatMap(({ txnId, result }) => (result === 'undecided' ? [] : [txnId])))
  return keepFindings(book, run, {
    detected: transferBreaks(transfers, owner?.timezone ?? 'UTC'),
    looked: [{ kind: 'transfers', covers: ({ subject }) => decided.has(subject) }],
  })
}

/** Builds the breaks of compared transfers. The subject is the txnId, which is unique; the day is the tenant's. */
export function transferBreaks(transfers: readonly ComparedTransfer[], timezone: string): DetectedBreak[] {
  return transfers.flatMap((each): DetectedBreak[] => {
    if (each.result === 'matched' || each.result === 'undecided') return []
    const sign = each.dir === 'out' && !each.amount.startsWith('-') ? '-' : ''
    return [
      {
        kind: 'transfers',
        subject: each.txnId,
        date: each.at === null ? null : dayOf(Date.parse(each.at), timezone),
        player: foldUsername(each.player),
        currency: each.currency,
        amount: `${sign}${each.amount}`,
        message: each.message,
        fingerprint: JSON.stringify([each.result, each.differences, each.player, each.dir, each.amount, each.currency]),
        detail: each,
      },
    ]
  })
}
