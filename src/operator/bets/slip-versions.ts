import type { BookSlipRow } from '../../db/schema/book.ts'
import { betAt } from '../../domain/bets/fast-parser.ts'
import { createMomentReader } from '../../domain/bets/moment-reader.ts'
import type { ReadLeg, SlipVersion } from '../../domain/bets/slip-history.ts'
import { playerScale, unitsOf } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { createCache } from '../../kit/cache.ts'
import type { BetLeg, BetRecord } from '../../services/casino/api/schemas/index.ts'

/**
 * Bet records as input of the reconciliation rules. A record may be invalid or may have been changed, so nothing here
 * trusts it. Unreadable parts are reported, count as nothing, and do not stop a run.
 */

/** Fields of a record that the rules read. */
type RecordFields = Omit<BetRecord, 'shoe' | 'round' | 'result' | 'hand'>

/** Converts a revision of the platform. */
export function versionOf(record: RecordFields): SlipVersion {
  const unreadable: { field: string; value: string }[] = []
  const amount = (field: string, text: string | undefined) => {
    const units = amountOf(text ?? '0')
    if (units === null) unreadable.push({ field, value: String(text) })
    return units ?? 0n
  }
  const moment = (field: string, text: string, at: number) => {
    if (Number.isNaN(at)) unreadable.push({ field, value: text })
    return Number.isNaN(at) ? 0 : at
  }
  const leg = (each: BetLeg, i: number): ReadLeg => ({
    zone: each.zone,
    amount: amount(`bets[${i}].amount`, each.amount),
    return: amount(`bets[${i}].return`, each.return),
    hold: amount(`bets[${i}].hold`, each.hold),
  })
  return {
    slipId: record.slipId,
    rev: record.rev,
    status: record.status,
    player: foldUsername(record.username),
    username: record.username,
    currency: record.currency,
    game: record.game,
    variant: record.variant,
    tableId: record.tableId,
    roundId: record.roundId,
    isOnsite: record.onsite === true,
    stake: amount('stake', record.stake),
    hold: amount('hold', record.hold),
    validStake: amount('validStake', record.validStake),
    rolling: amount('rolling', record.rolling),
    payout: amount('payout', record.payout),
    winLoss: amount('winLoss', record.winLoss),
    rake: amount('rake', record.rake),
    delta: amount('delta', record.delta),
    legs: record.bets.map(leg),
    recSeq: record.recSeq,
    placedAt: moment('placedAt', record.placedAt, readPlacedAt(record.placedAt)),
    settledAt: moment('settledAt', record.settledAt, readSettledAt(record.settledAt)),
    unreadable,
    differing: [],
  }
}

/** Columns of a stored revision that are compared with its record. */
type RevisionRow = Pick<BookSlipRow, 'slip_id' | 'rev' | 'rec_seq' | 'name_key' | 'settled_at' | 'record'>

/** Converts a stored revision. The columns count; a record that differs from them is reported. */
export function versionOfRow(row: RevisionRow): SlipVersion {
  const record = fieldsByGrammar(row.record) ?? recordOf(row)
  if (record === undefined) return bareVersion(row)
  const read = versionOf(record)
  const differing: SlipVersion['differing'][number][] = []
  const compare = (field: string, copy: string | number, own: string | number) => {
    if (copy !== own) differing.push({ field, copy: String(copy), record: String(own) })
  }
  compare('username', row.name_key, read.player)
  compare('settledAt', row.settled_at, read.settledAt)
  compare('slipId', row.slip_id, read.slipId)
  compare('rev', row.rev, read.rev)
  return { ...read, ...columnsOf(row), differing }
}

/** Reads a record with the fast parser, in a third of the time of `JSON.parse`; undefined if it has another form. */
function fieldsByGrammar(record: string): RecordFields | undefined {
  const bet = betAt(record, 0)
  if (bet?.record.length !== record.length) return undefined
  // Field by field: copying the rest of an object takes longer than reading the record.
  return {
    recSeq: bet.recSeq,
    slipId: bet.slipId,
    rev: bet.rev,
    status: bet.status,
    username: bet.username,
    currency: bet.currency,
    tableId: bet.tableId,
    game: bet.game as BetRecord['game'],
    variant: bet.variant,
    roundId: bet.roundId,
    bets: JSON.parse(bet.bets),
    stake: bet.stake,
    hold: bet.hold ?? '0',
    validStake: bet.validStake,
    rolling: bet.rolling,
    payout: bet.payout,
    winLoss: bet.winLoss,
    delta: bet.delta,
    rake: bet.rake ?? '0',
    onsite: bet.onsite === true,
    placedAt: bet.placedAt,
    settledAt: bet.settledAt,
  }
}

/** Converts a row with an unreadable record, from its columns alone: its amounts are unknown and count as nothing. */
function bareVersion(row: RevisionRow): SlipVersion {
  return {
    ...columnsOf(row),
    status: 'settled',
    username: row.name_key,
    currency: '',
    isOnsite: false,
    stake: 0n,
    hold: 0n,
    validStake: 0n,
    rolling: 0n,
    payout: 0n,
    winLoss: 0n,
    rake: 0n,
    game: '',
    variant: '',
    tableId: '',
    roundId: '',
    delta: 0n,
    legs: [],
    placedAt: row.settled_at,
    unreadable: [{ field: 'record', value: row.record.slice(0, 40) }],
    differing: [],
  }
}

function columnsOf(row: RevisionRow) {
  return {
    slipId: row.slip_id,
    rev: row.rev,
    player: row.name_key,
    recSeq: row.rec_seq,
    settledAt: row.settled_at,
  }
}

/** Parses the record of a row; undefined if it is not JSON. */
export function recordOf(row: Pick<BookSlipRow, 'record'>): BetRecord | undefined {
  try {
    const record: unknown = JSON.parse(row.record)
    return isRecord(record) ? record : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a value has the fields that are read without further checks. */
function isRecord(value: unknown): value is BetRecord {
  if (value === null || typeof value !== 'object') return false
  const { slipId, username, bets, placedAt, settledAt } = value as Partial<Record<keyof BetRecord, unknown>>
  const texts = [slipId, username, placedAt, settledAt]
  return texts.every((text) => typeof text === 'string') && Array.isArray(bets)
}

const readPlacedAt = createMomentReader()
const readSettledAt = createMomentReader()

/** Maximum number of amounts that are kept with their values, and their length: most amounts of a day recur. */
const keptAmounts = 5_000
const keptLength = 24

const kept = createCache<bigint | null>(keptAmounts)

/** Parses an amount; null if it is invalid. Zeros after the fourth decimal are accepted. */
export function amountOf(text: string): bigint | null {
  return text.length > keptLength ? readAmount(text) : kept(text, readAmount)
}

function readAmount(text: string): bigint | null {
  return unitsOf(text, playerScale) ?? unitsOf(text.replace(/^(-?\d+\.\d{4})0+$/, '$1'), playerScale)
}
