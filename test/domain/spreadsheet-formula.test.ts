import { expect, test } from 'vitest'
import { csvText } from '../../src/cli/terminal/table.ts'
import { betLine } from '../../src/domain/bets/csv.ts'
import type { PulledBet } from '../../src/domain/bets/record.ts'
import { withoutFormula } from '../../src/domain/spreadsheet-formula.ts'

/** A record with only the given fields. */
const blank: PulledBet = {
  ...{ recSeq: 1, slipId: '', rev: 1, status: 'settled', username: '', currency: '', tableId: '', game: 'baccarat' },
  ...{ variant: '', roundId: '', shoe: '', round: 1, stake: '0', hold: undefined, validStake: '0', rolling: '0' },
  ...{ payout: '0', winLoss: '0', delta: '0', rake: undefined, onsite: undefined, resultCode: '', cardInfo: '' },
  ...{ placedAt: '', settledAt: '', bets: '', result: '', record: '' },
}

const starts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']

test.each(starts)('a text that begins with %j is no formula afterwards', async (start) => {
  expect(withoutFormula(`${start}1+1`)).toBe(`'${start}1+1`)
  const rows = await csvText([{ name: `${start}cmd` }], [{ key: 'name' }], false)
  expect(rows).toContain(`'${start}cmd`)
  const line = betLine({ ...blank, username: `${start}amy` })
  expect(line).toContain(`'${start}amy`)
})

test('other texts and numbers are unchanged', async () => {
  for (const text of ['', 'amy', "'=1", 'a=1', '1-1', '全角＝', ' =1']) expect(withoutFormula(text)).toBe(text)
  expect(await csvText([{ sum: '-5' }], [{ key: 'sum', kind: 'amount' }], false)).toBe('-5\n')
})
