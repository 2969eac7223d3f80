import { expect } from 'vitest'
import { contractOf } from '../../src/domain/chains/coins.ts'
import { refundPayment, removeDeposit } from '../../src/services/gateway/admin/platform.ts'
import type { PaymentView } from '../../src/services/gateway/hosted-pages/view-model.ts'
import { paymentOf } from '../../src/services/gateway/queries/payments.ts'
import { theCoin } from '../../src/services/gateway/rates/currencies.ts'
import { ageRates, resetRates, setRate } from '../../src/services/gateway/rates/rates.ts'
import { addBlocks, confirmTx } from '../../src/services/gateway/simulator/chain-control.ts'
import { payIn } from '../../src/services/gateway/simulator/chains.ts'
import { type House, type Merchant, refusal } from '../services/gateway/house.ts'
import { textOf } from './exact.ts'
import type { Action, parts } from './payment-actions.ts'
import { type CoinCode, coins, decimalsOf, incrementOf, type Payment, type Terms, type Tx } from './payment-facts.ts'
import { asksForMoney, type Gateway } from './payment-model.ts'
import type { Promises } from './payment-promises.ts'

/** The steps of payments on both sides: requests to the program, and the same in the model. */

export const wallets: Readonly<Record<CoinCode, string>> = {
  usdttrc20: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  btc: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  eth: '0x52908400098527886E0F7030069857D2E4169EE7',
}
const networkOf = { usdttrc20: 'trx', btc: 'btc', eth: 'eth' } as const
export const funds: Readonly<Record<CoinCode, string>> = { usdttrc20: '60', btc: '0.004', eth: '0.05' }
/** The prices of the gateway's own source. */
export const firstPrices = { usd: '1', jpy: '0.0065', usdt: '1', btc: '100000', eth: '4000', trx: '0.3' } as const
/** Prices of payments into a sub-account, in their own coin. */
const subPrices: Readonly<Record<CoinCode, bigint>> = { usdttrc20: 95_500_001n, btc: 1_000_001n, eth: 25n * 10n ** 15n }
/** Amounts that the merchant sets itself; the second of ether is finer than the precision of payers. */
const named: Readonly<Record<CoinCode, readonly bigint[]>> = {
  usdttrc20: [95_500_000n, 120_000_001n],
  btc: [100_000n, 2_000_001n],
  eth: [25n * 10n ** 15n, 250_000_000_100_000_000n],
}

export interface Real {
  readonly house: House
  readonly merchant: Merchant
  /** The sub-account that some payments go to. */
  readonly sub: string
  readonly promises: Promises
  /** True if every view is read after each step. Reading requotes, so unread views are another case. */
  readonly isWatched: boolean
  /** Links and addresses by payment id. */
  readonly links: Map<number, string>
  /** Chain ids by the model's number. */
  readonly ids: Map<number, string>
}

export const roots = (model: Readonly<Gateway>) => model.payments.filter(({ parent }) => parent === null)
export const rootAt = (model: Gateway, which: number): Payment => at(roots(model), which)
function at<T>(list: readonly T[], which: number): T {
  const item = list[list.length - 1 - (which % list.length)]
  if (item === undefined) throw new Error('the step was checked for something to act on')
  return item
}

export async function act(step: Action, model: Gateway, real: Real): Promise<void> {
  const { house } = real
  switch (step.do) {
    case 'create':
      return create(step, model, real)
    case 'send': {
      const root = rootAt(model, step.which)
      await send(model, real, root, amountOf(model, root, step.part), step.isBad)
      return step.isSeen ? settle(model, real) : undefined
    }
    case 'stray':
      await payTo(real, rootAt(model, step.which), 5_000_000n, 'stranger', 'stray')
      return settle(model, real)
    case 'confirm':
    case 'reorganize':
      return touch(step, model, real)
    case 'blocks':
      await addBlocks(house.app, 'production', networkOf[step.coin], step.count)
      for (const tx of model.txs)
        if (tx.coin === step.coin && tx.newsAt !== null && !tx.isRemoved) {
          tx.block -= step.count
          tx.newsAt = model.now
        }
      return settle(model, real)
    case 'price':
      await setRate(house.app, step.asset, step.usd)
      model.setPrice(step.asset, step.usd)
      return
    case 'age':
      await ageRates(house.app, step.ms)
      model.asOf = model.now - step.ms
      return
    case 'fresh':
      await resetRates(house.app)
      model.asOf = null
      for (const [asset, usd] of Object.entries(firstPrices)) model.setPrice(asset, usd)
      return
    case 'wait':
      return wait(step, model, real)
    case 'estimate':
      return estimate(rootAt(model, step.which), model, real)
    case 'refund': {
      const payment = at(
        model.payments.filter(({ id }) => id !== 0),
        step.which,
      )
      const refund = refusal(refundPayment(house.app, payment.id, wallets[payment.coin]))
      expect(await refund).toBe(model.refund(payment) ?? 'not refused')
      return settle(model, real)
    }
    case 'pay':
      return payStated(rootAt(model, step.which), model, real)
    case 'look':
      return
  }
}

