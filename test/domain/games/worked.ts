/** Worked slips in the format of the rule book's tables: one row is one revision, and every column is checked. */
import { expect } from 'vitest'
import {
  type Bet,
  firstSettlement,
  type Revision,
  recalculation,
  type Settlement,
  voiding,
} from '../../../src/domain/bets/slip.ts'
import { formatAmount, parseAmount } from '../../../src/domain/money.ts'

export type Row = Readonly<Record<string, string>>

/** Returns the rows of a table whose first line names the columns. */
export function rowsOf(table: string): Row[] {
  const [header = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim()),
    )
  return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i] ?? ''])))
}

/** `B 100, T 10` as zones with their amounts. */
export function amountsOf(text: string): { zone: string; amount: bigint }[] {
  return text.split(', ').map((part) => {
    const [zone = '', amount = ''] = part.split(' ')
    return { zone, amount: parseAmount(amount) }
  })
}

/** A settlement in the spelling of the table. */
export function spelled(settlement: Settlement) {
  return {
    returns: settlement.legs.map((leg) => `${leg.zone} ${formatAmount(leg.return)}`).join(', '),
    stake: formatAmount(settlement.stake),
    validStake: formatAmount(settlement.validStake),
    rolling: formatAmount(settlement.rolling),
    payout: formatAmount(settlement.payout),
    winLoss: formatAmount(settlement.winLoss),
  }
}

/**
 * Plays a table's revisions. A row that ends in `r` corrects the row before it. One that ends in `v` voids the
 * correction, or a slip without a result.
 */
export function revisionsOf(
  rows: readonly Row[],
  slip: { bets: (row: Row) => readonly Bet[]; settle: (row: Row) => Settlement; isHoldem?: boolean },
): Map<string, Revision> {
  const revisions = new Map<string, Revision>()
  for (const row of rows) revisions.set(row['slip'] ?? '', revisionOf(row))
  return revisions

  function revisionOf(row: Row): Revision {
    const [id, base, kind] = /^(\w+?)([rv]?)(?: \w)?$/.exec(row['slip'] ?? '') ?? []
    const seat = /( \w)?$/.exec(id ?? '')?.[0] ?? ''
    const earlier = revisions.get(`${base}r${seat}`) ?? revisions.get(`${base}${seat}`) ?? null
    const revision =
      kind === 'v'
        ? voiding(earlier, slip.bets(row), slip.isHoldem ?? false)
        : kind === 'r' && earlier
          ? recalculation(earlier, slip.settle(row))
          : firstSettlement(slip.settle(row))
    if (revision === 'void-is-final') throw new Error('nothing follows a void')
    return revision
  }
}

/** Compares a row with the result, in every column that both have. */
export function expectRow(row: Row, revision: Revision | undefined) {
  if (!revision) throw new Error(`no revision ${row['slip']}`)
  const got: Record<string, string> = {
    ...spelled(revision),
    'rev, status': `${revision.rev} ${revision.status}`,
    delta: formatAmount(revision.delta),
    hold: formatAmount(revision.hold),
    rake: formatAmount(revision.rake),
    code: revision.result.code,
  }
  const named = Object.keys(got).filter((column) => column in row)
  expect(Object.fromEntries(named.map((column) => [column, got[column]]))).toEqual(
    Object.fromEntries(named.map((column) => [column, row[column]])),
  )
}
