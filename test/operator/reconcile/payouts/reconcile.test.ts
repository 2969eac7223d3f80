import { describe, expect, test } from 'vitest'
import type { LedgerPayout } from '../../../../src/domain/reconcile/payouts.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import type { PayoutSource } from '../../../../src/operator/callbacks/list-payouts.ts'
import { type PayoutsOptions, reconcilePayouts } from '../../../../src/operator/reconcile/payouts/reconcile.ts'
import type { Payout } from '../../../../src/services/gateway/api/schemas.ts'

const unit = 10n ** 18n
const now = Date.UTC(2026, 2, 10, 12)

const ours = (over: Partial<LedgerPayout> = {}): LedgerPayout => ({
  ...{ payoutId: '1', externalId: null, address: 'T1', currency: 'trx', amount: 2n * unit, status: 'paid' },
  ...{ at: Date.UTC(2026, 2, 9), line: 2 },
  ...over,
})

const theirs = (over: Partial<Payout> = {}) =>
  ({
    ...{ id: '1', unique_external_id: null, address: 'T1', currency: 'trx', amount: '2', status: 'finished' },
    ...{ created_at: '2026-03-09T08:00:00.000Z' },
    ...over,
  }) as Payout

/** A gateway that lists some payouts, has others outside of every range, and counts the requests. */
function aGateway(
  listed: readonly Payout[],
  others: readonly Payout[] = [],
  failure = new Problem('NOT_FOUND', 'none'),
) {
  const requests: string[] = []
  const source = {
    payouts: async ({ query }: { query: { page: number; date_from?: string; date_to?: string } }) => {
      const { page, date_from: from, date_to: to } = query
      if (page === 0) requests.push(from === undefined ? 'all' : `${from}/${to}`)
      const among = from === undefined ? [...listed, ...others] : listed
      return { payouts: among.slice(page * 2, page * 2 + 2) }
    },
    payout: async ({ params }: { params: { id: string } }) => {
      requests.push(params.id)
      const found = [...listed, ...others].filter(({ id }) => id === params.id || `${id}-batch` === params.id)
      if (found.length === 0) throw failure
      return found
    },
  } as unknown as PayoutSource
  return { source, requests }
}

const span = { from: Date.UTC(2026, 2, 9), to: Date.UTC(2026, 2, 10) }
const reconcile = (source: PayoutSource, ledger: readonly LedgerPayout[], more: Partial<PayoutsOptions> = {}) =>
  reconcilePayouts(source, { ledger, span, freshMs: 3_600_000, now, onRead: () => {}, ...more })

describe('payouts in the ledger and at the gateway', () => {
  test('are balanced if they agree, over all pages of the range', async () => {
    const payouts = ['1', '2', '3'].map((id) => theirs({ id }))
    const { source, requests } = aGateway(payouts)
    const counts: number[] = []
    const rows = payouts.map(({ id }, i) => ours({ payoutId: id, line: i + 2 }))
    const end = await reconcile(source, rows, { onRead: (count) => counts.push(count) })
    expect(end).toMatchObject({ verdict: 'balanced', listed: 3, doubts: [] })
    expect(end.payouts.map(({ payoutId, result, message }) => [payoutId, result, message])).toEqual([
      ...[
        ['1', 'matched', ''],
        ['2', 'matched', ''],
        ['3', 'matched', ''],
      ],
    ])
    expect(counts).toEqual([2, 3])
    expect(requests).toEqual(['2026-03-09T00:00:00.000Z/2026-03-10T00:00:00.000Z'])
  })

  test('differ with both values', async () => {
    const { source } = aGateway([theirs({ amount: '1.5', status: 'failed', unique_external_id: 'p' })])
    const { verdict, payouts } = await reconcile(source, [ours({ externalId: 'q' })])
    expect(verdict).toBe('differences')
    expect(payouts).toMatchObject([
      {
        ...{ payoutId: '1', externalId: 'q', line: 2, currency: 'trx', amount: '2', address: 'T1', status: 'paid' },
        ...{ at: '2026-03-09T00:00:00.000Z', result: 'different' },
        gateway: { currency: 'trx', amount: '1.5', address: 'T1', status: 'failed', at: '2026-03-09T08:00:00.000Z' },
        differences: [{ field: 'amount' }, { field: 'externalId' }, { field: 'status' }],
        message:
          '1: amount 2 in the ledger, 1.5 at the gateway; externalId q in the ledger, p at the gateway; status paid in the ledger, failed at the gateway',
      },
    ])
  })

  test('differ also in a reference that the gateway does not have', async () => {
    const { source } = aGateway([theirs()])
    expect((await reconcile(source, [ours({ externalId: 'q' })])).payouts).toMatchObject([
      { message: '1: externalId q in the ledger, none at the gateway' },
    ])
  })

  test('are undecided while the gateway sends them', async () => {
    const { source } = aGateway([theirs({ status: 'sending' })])
    expect(await reconcile(source, [ours()])).toMatchObject({
      ...{ verdict: 'cannot-conclude', doubts: [] },
      payouts: [{ result: 'undecided', message: '1: the payout is sending, so it may still fail' }],
    })
  })
})