async function settle(model: Gateway, { house }: Real): Promise<void> {
  await house.settle()
  model.run()
}

async function create(step: Extract<Action, { do: 'create' }>, model: Gateway, real: Real): Promise<void> {
  const terms = termsOf(step, model)
  const request = terms.isSub ? askForSub(terms, real) : ask(terms, real)
  if (!model.isQuotable(terms, model.now)) {
    expect(await refusal(request)).toBe('RATE_UNAVAILABLE')
    return
  }
  const made = await request
  const payment = model.create(made.payment_id, terms)
  real.promises.state(made.payment_id, made.pay_amount, Date.parse(made.expiration_estimate_date), model.now)
  real.links.set(made.payment_id, new URL(made.gw_payment_url).pathname)
  expect(made).toMatchObject({
    payment_status: 'waiting',
    pay_amount: numberOf(payment.due, terms.coin),
    expiration_estimate_date: new Date(payment.quoteEnd).toISOString(),
    valid_until: new Date(payment.windowEnd).toISOString(),
  })
}

function termsOf(step: Extract<Action, { do: 'create' }>, model: Gateway): Terms {
  const { coin, kind } = step
  const isFixed = kind === 'fixed' || kind === 'fixed sub'
  if (kind === 'sub' || kind === 'fixed sub')
    return {
      ...{ coin, outcomeCoin: coin, fiat: coin, price: subPrices[coin], isSub: true, given: null, orderId: null },
      ...{ isFixed, isFeeOnTop: false },
    }
  const [fiat, price] = step.price
  const given = kind === 'named' ? named[coin][0] : kind === 'finely named' ? named[coin][1] : undefined
  return {
    ...{ coin, outcomeCoin: step.out ?? coin, fiat, price, isSub: false, given: given ?? null },
    ...{ isFixed, isFeeOnTop: kind === 'fee', orderId: `o-${model.payments.length}` },
  }
}

function ask({ coin, outcomeCoin, fiat, price, given, isFixed, isFeeOnTop, orderId }: Terms, { merchant }: Real) {
  return merchant.client.createPayment({
    body: {
      price_amount: textOf(price, decimalsOf(fiat)),
      price_currency: fiat,
      pay_currency: coin,
      order_id: orderId,
      ipn_callback_url: 'https://shop.example/ipn',
      ...(given === null ? {} : { pay_amount: textOf(given, coins[coin].decimals) }),
      ...(outcomeCoin === coin ? {} : { payout_currency: outcomeCoin }),
      ...(isFixed ? { is_fixed_rate: true } : {}),
      ...(isFeeOnTop ? { is_fee_paid_by_user: true } : {}),
    },
  })
}

async function askForSub({ coin, price, isFixed }: Terms, { merchant, sub }: Real) {
  const client = await merchant.signedIn()
  const { result } = await client.createSubPayment({
    body: {
      currency: coin,
      amount: textOf(price, coins[coin].decimals),
      sub_partner_id: sub,
      is_fixed_rate: isFixed,
      ipn_callback_url: 'https://shop.example/ipn',
    },
  })
  return result
}

const numberOf = (units: bigint, coin: CoinCode) => Number(textOf(units, coins[coin].decimals))

/** Amount that a customer sends, by the latest statement. */
function amountOf(model: Gateway, { due, paid, coin, whole }: Payment, part: (typeof parts)[number]): bigint {
  const rest = due > paid ? ((due - paid + incrementOf(coin) - 1n) / incrementOf(coin)) * incrementOf(coin) : due
  const { n, d } = model.tolerance
  // The missing part of the price: the smallest amount that completes an unpaid payment.
  const least = rest - (whole * n) / d > 0n ? rest - (whole * n) / d : 1n
  switch (part) {
    case 'rest':
      return rest
    case 'hair less':
      return rest > 1n ? rest - 1n : 1n
    case 'hair more':
      return rest + 1n
    case 'least':
      return least
    case 'too little':
      return least > 1n ? least - 1n : 1n
    case 'whole':
      return whole
    case 'tiny':
      return 1n
    default:
      return (rest * BigInt(part)) / 100n + 1n
  }
}

