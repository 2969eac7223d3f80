import type { BookSlipRow } from '../../db/schema/book.ts'
import { type FigureName, figureNames, type ReadLeg, type SlipVersion } from '../../domain/bets/slip-history.ts'
import { playerScale, unitsOf } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import type { BetLeg, BetRecord } from '../../services/casino/api/schemas/index.ts'

/**
 * Bet records as input of the reconciliation rules. A record may be invalid or may have been changed, so nothing here trusts
 * it: unreadable parts are reported, count as nothing, and do not stop a run.
 */

/** Converts a revision of the platform. */
export function versionOf(record: BetRecord): SlipVersion {
  const unreadable: { field: string; found: string }[] = []
  const amount = (field: string, text: string | undefined) => {
    const units = amountOf(text ?? '0')
    if (units === null) unreadable.push({ field, found: String(text) })
    return units ?? 0n
  }
  const moment = (field: string, text: string) => {
    const at = Date.parse(text)
    if (Number.isNaN(at)) unreadable.push({ field, found: text })
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
    placedAt: moment('placedAt', record.placedAt),
    settledAt: moment('settledAt', record.settledAt),
    unreadable,
    differing: [],
  }
}

/** Converts a stored revision. The columns count; a record that differs from them is reported. */
export function versionOfRow(row: BookSlipRow): SlipVersion {
  const record = recordOf(row)
  if (record === undefined) return bareVersion(row)
  const read = versionOf(record)
  const unreadable = [...read.unreadable.filter(({ field }) => !isColumn(field))]
  const differing: { field: string; copy: string; record: string }[] = []
  const figure = (field: FigureName) => {
    const copy = row[columnOf[field]]
    if (copy === record[field] && !read.unreadable.some((part) => part.field === field)) return read[field]
    const units = amountOf(copy)
    if (units === null) unreadable.push({ field, found: copy })
    else if (units !== read[field]) differing.push(copied(field, copy, record[field] ?? '0'))
    return units ?? 0n
  }
  const figures = figuresBy(figure)
  for (const [field, copy, own] of [
    ['status', row.status, record.status],
    ['username', row.username, record.username],
    ['currency', row.currency, record.currency],
    ['settledAt', row.settled_at, read.settledAt],
    ['slipId', row.slip_id, record.slipId],
    ['rev', row.rev, record.rev],
  ] as const)
    if (copy !== own) differing.push(copied(field, String(copy), String(own)))
  return { ...read, ...columnsOf(row), ...figures, unreadable, differing }
}

/** Converts a row with an unreadable record, from its columns alone. */
function bareVersion(row: BookSlipRow): SlipVersion {
  const figures = figuresBy((field) => amountOf(row[columnOf[field]]) ?? 0n)
  return {
    ...columnsOf(row),
    ...figures,
    game: row.game,
    variant: '',
    tableId: '',
    roundId: '',
    delta: figures.payout,
    legs: [],
    placedAt: row.settled_at,
    unreadable: [{ field: 'record', found: row.record.slice(0, 40) }],
    differing: [],
  }
}

function columnsOf(row: BookSlipRow) {
  return {
    slipId: row.slip_id,
    rev: row.rev,
    status: row.status,
    player: row.name_key,
    username: row.username,
    currency: row.currency,
    isOnsite: row.onsite === 1,
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

const columnOf = {
  stake: 'stake',
  hold: 'hold',
  validStake: 'valid_stake',
  rolling: 'rolling',
  payout: 'payout',
  winLoss: 'win_loss',
  rake: 'rake',
} as const satisfies Record<FigureName, keyof BookSlipRow>

const isColumn = (field: string) => figureNames.some((name) => name === field)
const copied = (field: string, copy: string, record: string) => ({ field, copy, record })

function figuresBy(make: (field: FigureName) => bigint): Record<FigureName, bigint> {
  return {
    stake: make('stake'),
    hold: make('hold'),
    validStake: make('validStake'),
    rolling: make('rolling'),
    payout: make('payout'),
    winLoss: make('winLoss'),
    rake: make('rake'),
  }
}

/** Parses an amount; null if it is invalid. Zeros after the fourth decimal are accepted. */
export function amountOf(text: string): bigint | null {
  return unitsOf(text, playerScale) ?? unitsOf(text.replace(/^(-?\d+\.\d{4})0+$/, '$1'), playerScale)
}
