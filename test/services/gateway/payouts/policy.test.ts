import { describe, expect, test } from 'vitest'
import { setMerchant } from '../../../../src/services/gateway/admin/platform.ts'
import { decideBatch } from '../../../../src/services/gateway/payouts.ts'
import { ageRates, resetRates } from '../../../../src/services/gateway/rates/rates.ts'
import { aMerchant, refusal } from '../house.ts'
import { paying, wallet } from '../paying.ts'

/** The limits of payouts: amounts, approval, verification and cancellation, each at its boundary. */

const minute = 60_000
const item = (amount: number | string) => ({ address: wallet, currency: 'usdttrc20', amount })

describe('when a batch is created', () => {
  test('a payout at the limit for one passes, and one above it is LIMIT_EXCEEDED', async () => {
    const { house, merchant, create } = await paying()
    await setMerchant(house.app, merchant.id, { payoutLimitUsd: '100' })
    expect(await refusal(create({ amount: '100' }))).toBe('not refused')
    expect(await refusal(create({ amount: '100.01' }))).toBe('LIMIT_EXCEEDED')
  })

  test('a limit is exceeded by the smallest unit of a coin, alone and summed over a day', async () => {
    const { house, merchant, create } = await paying()
    const batch = async (...amounts: string[]) =>
      refusal((await merchant.loggedIn()).createPayouts({ body: { withdrawals: amounts.map(item) } }))
    await setMerchant(house.app, merchant.id, { payoutLimitUsd: '100' })
    expect(await refusal(create({ amount: '99.999999' }))).toBe('not refused')
    expect(await refusal(create({ amount: '100' }))).toBe('not refused')
    expect(await refusal(create({ amount: '100.000001' }))).toBe('LIMIT_EXCEEDED')
    await setMerchant(house.app, merchant.id, { payoutLimitUsd: null, payoutDayLimitUsd: '300' })
    expect(await batch('50.000001', '50.000001')).toBe('LIMIT_EXCEEDED')
    expect(await batch('50.000001', '50')).toBe('not refused')
    expect(await refusal(create({ amount: '8.4' }))).toBe('LIMIT_EXCEEDED')
  })

  test('the payouts of a UTC day share its limit, those of the same batch too', async () => {
    const { house, merchant, code, create, verify } = await paying()
    await setMerchant(house.app, merchant.id, { payoutDayLimitUsd: '200' })
    const batch = async (...amounts: (number | string)[]) =>
      refusal((await merchant.loggedIn()).createPayouts({ body: { withdrawals: amounts.map(item) } }))
    expect(await batch(100, '100.01')).toBe('LIMIT_EXCEEDED')
    expect(await batch(50, 50)).toBe('not refused')
    expect(await refusal(create({ amount: '100.01' }))).toBe('LIMIT_EXCEEDED')
    expect(await refusal(create({ amount: 100 }))).toBe('not refused')
    expect(await refusal(create({ amount: '8.4' }))).toBe('LIMIT_EXCEEDED')
    // It is noon. A payout without a verification within the hour frees its share of the limit.
    await house.wait(60 * minute)
    expect(await refusal(create({ amount: '200.01' }))).toBe('LIMIT_EXCEEDED')
    const { id } = await create({ amount: 200 })
    await verify(id, code())
    await house.wait(11 * 60 * minute - 1)
    expect(await refusal(create({ amount: '8.4' }))).toBe('LIMIT_EXCEEDED')
    await house.wait(1)
    expect(await refusal(create({ amount: 200 }))).toBe('not refused')
  })

  test.each([{ address: undefined }, { currency: undefined }])(
    'a withdrawal without one of its two required fields, %j, is refused',
    async (over) => {
      const { create } = await paying()
      expect(await refusal(create(over))).toBe('INVALID_REQUEST_PARAMS')
    },
  )
})

describe('an approval is required', () => {
  test.each([
    ['100', [100], 'finished'],
    ['99.99', [100], 'waiting'],
    ['150', [100, 50], 'finished'],
    ['149.99', [100, 50], 'waiting'],
    ['100', ['100.000001'], 'waiting'],
    ['100', ['50.000001', '50'], 'waiting'],
    [null, [100], 'finished'],
  ] as const)('above a ceiling of %s usd: a batch of %j is %s', async (approvalUsd, amounts, expected) => {
    const { house, merchant, code, verify, status } = await paying()
    await setMerchant(house.app, merchant.id, { approvalUsd })
    const client = await merchant.loggedIn()
    const { id } = await client.createPayouts({ body: { withdrawals: amounts.map(item) } })
    await verify(id, code())
    await house.wait(2 * minute)
    expect(await status(id)).toBe(expected)
  })

  test('once, for a batch that is verified and needs it', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const later = new Date(house.now() + 30 * minute).toISOString()
    const free = await create({ execute_at: later })
    await verify(free.id, code())
    expect(await refusal(decideBatch(house.app, free.id, 'approve'))).toBe('CONFLICT')
    await setMerchant(house.app, merchant.id, { approvalUsd: '50' })
    const held = await create({ execute_at: later })
    expect(await refusal(decideBatch(house.app, held.id, 'approve'))).toBe('CONFLICT')
    await house.wait(minute)
    await verify(held.id, code())
    expect(await refusal(decideBatch(house.app, held.id, 'approve'))).toBe('not refused')
    for (const again of ['approve', 'reject'] as const)
      expect(await refusal(decideBatch(house.app, held.id, again))).toBe('CONFLICT')
    await house.wait(40 * minute)
    expect([await status(free.id), await status(held.id)]).toEqual(['finished', 'finished'])
    expect(await refusal(decideBatch(house.app, '1', 'approve'))).toBe('NOT_FOUND')
  })
})

