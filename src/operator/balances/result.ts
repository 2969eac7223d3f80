import type { BookWalletMarkRow } from '../../db/schema/book.ts'
import { formatUnits, playerScale } from '../../domain/money.ts'
import { type BalanceProof, nothingAround } from '../../domain/wallet/balance-proof.ts'
import { momentText } from '../../kit/moment.ts'
import { walletReason } from './messages.ts'
import { heldAtStart, transfersBetween } from './prove.ts'
import type { WalletReasonCode, WalletResult } from './schema.ts'
import type { WalletTransfer } from './transfers.ts'
import { keyOf, type WalletHistory } from './wallet-histories.ts'

/** Builds the result of one player's wallet. */

export function reasonsFor(one: WalletHistory, { rest }: BalanceProof): WalletResult['reasons'] {
  const codes: WalletReasonCode[] = []
  if (one.isUnreadable) codes.push('RECORD_UNREADABLE')
  if (one.transfers.some(({ state }) => state === 'open')) codes.push('TRANSFER_OPEN')
  if (one.transfers.some(({ change }) => change === null)) codes.push('ADJUSTMENT_UNSIGNED')
  // A later run does not read the record either.
  if (!one.isUnreadable) codes.push(rest < 0n ? 'STAKES_HELD' : 'TIMING')
  return codes.map((code) => walletReason(code, one.username))
}

export const emptyResult = (player: string, currency: string | null): WalletResult => ({
  player,
  currency,
  verdict: 'cannot-conclude',
  since: null,
  readAt: null,
  opening: null,
  openingHeld: null,
  deposits: '0',
  withdrawals: '0',
  adjustments: '0',
  slips: '0',
  counts: { transfers: 0, revisions: 0 },
  expected: null,
  balance: null,
  held: null,
  difference: null,
  isFromEarlier: false,
  breakId: null,
  reasons: [],
  leads: [],
})

export function toResult(
  one: WalletHistory,
  proof: {
    readonly anchor: number
    readonly at: number
    readonly final: BalanceProof
    readonly reasons: WalletResult['reasons']
    readonly leads: WalletResult['leads']
  },
): WalletResult {
  const { anchor, at, final } = proof
  const [from, to] = [one.checkpoints[anchor], one.checkpoints[at]]
  if (!from || !to) throw new Error('a wallet proof needs two readings')
  const { counted } = transfersBetween(one, from, to)
  const sumOf = (dir: WalletTransfer['dir']) =>
    counted.reduce((total, transfer) => total + (transfer.dir === dir ? (transfer.change ?? 0n) : 0n), 0n)
  const slips = one.records.slice(anchor + 1, at + 1).reduce((sum, units) => sum + units, 0n)
  const openingHeld = heldAtStart(from, one.around[anchor] ?? nothingAround).likely
  const moved = sumOf('in') + sumOf('out') + sumOf('adjust') + slips
  return {
    player: one.username,
    currency: one.reading.player.currency,
    verdict: final.verdict,
    since: {
      from: from.kind === 'beginning' ? 'beginning' : 'reading',
      at: momentText(from.at),
      markId: from.row?.id ?? null,
    },
    readAt: momentText(to.at),
    opening: text(from.balance),
    openingHeld: text(openingHeld),
    deposits: text(sumOf('in')),
    withdrawals: text(sumOf('out')),
    adjustments: text(sumOf('adjust')),
    slips: text(slips),
    counts: {
      transfers: counted.length,
      revisions: one.revisions.slice(anchor + 1, at + 1).reduce((sum, count) => sum + count, 0),
    },
    expected: text(from.balance + openingHeld + moved),
    balance: text(to.balance),
    held: final.held === null ? null : text(final.held),
    difference: text(final.rest),
    isFromEarlier: at !== one.checkpoints.length - 1,
    breakId: null,
    reasons: proof.reasons,
    leads: proof.leads,
  }
}

export function newCheckpoint(
  options: { id(): string },
  runId: string,
  one: WalletHistory,
  { verdict, held }: { verdict: BookWalletMarkRow['verdict']; held: bigint | null },
): BookWalletMarkRow {
  const { reading, player } = one
  return {
    id: options.id(),
    run_id: runId,
    player,
    username: reading.player.username,
    currency: reading.player.currency,
    balance: reading.player.balance,
    asked_at: reading.requestedAt,
    answered_at: reading.answeredAt,
    platform_at: reading.platformAt,
    place: reading.place,
    ahead: JSON.stringify(reading.ahead.map(keyOf)),
    verdict,
    held: held === null ? null : text(held),
  }
}

const text = (units: bigint) => formatUnits(units, playerScale)
