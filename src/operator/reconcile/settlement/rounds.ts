import type { BookSlipRow } from '../../../db/schema/book.ts'
import type { TableSettings } from '../../../domain/games/game.ts'
import { settleHand } from '../../../domain/reconcile/settlement/no-limit.ts'
import {
  asTheRules,
  isWrong,
  type RecordedRevision,
  type Settled,
} from '../../../domain/reconcile/settlement/recorded.ts'
import { fact, type Previous, settleAgain } from '../../../domain/reconcile/settlement/settle.ts'
import { type Readable, recordedOf } from './recorded-row.ts'

/** Settles the slips of a round again, each with all its revisions. */

/** A stored revision, as it was read. */
export interface ReadRevision {
  readonly row: BookSlipRow
  readonly read: Readable
}

export interface ReadSlip {
  readonly slipId: string
  readonly revisions: readonly ReadRevision[]
}

/** A settled slip: the outcome of each revision, in order. */
export interface SettledSlip {
  readonly slip: ReadSlip
  readonly outcomes: readonly Settled[]
  /** No-limit: the hand fits all but the stakes of its table. */
  readonly isByStakes: boolean
}

export function readSlip(rows: readonly BookSlipRow[]): ReadSlip {
  return { slipId: rows[0]?.slip_id ?? '', revisions: rows.map((row) => ({ row, read: recordedOf(row) })) }
}

/** Returns a slip's revision that can be settled, and the one before. */
function revisionAt({ revisions }: ReadSlip, index: number): { revision: RecordedRevision; previous: Previous } | null {
  const each = revisions[index]
  if (!each || 'unreadable' in each.read) return null
  const before = revisions[index - 1]
  const { rev } = each.row
  if (rev === 1) return { revision: each.read, previous: null }
  const isKnown = before !== undefined && before.row.rev === rev - 1 && !('unreadable' in before.read)
  return { revision: each.read, previous: isKnown ? (before.read as RecordedRevision) : 'unknown' }
}

/** Settles a slip by itself, under the settings of its table. */
export function settleSlip(slip: ReadSlip, settings: TableSettings): Settled[] {
  return slip.revisions.map(({ read }, i): Settled => {
    if ('unreadable' in read) return { ...asTheRules, unchecked: read.unreadable }
    const at = revisionAt(slip, i)
    return at ? settleAgain(at.revision, at.previous, settings) : asTheRules
  })
}

/** Settles all slips of a round that are in the book. */
export function settleRound(slips: readonly ReadSlip[], settings: TableSettings): SettledSlip[] {
  const outcomes = slips.map((slip) => [...settleOwn(slip, settings)])
  const byStakes = new Set<number>()
  for (const rev of revisionsOf(slips)) {
    const hand = slips.flatMap((slip, i) => {
      const index = slip.revisions.findIndex(({ row }) => row.rev === rev)
      const at = index < 0 ? null : revisionAt(slip, index)
      return at && at.revision.status !== 'void' ? [{ i, index, ...at }] : []
    })
    if (hand.length === 0) continue
    if (hand.every(({ revision }) => revision.variant === 'nlhe')) {
      const { seats, kind } = settleHand(hand, settings)
      for (const [n, { i, index }] of hand.entries()) {
        const settled = seats[n]
        if (settled && outcomes[i]) outcomes[i][index] = settled
        if (kind === 'stakes') byStakes.add(i)
      }
    } else
      for (const { i, index, settled } of byMajority(hand)) {
        const known = outcomes[i]?.[index]
        if (known && outcomes[i] && !isWrong(known)) outcomes[i][index] = settled
      }
  }
  return slips.map((slip, i) => ({ slip, outcomes: outcomes[i] ?? [], isByStakes: byStakes.has(i) }))
}

/** No-limit seats are settled with their hand, except voided ones. */
function settleOwn(slip: ReadSlip, settings: TableSettings): Settled[] {
  const isHand = ({ read }: ReadRevision) =>
    !('unreadable' in read) && read.variant === 'nlhe' && read.status !== 'void'
  if (!slip.revisions.some(isHand)) return settleSlip(slip, settings)
  return slip.revisions.map((each, i) => {
    if ('unreadable' in each.read) return { ...asTheRules, unchecked: each.read.unreadable }
    const at = revisionAt(slip, i)
    return at && !isHand(each) ? settleAgain(at.revision, at.previous, settings) : asTheRules
  })
}

const revisionsOf = (slips: readonly ReadSlip[]): number[] =>
  [...new Set(slips.flatMap(({ revisions }) => revisions.map(({ row }) => row.rev)))].sort((a, b) => a - b)

interface InRound {
  readonly i: number
  readonly index: number
  readonly revision: RecordedRevision
}

/** Cards that all players of a round see: all of them, or board and dealer. */
function publicCards({ game, cardInfo, code }: RecordedRevision): string {
  if (game !== 'holdem') return `${code} ${cardInfo}`
  const [board = '', , dealer = ''] = cardInfo.split('|')
  return `${board}|${dealer}`
}

/** All slips of a round have the same cards. Those that differ from the majority were settled by different cards. */
function* byMajority(round: readonly InRound[]): Generator<InRound & { readonly settled: Settled }> {
  const groups = [...Map.groupBy(round, ({ revision }) => publicCards(revision)).values()]
  if (groups.length < 2) return
  const largest = groups.reduce((most, group) => (group.length > most.length ? group : most))
  const isMajority = 2 * largest.length > round.length
  const rules = largest[0] ? publicCards(largest[0].revision) : ''
  for (const group of groups) {
    if (isMajority && group === largest) continue
    for (const each of group) {
      const differences = isMajority ? [fact('result.cardInfo', publicCards(each.revision), rules)] : []
      yield { ...each, settled: { ...asTheRules, differences, unchecked: isMajority ? null : 'CARDS_DISAGREE' } }
    }
  }
}