describe('a code', () => {
  test('that is missing in any way is required', async () => {
    const { merchant, create } = await paying()
    const { id } = await create()
    const client = await merchant.loggedIn()
    for (const body of [{ verification_code: null }, {}, { verification_code: '' }, { verification_code: ' ' }])
      expect(await refusal(client.verifyPayouts({ params: { id }, body }))).toBe('MFA_REQUIRED')
  })

  test('verifies the rest of a batch with a canceled payout, and nothing of a canceled batch', async () => {
    const { house, merchant, code, verify } = await paying()
    const execute_at = new Date(house.now() + 30 * minute).toISOString()
    const client = await merchant.loggedIn()
    const batch = () =>
      client.createPayouts({ body: { withdrawals: [100, 50].map((amount) => ({ ...item(amount), execute_at })) } })
    const [some, none] = [await batch(), await batch()]
    await client.cancelPayout({ params: { id: some.withdrawals[0]?.id ?? '' }, body: {} })
    await client.cancelBatch({ params: { id: none.id } })
    expect(await refusal(verify(none.id, code()))).toBe('CONFLICT')
    expect(await verify(some.id, code())).toBe('OK')
    await house.wait(40 * minute)
    expect(await merchant.client.payout({ params: { id: some.id } })).toMatchObject({
      withdrawals: [{ status: 'rejected', error: 'Canceled by the merchant' }, { status: 'finished' }],
    })
    expect((await merchant.client.balance({}))['usdttrc20']).toEqual({ amount: 947.9, pendingAmount: 0 })
    await house.proveLedger()
  })
})

describe('a payout is canceled', () => {
  test.each([
    [-1, 'not refused'],
    [0, 'CONFLICT'],
    [1, 'CONFLICT'],
  ])('%i ms before its time: %s', async (late, expected) => {
    const { house, merchant, create } = await paying()
    const { withdrawals } = await create({ execute_at: new Date(house.now() + 30 * minute).toISOString() })
    await house.wait(30 * minute + late)
    const client = await merchant.loggedIn()
    const cancelled = client.cancelPayout({ params: { id: withdrawals[0]?.id ?? '' }, body: {} })
    expect(await refusal(cancelled)).toBe(expected)
  })

  test('only if it is scheduled, verified or not, and once', async () => {
    const { house, merchant, code, create, verify, status } = await paying()
    const cancel = async (id: string | undefined) =>
      refusal((await merchant.loggedIn()).cancelPayout({ params: { id: id ?? '' }, body: {} }))
    const atOnce = await create()
    expect(await cancel(atOnce.withdrawals[0]?.id)).toBe('CONFLICT')
    const later = await create({ execute_at: new Date(house.now() + 30 * minute).toISOString() })
    await verify(later.id, code())
    expect(await status(later.id)).toBe('waiting')
    expect(await cancel(later.withdrawals[0]?.id)).toBe('not refused')
    expect(await cancel(later.withdrawals[0]?.id)).toBe('CONFLICT')
    expect(await status(later.id)).toBe('rejected')
    await house.proveLedger()
  })

  test('by its own merchant', async () => {
    const { house, create, status } = await paying()
    const { id, withdrawals } = await create({ execute_at: new Date(house.now() + 30 * minute).toISOString() })
    const other = await aMerchant(house, {
      email: 'other@shop.example',
      scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
    })
    const client = await other.loggedIn()
    for (const each of [withdrawals[0]?.id ?? '', '1'])
      expect(await refusal(client.cancelPayout({ params: { id: each }, body: {} }))).toBe('NOT_FOUND')
    expect(await refusal(client.cancelBatch({ params: { id } }))).toBe('NOT_FOUND')
    expect(await status(id)).toBe('creating')
  })
})

test('a payout that the policy cannot decide is tried again after a minute', async () => {
  const { house, merchant, code, create, verify, status } = await paying()
  await setMerchant(house.app, merchant.id, { payoutLimitUsd: '500' })
  const { id } = await create()
  await verify(id, code())
  await ageRates(house.app, 60 * minute)
  await house.settle()
  await resetRates(house.app)
  await house.wait(minute - 1)
  expect(await status(id)).toBe('waiting')
  await house.wait(1)
  expect(await status(id)).toBe('sending')
})
