import { expect, test } from 'vitest'
import { ledgerSpan } from '../../../../src/operator/reconcile/transfers/ledger-span.ts'

const unstated = { since: undefined, until: undefined }
const timed = [{ at: 3_000 }, { at: null }, { at: 1_000 }, { at: 2_000 }]

test('a ledger covers the time from its first to its last transfer', () => {
  expect(ledgerSpan(timed, unstated, 9_000)).toEqual({ from: 1_000, to: 3_000 })
})

test('stated ends replace those of the transfers', () => {
  expect(ledgerSpan(timed, { since: 500, until: undefined }, 9_000)).toEqual({ from: 500, to: 3_000 })
  expect(ledgerSpan(timed, { since: undefined, until: 4_000 }, 9_000)).toEqual({ from: 1_000, to: 4_000 })
})

test('a ledger without times ends now if its start is stated, and covers no known time otherwise', () => {
  expect(ledgerSpan([{ at: null }], { since: 500, until: undefined }, 9_000)).toEqual({ from: 500, to: 9_000 })
  expect(ledgerSpan([], { since: 500, until: 700 }, 9_000)).toEqual({ from: 500, to: 700 })
  expect(ledgerSpan([], { since: undefined, until: 700 }, 9_000)).toBeNull()
  expect(ledgerSpan([{ at: null }], unstated, 9_000)).toBeNull()
})

test('a ledger can have more rows than a call may have arguments', () => {
  const rows = Array.from({ length: 300_000 }, (_, i) => ({ at: i }))
  expect(ledgerSpan(rows, unstated, 0)).toEqual({ from: 0, to: 299_999 })
})