describe('a payout that only the ledger has', () => {
  const outcomeOf = async (row: LedgerPayout) => {
    const { payouts, verdict } = await reconcile(aGateway([]).source, [row])
    return [verdict, ...payouts.map(({ result, message }) => `${result} ${message}`)]
  }
  const lacks = 'the gateway does not have this payout of 2 trx'

  test('is a difference, by its ID or its reference', async () => {
    expect(await outcomeOf(ours())).toEqual(['differences', `missing-at-gateway 1: ${lacks}`])
    expect(await outcomeOf(ours({ payoutId: null, externalId: 'p', at: null }))).toEqual([
      ...['differences', `missing-at-gateway external_id p: ${lacks}`],
    ])
  })

  test('may still be on its way, until the limit', async () => {
    const on = 'yet; it may be on its way. Run this again later'
    expect(await outcomeOf(ours({ at: now - 3_599_999 }))).toEqual([
      ...['cannot-conclude', `undecided 1: ${lacks} ${on}`],
    ])
    expect(await outcomeOf(ours({ at: now - 3_600_000 }))).toEqual(['differences', `missing-at-gateway 1: ${lacks}`])
  })

  test('agrees without a message if the ledger calls it failed, also a recent one', async () => {
    for (const at of [null, now - 1, now - 3_600_000])
      expect(await outcomeOf(ours({ status: 'failed', at }))).toEqual(['balanced', 'matched '])
  })

  test('has no side of the gateway', async () => {
    const { payouts } = await reconcile(aGateway([]).source, [ours({ status: null, at: null })])
    expect(payouts).toMatchObject([{ payoutId: '1', externalId: null, status: null, at: null, gateway: null }])
  })
})

describe('a payout that only the gateway has', () => {
  test('is a difference with its side, unless it failed', async () => {
    const missing = theirs({ id: '5', unique_external_id: 'p', status: 'sending' })
    const { source } = aGateway([
      missing,
      theirs({ id: '6', status: 'failed' }),
      theirs({ id: '7', status: 'rejected' }),
    ])
    expect(await reconcile(source, [])).toMatchObject({
      ...{ verdict: 'differences', listed: 3, doubts: [] },
      payouts: [
        {
          ...{ payoutId: '5', externalId: 'p', result: 'missing-in-ledger', line: null, amount: '2', status: null },
          ...{ at: '2026-03-09T08:00:00.000Z', gateway: { status: 'sending' }, differences: [] },
          message: '5: the ledger does not have this payout of 2 trx, sending',
        },
      ],
    })
  })
})

describe('the payout of a row outside of the range', () => {
  const outside = theirs({ id: '9', unique_external_id: 'p', created_at: '2026-01-01T00:00:00.000Z' })

  test('is asked for by its ID', async () => {
    const { source, requests } = aGateway([theirs()], [outside])
    expect(await reconcile(source, [ours(), ours({ payoutId: '9' })])).toMatchObject({ verdict: 'balanced', listed: 1 })
    expect(requests.slice(1)).toEqual(['9'])
  })

  test('is not one of the batch with that ID', async () => {
    const { source } = aGateway([], [outside])
    expect((await reconcile(source, [ours({ payoutId: '9-batch' })])).verdict).toBe('differences')
  })

  test('is searched by its reference among all payouts, which are read once', async () => {
    const { source, requests } = aGateway([], [outside])
    const rows = ['p', 'q', 'r'].map((externalId) => ours({ payoutId: null, externalId, status: null }))
    const { payouts } = await reconcile(source, rows)
    expect(payouts.map(({ payoutId, result }) => [payoutId, result])).toEqual([
      ...[
        ['9', 'matched'],
        [null, 'missing-at-gateway'],
        [null, 'missing-at-gateway'],
      ],
    ])
    expect(requests.slice(1)).toEqual(['all'])
  })

  test('is not searched again without a range, which has all payouts', async () => {
    const { source, requests } = aGateway([], [outside])
    const rows = [ours({ payoutId: null, externalId: 'q' })]
    expect(await reconcile(source, rows, { span: null })).toMatchObject({ verdict: 'differences', listed: 1 })
    expect(requests).toEqual(['all'])
  })

  test('is none if the gateway refuses the ID, and unknown if it does not respond', async () => {
    const refused = aGateway([], [], new Problem('INVALID_REQUEST_PARAMS', 'not an ID'))
    expect((await reconcile(refused.source, [ours()])).payouts).toMatchObject([{ result: 'missing-at-gateway' }])
    const away = aGateway([], [], new Problem('REMOTE_UNREACHABLE', 'away'))
    await expect(reconcile(away.source, [ours()])).rejects.toMatchObject({ code: 'REMOTE_UNREACHABLE' })
  })
})

test('of several payouts with one reference each is used once, first the one that agrees', async () => {
  const { source } = aGateway([
    theirs({ id: '1', unique_external_id: 'p', amount: '5' }),
    theirs({ id: '2', unique_external_id: 'p' }),
  ])
  const row = ours({ payoutId: null, externalId: 'p' })
  const { payouts } = await reconcile(source, [row, row, row])
  expect(payouts.map(({ payoutId, result }) => [payoutId, result])).toEqual([
    ...[
      ['2', 'matched'],
      ['1', 'different'],
      [null, 'missing-at-gateway'],
    ],
  ])
})

test('nothing on either side proves something only in a range, in which there was nothing', async () => {
  const { source } = aGateway([])
  expect(await reconcile(source, [])).toMatchObject({ verdict: 'balanced', doubts: [] })
  expect(await reconcile(source, [], { span: null })).toMatchObject({
    ...{ verdict: 'cannot-conclude', payouts: [], listed: 0 },
    doubts: ['Neither the ledger nor the gateway has payouts: nothing was compared'],
  })
  const failed = aGateway([theirs({ status: 'failed' })])
  expect(await reconcile(failed.source, [], { span: null })).toMatchObject({ verdict: 'balanced', doubts: [] })
})
