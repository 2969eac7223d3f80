import fc from 'fast-check'
import { generateSync } from 'otplib'
import { afterAll, expect, test } from 'vitest'
import { deliveriesAbout } from '../../src/outbox/queries.ts'
import {
  enrollTotp,
  fund,
  sanction,
  setMerchant,
  setWhitelisted,
  theMerchant,
} from '../../src/services/gateway/admin/platform.ts'
import { decideBatch } from '../../src/services/gateway/payouts.ts'
import { ageRates, resetRates } from '../../src/services/gateway/rates/rates.ts'
import { openSigner } from '../../src/services/gateway/signer/signer.ts'
import { dropPayout } from '../../src/services/gateway/simulator/chain-control.ts'
import { aHouse, aMerchant, type House, type Merchant, refusal } from '../services/gateway/house.ts'
import { textOf } from './exact.ts'
import { type Batch, type Order, type Payout, PayoutModel, toUnits } from './payout-model.ts'

/**
 * Payout batches by model: after any steps between creation and sending, look-ups, list, callbacks and balances are
 * equal. `MODEL_RUNS=10000` tries that many histories, another `MODEL_SEED` different ones; `MODEL_SHRINK=1` shortens a
 * failure.
 */

const runs = Number(process.env['MODEL_RUNS'] ?? 16)
const seed = Number(process.env['MODEL_SEED'] ?? 12)
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const addresses = ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'] as const
const pick = fc.constantFrom
const which = pick(0, 0, 0, 1, 1, 2, 3)
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
const order = fc.record({
  dollars: pick(100, 100, 250, 50, 8.4, 8.39, 900),
  address: pick(0, 0, 0, 1),
  // Minutes until it is to be sent; absent for at once. A past time is at once.
  inMinutes: pick(null, null, 30, 61, 120, 24 * 60, -5),
})
const action = fc.oneof(
  weighted(5, fc.record({ do: pick('create'), orders: fc.array(order, { minLength: 1, maxLength: 3 }) })),
  weighted(
    7,
    fc.record({
      do: pick('verify'),
      which,
      code: pick(
        'now',
        'now',
        'now',
        'now',
        'now',
        'now',
        'now',
        'early',
        'late',
        'expired',
        'wrong',
        'none',
        'ten wrong',
      ),
    }),
  ),
  weighted(2, fc.record({ do: pick('cancel'), which, isBatch: fc.boolean() })),
  weighted(3, fc.record({ do: pick('decide'), which, isApproved: pick(true, true, false) })),
  weighted(2, fc.record({ do: pick('drop'), which })),
  weighted(2, fc.record({ do: pick('whitelist'), address: pick(0, 1), isOn: fc.boolean() })),
  weighted(1, fc.record({ do: pick('limit'), dollars: pick(null, null, 100, 99.99, 250) })),
  weighted(1, fc.record({ do: pick('day limit'), dollars: pick(null, 100, 350, 349.99, 200) })),
  weighted(1, fc.record({ do: pick('ceiling'), dollars: pick(null, 100, 99.99, 50) })),
  weighted(1, fc.record({ do: pick('freeze'), isOn: fc.boolean() })),
  weighted(1, fc.record({ do: pick('prices'), areOld: fc.boolean() })),
  weighted(
    6,
    fc.record({
      do: pick('wait'),
      which,
      to: pick('hour-1', 'hour', 'hour+1', 1, 29_000, 30_000, 30_000, minute, minute, 20 * minute, 2 * hour, day),
      how: pick('awake', 'awake', 'awake', 'asleep', 'dead'),
    }),
  ),
)
// Sanctions are never lifted, so they come late and rarely.
const step = fc.oneof(weighted(40, action), weighted(1, fc.record({ do: pick('sanction'), address: pick(0, 1) })))
type Action = typeof step extends fc.Arbitrary<infer T> ? T : never
type Only<Name> = Extract<Action, { do: Name }>

