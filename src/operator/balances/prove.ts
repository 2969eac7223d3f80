import type { BookWalletMarkRow } from '../../db/schema/book.ts'
import { formatUnits, playerScale } from '../../domain/money.ts'
import {
  type Around,
  type BalanceProof,
  combine,
  type Held,
  nothingAround,
  nothingHeld,
  proveBalance,
  shiftsBetween,
  sumsOf,
} from '../../domain/wallet/balance-proof.ts'
import { inclusionOf, type WalletTransfer } from './transfers.ts'
import type { Checkpoint, WalletHistory } from './wallet-histories.ts'

/** Proves a player's readings in order, each against the last proven one. */

/** Time after which every round is over, so that the held amount of an earlier reading is known. */
export const roundMs = 3_600_000

/** A session ends within 12 hours, and its last round soon after. */
const sessionMs = 12 * 3_600_000 + roundMs

export const subjectOf = (player: string, anchor: Pick<Checkpoint, 'row'>) =>
  `${player} ${anchor.row?.id ?? 'beginning'}`

/** Returns whether a break belongs to this reading or a later one. IDs of readings sort by creation. */
export function isFromReading(subject: string, id: string): boolean {
  const of = subject.slice(subject.indexOf(' ') + 1)
  return of !== 'beginning' && of >= id
}

interface ProvenReadings {
  /** The checkpoint where the proof starts, and the checkpoint it is about. */
  readonly anchor: number
  readonly at: number
  readonly final: BalanceProof
  readonly checkpoints: readonly Pick<BookWalletMarkRow, 'id' | 'verdict' | 'held'>[]
}

/** Judges pending readings with current knowledge, oldest first, then the current one. */
export function proveReadings(one: WalletHistory, settled: (subject: string) => bigint): ProvenReadings {
  const { checkpoints } = one
  const now = checkpoints.length - 1
  const judged: { id: string; verdict: BookWalletMarkRow['verdict']; held: string | null }[] = []
  let anchor = 0
  let lastDifference: { at: number; proof: BalanceProof } | undefined
  for (let i = 1; i < now; i++) {
    const proof = proveSpan(one, anchor, i, settled)
    const row = checkpoints[i]?.row
    if (!row) continue
    const { verdict, held } = proof
    judged.push({ id: row.id, verdict, held: held === null ? null : formatUnits(held, playerScale) })
    if (verdict === 'balanced') {
      checkpoints[i] = { ...(checkpoints[i] as Checkpoint), kind: 'proven', held }
      anchor = i
      lastDifference = undefined
    } else if (verdict === 'differences') lastDifference = { at: i, proof }
  }
  const final = proveSpan(one, anchor, now, settled)
  const isOpen = final.verdict === 'cannot-conclude' && lastDifference !== undefined
  if (isOpen && lastDifference)
    return { anchor, at: lastDifference.at, final: lastDifference.proof, checkpoints: judged }
  return { anchor, at: now, final, checkpoints: judged }
}

function proveSpan(one: WalletHistory, anchor: number, at: number, settled: (subject: string) => bigint): BalanceProof {
  const [from, to] = [one.checkpoints[anchor], one.checkpoints[at]]
  if (!from || !to) throw new Error('a wallet proof needs two readings')
  const { total, optional } = transfersBetween(one, from, to)
  const around = (i: number) => one.around[i] ?? nothingAround
  // A proven reading is exact; only a reading without predecessor may have been early or late.
  const start = from.kind === 'begun' ? around(anchor) : nothingAround
  const proof = proveBalance({
    from: from.balance,
    to: to.balance,
    transfers: total,
    records: one.records.slice(anchor + 1, at + 1).reduce((sum, units) => sum + units, 0n),
    heldFrom: heldAtStart(from, around(anchor)),
    heldTo: heldAtEnd(one, to, around(at)),
    shifts: combine(shiftsBetween(start, around(at)).slice(0, maxShifts), sumsOf(optional)),
    settled: settled(subjectOf(one.player, from)),
  })
  // A record that was not read may be of any amount, so neither a match nor a rest proves anything.
  return one.isUnreadable ? { ...proof, verdict: 'cannot-conclude', held: null } : proof
}

/** Maximum number of possible shifts between two readings to consider. */
const maxShifts = 1_000

export function heldAtStart({ kind, held }: Checkpoint, around: Around): Held {
  if (kind === 'begun') return around.held
  return held === null ? nothingHeld : { likely: held, low: held, high: held }
}

/**
 * Returns the held amount at a reading. That of the current reading is unknown unless the player left long ago; that of
 * an earlier one is known once its rounds are over.
 */
function heldAtEnd({ reading, checkpoints }: WalletHistory, { kind, at }: Checkpoint, around: Around): Held {
  const now = checkpoints.at(-1)?.at ?? at
  if (kind !== 'now') return now - at > roundMs ? around.held : { ...around.held, high: null }
  const { online, lastLoginAt } = reading.player
  const isGone = !online && (lastLoginAt === null || at - Date.parse(lastLoginAt) > sessionMs)
  return isGone ? nothingHeld : { likely: 0n, low: around.held.low, high: null }
}

export function transfersBetween({ transfers }: Pick<WalletHistory, 'transfers'>, from: Checkpoint, to: Checkpoint) {
  const counted: WalletTransfer[] = []
  const optional: bigint[] = []
  let total = 0n
  for (const transfer of transfers) {
    const { change, amount } = transfer
    const [before, after] = [
      from.kind === 'beginning' ? undefined : inclusionOf(transfer, from),
      inclusionOf(transfer, to),
    ]
    const isIn = after.isIn && !before?.isIn && transfer.state === 'done'
    if (isIn && change !== null) {
      total += change
      counted.push(transfer)
    }
    const isSure = after.isSure && (before?.isSure ?? true) && transfer.state === 'done'
    if (change === null && isIn) optional.push(amount, -amount)
    else if (change !== null && !isSure) optional.push(isIn ? -change : change)
  }
  return { total, counted, optional }
}
