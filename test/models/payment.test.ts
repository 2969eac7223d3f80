import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { fund, sanction, setCoin, setMerchant, theMerchant } from '../../src/services/gateway/admin/platform.ts'
import { aHouse, aMerchant } from '../services/gateway/house.ts'
import { type Action, action, codes, creation, pick } from './payment-actions.ts'
import { agree, agreeUnseen } from './payment-agreement.ts'
import { asksForMoney, Gateway } from './payment-model.ts'
import { Promises } from './payment-promises.ts'
import { act, firstPrices, funds, type Real, roots, wallets } from './payment-steps.ts'

/**
 * Payments by model: after any steps in any order, page, look-up, list, callbacks and ledger equal the rules.
 * `MODEL_RUNS=10000` tries that many histories, another `MODEL_SEED` different ones; `MODEL_SHRINK=1` shortens a
 * failure.
 */

const runs = Number(process.env['MODEL_RUNS'] ?? 16)
const seed = Number(process.env['MODEL_SEED'] ?? 11)
const day = 24 * 3_600_000

type Command = fc.AsyncCommand<Gateway, Real>

class Step implements Command {
  readonly action: Action
  constructor(action: Action) {
    this.action = action
  }
  check = (model: Readonly<Gateway>) =>
    this.action.do === 'create' ? roots(model).length < 3 : !('which' in this.action) || roots(model).length > 0
  async run(model: Gateway, real: Real) {
    await act(this.action, model, real)
    if (real.isWatched || this.action.do === 'look')
      await agree(model, real, 'which' in this.action ? this.action.which : 0)
    await agreeUnseen(model, real)
  }
  toString = () => JSON.stringify(this.action, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

const setting = fc.record({
  first: creation,
  isWatched: pick(true, true, false),
  toleranceBps: pick(50, 50, 0, 1000),
  wallets: fc.subarray([...codes]),
})

const visited = new Map<string, number>()

async function run(
  commands: Iterable<Command>,
  { first, isWatched, toleranceBps, wallets: registered }: typeof setting extends fc.Arbitrary<infer T> ? T : never,
) {
  const house = await aHouse()
  try {
    const merchant = await aMerchant(house)
    const model = new Gateway(house.now(), firstPrices, toleranceBps, registered)
    await house.app.store.write(async (tx) => {
      for (const coin of codes) await fund(house.app, tx, await theMerchant(tx, merchant.id), coin, funds[coin])
    })
    for (const coin of codes) model.fund(coin, funds[coin])
    await setMerchant(house.app, merchant.id, { toleranceBps })
    for (const coin of registered) await setCoin(house.app, merchant.id, coin, { wallet: wallets[coin] })
    await sanction(house.app, 'bad')
    const client = await merchant.signedIn()
    const sub = (await client.createSubaccount({ body: { name: 'amy' } })).result.id
    const real = { house, merchant, sub, isWatched, promises: new Promises(), links: new Map(), ids: new Map() }
    await new Step(first).run(model, real)
    await fc.asyncModelRun(() => ({ model, real }), commands)
    await agree(model, real, 0)
    // At the end no status changes any more, and no finished payment is changed.
    await house.wait(9 * day)
    model.wait(model.now + 9 * day)
    await agree(model, real, 1)
    await agreeUnseen(model, real)
    expect(model.payments.filter((each) => asksForMoney(each) || each.status === 'confirming')).toEqual([])
    for (const each of model.payments)
      for (const transition of each.transitions) visited.set(transition, (visited.get(transition) ?? 0) + 1)
  } finally {
    await house.close()
  }
}

test('payments agree with the model after every step', async () => {
  const property = fc.asyncProperty(
    fc.commands<Gateway, Real, boolean>([action.map((step): Command => new Step(step))], {
      maxCommands: 45,
      size: 'max',
    }),
    setting,
    run,
  )
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: process.env['MODEL_SHRINK'] === undefined })
}, 3_600_000)

afterAll(() => {
  // biome-ignore lint/suspicious/noConsole: prints the figures of the additional runs that were requested.
  if (process.env['MODEL_RUNS']) console.log([...visited].toSorted().join('\n'))
})