interface Real {
  readonly house: House
  readonly merchant: Merchant
  readonly totpSecret: string
  client(): Promise<Merchant['client']>
}

class Step implements fc.AsyncCommand<PayoutModel, Real> {
  readonly action: Action
  constructor(action: Action) {
    this.action = action
  }
  check = (model: Readonly<PayoutModel>) => !('which' in this.action) || model.batches.length > 0
  async run(model: PayoutModel, real: Real) {
    await act(this.action, model, real)
    await agree(model, real)
  }
  toString = () => JSON.stringify(this.action)
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[list.length - 1 - (index % list.length)]
  if (item === undefined) throw new Error('the step was checked for something to act on')
  return item
}

/** A call whose outcome is `none` or one of these refusals. */
async function comesTo(codes: ReadonlySet<string>, call: Promise<unknown>): Promise<void> {
  expect([...(codes.size === 0 ? ['not refused'] : codes)]).toContain(await refusal(call))
}
const conflictUnless = (isPossible: boolean) => new Set(isPossible ? [] : ['CONFLICT'])

async function act(action: Action, model: PayoutModel, real: Real): Promise<void> {
  const { house, merchant } = real
  switch (action.do) {
    case 'create':
      await create(action, model, real)
      break
    case 'verify':
      for (let i = action.code === 'ten wrong' ? 10 : 1; i > 0; i--)
        await verify(at(model.batches, action.which), action.code, model, real)
      break
    case 'cancel':
      await cancel(action, model, real)
      break
    case 'decide': {
      const batch = at(model.batches, action.which)
      const decided = decideBatch(house.app, batch.id, action.isApproved ? 'approve' : 'reject')
      await comesTo(conflictUnless(model.decide(batch, action.isApproved)), decided)
      break
    }
    case 'drop': {
      const sending = model.payouts.filter(({ status }) => status === 'sending')
      const payout = at(sending.length > 0 ? sending : model.payouts, action.which)
      await comesTo(conflictUnless(model.drop(payout)), dropPayout(house.app, payout.id))
      break
    }
    case 'wait':
      await wait(action, model, house)
      return
    default:
      await change(action, model, house, merchant.id)
  }
  await house.settle()
  model.run()
}

async function change(
  action: Only<'whitelist' | 'limit' | 'day limit' | 'ceiling' | 'freeze' | 'prices' | 'sanction'>,
  model: PayoutModel,
  { app }: House,
  merchant: string,
): Promise<void> {
  const dollars = 'dollars' in action ? action.dollars : null
  const [usd, units] = dollars === null ? [null, null] : [String(dollars), toUnits(dollars)]
  switch (action.do) {
    case 'whitelist': {
      const address = addresses[action.address]
      await setWhitelisted(app, merchant, 'usdttrc20', address, action.isOn)
      if (action.isOn) model.whitelist.add(address)
      else model.whitelist.delete(address)
      return
    }
    case 'limit':
      await setMerchant(app, merchant, { payoutLimitUsd: usd })
      model.limit = units
      return
    case 'day limit':
      await setMerchant(app, merchant, { payoutDayLimitUsd: usd })
      model.dayLimit = units
      return
    case 'ceiling':
      await setMerchant(app, merchant, { approvalUsd: usd })
      model.ceiling = units
      return
    case 'freeze':
      await setMerchant(app, merchant, { frozen: action.isOn })
      model.isFrozen = action.isOn
      return
    case 'prices':
      await (action.areOld ? ageRates(app, hour) : resetRates(app))
      model.arePricesOld = action.areOld
      return
    case 'sanction':
      await sanction(app, addresses[action.address])
      model.sanctioned.add(addresses[action.address])
  }
}