async function payTo(
  real: Real,
  root: Payment,
  units: bigint,
  sender: string,
  kind: 'good' | 'stray',
): Promise<string> {
  const { app } = real.house
  return app.store.write(async (tx) => {
    const row = await paymentOf(tx, root.id)
    if (!row) throw new Error(`payment ${root.id} is gone`)
    const id = app.id()
    const contract = contractOf(theCoin(root.coin), 'production')
    await payIn(tx, {
      ...{ id, units, sender, environment: 'production', network: row.network, recipient: row.address },
      contract: kind === 'good' ? contract : contract === null ? 'another-token' : null,
    })
    return id
  })
}

async function send(model: Gateway, real: Real, root: Payment, units: bigint, isBad: boolean): Promise<Tx> {
  const id = await payTo(real, root, units, isBad ? 'bad' : `payer-${model.txs.length}`, 'good')
  const tx = model.send(root, units, isBad)
  real.ids.set(tx.number, id)
  return tx
}

async function touch(
  step: Extract<Action, { do: 'confirm' | 'reorganize' }>,
  model: Gateway,
  real: Real,
): Promise<void> {
  const open = model.txs.filter(({ kind, newsAt }) => kind === 'deposit' && newsAt !== null)
  const sent = model.txs.filter(({ kind }) => kind === 'deposit')
  if (sent.length === 0) return
  const tx = at(open.length > 0 ? open : sent, step.which)
  const id = real.ids.get(tx.number) ?? ''
  if (step.do === 'reorganize') {
    const isPossible = !tx.isRemoved && !model.isDeep(tx)
    expect(await refusal(removeDeposit(real.house.app, id))).toBe(isPossible ? 'not refused' : 'CONFLICT')
    if (isPossible) Object.assign(tx, { isRemoved: true, newsAt: model.now })
  } else {
    await confirmTx(real.house.app, id)
    model.confirmAtOnce(tx)
  }
  await settle(model, real)
}

async function wait(step: Extract<Action, { do: 'wait' }>, model: Gateway, real: Real): Promise<void> {
  const { house } = real
  const root = rootAt(model, step.which)
  const ends = { quote: root.quoteEnd, window: root.windowEnd }
  const [name = '', offset = '0'] = typeof step.to === 'string' ? step.to.split(/(?=[+-])/) : []
  const to = typeof step.to === 'number' ? model.now + step.to : ends[name as keyof typeof ends] + Number(offset)
  if (to < model.now) return
  if (step.how === 'awake') {
    await house.wait(to - house.now())
    model.wait(to)
    return
  }
  // No request during this time: paused, the jobs run at the end; dead, only with another step.
  await house.sleep(to - house.now())
  model.now = to
  if (step.how === 'asleep') await settle(model, real)
}

async function estimate(root: Payment, model: Gateway, { merchant, promises }: Real): Promise<void> {
  const request = merchant.client.updateEstimate({ params: { payment_id: String(root.id) } })
  if (!asksForMoney(root) || model.now >= root.windowEnd || root.isRefunding) {
    expect(await refusal(request)).toBe('CONFLICT')
    return
  }
  model.look(root)
  if (model.isQuoteOver(root)) {
    expect(await refusal(request)).toBe('RATE_UNAVAILABLE')
    return
  }
  const answer = await request
  expect(answer).toMatchObject({
    id: String(root.id),
    pay_amount: numberOf(root.due, root.coin),
    expiration_estimate_date: new Date(root.quoteEnd).toISOString(),
  })
  promises.state(root.id, answer.pay_amount, Date.parse(answer.expiration_estimate_date), model.now)
}

export const page = async ({ house, links }: Real, id: number): Promise<PaymentView> =>
  JSON.parse((await house.server.inject({ method: 'GET', path: `${links.get(id)}/state`, headers: {} })).body)

/** The most important guarantee: a customer who sends exactly the stated amount, in time, has paid. */
async function payStated(root: Payment, model: Gateway, real: Real): Promise<void> {
  const sight = await page(real, root.id)
  model.look(root)
  if (sight.address === '' || sight.phase === 'seen') {
    expect(asksForMoney(root) && !root.isRefunding).toBe(false)
    return
  }
  if (!model.isQuoteOver(root)) expect(sight.until).toBeGreaterThan(model.now)
  // Without current prices the valid amount is unknown.
  else return
  const [whole = '', fraction = ''] = sight.amount.split('.')
  const tx = await send(model, real, root, BigInt(whole + fraction.padEnd(coins[root.coin].decimals, '0')), false)
  // Deposits that are not detected yet come first, and may be tainted, or sufficient by themselves.
  const isAlone = model.txs.every((each) => each === tx || each.state !== 'unseen')
  await settle(model, real)
  await confirmTx(real.house.app, real.ids.get(tx.number) ?? '')
  model.confirmAtOnce(tx)
  await settle(model, real)
  const read = await real.merchant.client.payment({ params: { payment_id: String(root.id) } })
  if (isAlone) expect(['sending', 'finished']).toContain(read.payment_status)
}