async function create({ orders }: Only<'create'>, model: PayoutModel, real: Real): Promise<void> {
  const requested = orders.map(({ dollars, address, inMinutes }): Order => {
    const executeAt = inMinutes === null ? null : model.now + inMinutes * minute
    return { units: toUnits(dollars), address: addresses[address], executeAt }
  })
  const body = {
    ipn_callback_url: 'https://shop.example/payout',
    withdrawals: requested.map(({ units, address, executeAt }) => ({
      ...{ address, currency: 'usdttrc20', amount: textOf(units, 6) },
      ...(executeAt === null ? {} : { execute_at: new Date(executeAt).toISOString() }),
    })),
  }
  const objections = model.objectionsTo(requested)
  const client = await real.client()
  if (objections.size > 0) return comesTo(objections, client.createPayouts({ body }))
  const made = await client.createPayouts({ body })
  model.create(
    requested,
    made.id,
    made.withdrawals.map(({ id }) => id),
  )
}

type Code = Only<'verify'>['code']

async function verify(batch: Batch, kind: Code, model: PayoutModel, real: Real): Promise<void> {
  const moments: Partial<Record<Code, number>> = { now: 0, early: 30_000, late: -30_000, expired: -60_000 }
  const offset = moments[kind]
  const codeAt = kind === 'none' ? 'none' : offset === undefined ? 'wrong' : model.now + offset
  const codeOf = (moment: number) => generateSync({ secret: real.totpSecret, epoch: moment / 1000 })
  const good = new Set([-60_000, -30_000, 0, 30_000, 60_000].map((near) => codeOf(model.now + near)))
  const wrong = ['000000', '000001', '000002', '000003', '000004', '000005'].find((code) => !good.has(code)) ?? ''
  const verification_code = codeAt === 'none' ? '' : codeAt === 'wrong' ? wrong : codeOf(codeAt)
  const objections = model.verify(batch, codeAt)
  const client = await real.client()
  await comesTo(objections, client.verifyPayouts({ params: { id: batch.id }, body: { verification_code } }))
}

async function cancel({ which: index, isBatch }: Only<'cancel'>, model: PayoutModel, real: Real): Promise<void> {
  const client = await real.client()
  if (isBatch) {
    const batch = at(model.batches, index)
    const cancellation = client.cancelBatch({ params: { id: batch.id } })
    await comesTo(conflictUnless(model.cancel(batch.payouts)), cancellation)
    return
  }
  const payout = at(model.payouts, index)
  const cancellation = client.cancelPayout({ params: { id: payout.id }, body: {} })
  await comesTo(conflictUnless(model.cancel([payout])), cancellation)
}

async function wait({ to, which: index, how }: Only<'wait'>, model: PayoutModel, house: House): Promise<void> {
  const batch = at(model.batches, index)
  const moment =
    typeof to === 'number' ? model.now + to : batch.createdAt + hour + (to === 'hour' ? 0 : to === 'hour-1' ? -1 : 1)
  if (moment < model.now) return
  if (how === 'awake') {
    await house.wait(moment - house.now())
    model.wait(moment)
    return
  }
  await house.sleep(moment - house.now())
  model.now = moment
  if (how === 'dead') return
  await house.settle()
  model.run()
}

// ── Invariants after each step ──

const errors: Readonly<Record<Payout['reason'], RegExp | null>> = {
  none: null,
  late: /hour/,
  cancelled: /^Canceled by the merchant$/,
  approver: /approver/,
  policy: /^POLICY_REJECTED: /,
  dropped: /dropped/,
}

async function agree(model: PayoutModel, { house, merchant }: Real): Promise<void> {
  const { payouts: listed } = await merchant.client.payouts({ query: { limit: 500, order_by: 'id', order: 'asc' } })
  expect(listed.map(({ id, status }) => [id, status])).toEqual(
    model.payouts.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, status }) => [id, status]),
  )
  for (const batch of model.batches) {
    const read = await merchant.client.payout({ params: { id: batch.id } })
    expect(read).toEqual({ id: batch.id, withdrawals: listed.filter((each) => each.batch_withdrawal_id === batch.id) })
    for (const payout of batch.payouts)
      await agreeOnPayout(
        payout,
        listed.find(({ id }) => id === payout.id),
        house,
        merchant.id,
      )
  }
  const balance = (await merchant.client.balance({}))['usdttrc20']
  expect(balance?.amount ?? 0).toBe(Number(textOf(model.available, 6)))
  await house.proveLedger()
  expect(house.failures).toEqual([])
}

async function agreeOnPayout(
  payout: Payout,
  seen: { error?: string | null; hash?: string | null; amount?: string } | undefined,
  house: House,
  merchant: string,
): Promise<void> {
  const error = errors[payout.reason]
  if (error === null) expect(seen?.error).toBeNull()
  else expect(seen?.error).toMatch(error)
  // finished (confirmed on chain; a hash field holds the transaction hash)
  expect(seen?.hash ?? null).toEqual(payout.block === null ? null : expect.stringMatching(/^[0-9a-f]{64}$/))
  expect(seen?.amount).toBe(textOf(payout.units, 6))
  const rows = await house.app.store.read((reader) => deliveriesAbout(reader, merchant, payout.id))
  expect(rows.map(({ event }) => event)).toEqual(payout.callbacks)
  expect(rows.map(({ body }) => JSON.parse(String(body)).status)).toEqual(payout.callbacks)
  expect(JSON.parse(String(rows.at(-1)?.body))).toEqual(seen)
}

const visited = new Map<string, number>()
const signer = openSigner(null)

async function run(commands: Iterable<fc.AsyncCommand<PayoutModel, Real>>): Promise<void> {
  const house = await aHouse({ signer })
  try {
    const merchant = await aMerchant(house, {
      scopes: { scopes: ['read', 'payments', 'custody', 'payouts'], addresses: ['127.0.0.1'] },
    })
    const model = new PayoutModel(house.now(), toUnits(1000))
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '1000')
    })
    for (const address of addresses) {
      await setWhitelisted(house.app, merchant.id, 'usdttrc20', address)
      model.whitelist.add(address)
    }
    const { totpSecret } = await enrollTotp(house.app, merchant.id)
    const real = { house, merchant, totpSecret, client: merchant.signedIn }
    await fc.asyncModelRun(() => ({ model, real }), commands)
    // Without further actions, unfrozen and with prices, everything ends except payouts that wait for an approver.
    for (const last of [{ do: 'freeze', isOn: false } as const, { do: 'prices', areOld: false } as const])
      await act(last, model, real)
    await house.wait(3 * day)
    model.wait(model.now + 3 * day)
    await agree(model, real)
    const open = model.batches.filter(({ payouts }) => payouts.some(({ status }) => !ended.has(status)))
    expect(open.every(({ needsApproval, isVerified }) => needsApproval && isVerified)).toBe(true)
    for (const { callbacks, reason } of model.payouts) {
      const life = `${callbacks.join(' ')} (${reason})`
      visited.set(life, (visited.get(life) ?? 0) + 1)
    }
  } finally {
    await house.close()
  }
}

const ended = new Set(['finished', 'failed', 'rejected'])

test('payout batches agree with the model after every step', async () => {
  const commands = fc.commands<PayoutModel, Real, boolean>(
    [step.map((each): fc.AsyncCommand<PayoutModel, Real> => new Step(each))],
    { maxCommands: 40, size: 'max' },
  )
  await fc.assert(fc.asyncProperty(commands, run), {
    numRuns: runs,
    seed,
    endOnFailure: process.env['MODEL_SHRINK'] === undefined,
  })
}, 3_600_000)

afterAll(async () => {
  await signer.close()
  // biome-ignore lint/suspicious/noConsole: prints the figures of the additional runs that were requested.
  if (process.env['MODEL_RUNS']) console.log([...visited].toSorted().join('\n'))
})
