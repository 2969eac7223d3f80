import { Type } from 'typebox'
import { isAddressSomewhere } from '../../../domain/chains/addresses.ts'
import { networkCodes } from '../../../domain/chains/networks.ts'
import { durationMs } from '../../../kit/duration.ts'
import { Problem } from '../../../kit/problem.ts'
import { fundMerchant } from '../../../services/gateway/admin/merchant.ts'
import {
  depositTo,
  readDeposits,
  refundPayment,
  removeDeposit,
  sanction,
  setMerchant,
  theMerchant,
} from '../../../services/gateway/admin/platform.ts'
import { sendTestIpn } from '../../../services/gateway/admin/test-ipn.ts'
import { createPayment, paymentStandings } from '../../../services/gateway/payments/payments.ts'
import { createPayouts, decideBatch } from '../../../services/gateway/payouts.ts'
import { ageRates, resetRates, setRate } from '../../../services/gateway/rates/rates.ts'
import {
  addBlocks,
  confirmDeposits,
  confirmTx,
  dropPayout,
  takeableDeposit,
} from '../../../services/gateway/simulator/chain-control.ts'
import type { World } from '../../world.ts'
import { action, settled } from './action.ts'
import { amount, choice, count, flag, gatewayEnvironment, maybeText, payment, text } from './fields.ts'

const merchant = text('Merchant', { maxLength: 40 })
/** Profile that acts for the merchant; only the command needs it. */
const profile = maybeText('Profile', { maxLength: 63 })
const batch = text('Batch', { maxLength: 40 })
const address = (title = 'Address') => text(title, { maxLength: 120 })

/** Runs the work that an action made due, and returns the payment after it. */
async function standingOf(world: World, id: string): Promise<object> {
  await settled(world, undefined)
  const [standing] = await paymentStandings(world.gateway, [Number(id)])
  const { payment_status: status, actually_paid: paid } = standing ?? {}
  return { payment: id, status, paid }
}

async function pay(
  world: World,
  id: string,
  input: { readonly amount?: string; readonly confirm?: boolean; readonly sanctioned?: boolean },
): Promise<object> {
  const { gateway } = world
  const row = await depositTo(gateway, Number(id), {
    ...(input.amount === undefined ? {} : { amount: input.amount }),
    ...(input.sanctioned ? { isSanctioned: true } : {}),
  })
  if (input.confirm) await confirmTx(gateway, row.id)
  return { ...(await standingOf(world, id)), deposit: row.id, sender: row.sender }
}

const paymentActions = {
  'payment.create': action({
    title: 'Create a payment',
    summary: 'Opens a payment that waits for its customer.',
    input: Type.Object({
      merchant,
      price: amount('Price', { default: '100' }),
      priceCurrency: text('Currency', { default: 'usd', maxLength: 20 }),
      payCurrency: text('Coin', { default: 'usdttrc20', maxLength: 20 }),
      order: maybeText('Order ID', { maxLength: 100 }),
      profile,
    }),
    commands: [
      {
        words: 'payments create',
        args: ['price', 'priceCurrency', 'payCurrency'],
        flags: { order: 'order', profile: 'profile' },
      },
    ],
    async run({ world }, input) {
      const { gateway } = world
      const created = await gateway.store.write(async (tx) =>
        createPayment(gateway, tx, await theMerchant(tx, input.merchant), {
          price_amount: input.price,
          price_currency: input.priceCurrency,
          pay_currency: input.payCurrency,
          ...(input.order === undefined ? {} : { order_id: input.order }),
        }),
      )
      const { payment_id: id, pay_amount: due, pay_currency: coin } = created
      return settled(world, { payment: String(id), due, coin })
    },
  }),
  'payment.pay': action({
    title: 'Pay',
    summary: 'Pays the amount that is due, as the customer would.',
    input: Type.Object({
      payment,
      confirm: flag('Confirm at once'),
      sanctioned: flag('From a sanctioned address'),
    }),
    commands: [
      { words: 'sim chain deposit', args: ['payment'], flags: { confirm: 'confirm', sanctioned: 'sanctioned' } },
    ],
    run: ({ world }, { payment: id, ...input }) => pay(world, id, input),
  }),
  'payment.pay-part': action({
    title: 'Pay a part',
    summary: 'Pays an amount of your choice: less, more, or once again.',
    input: Type.Object({ payment, amount: amount('Amount in the coin'), confirm: flag('Confirm at once') }),
    commands: [{ words: 'sim chain deposit', args: ['payment'], flags: { amount: 'amount', confirm: 'confirm' } }],
    run: ({ world }, { payment: id, ...input }) => pay(world, id, input),
  }),
  'payment.pay-late': action({
    title: 'Pay late',
    summary: 'Advances the clock by the given time, past the end of the payment window, and pays then.',
    input: Type.Object({
      payment,
      by: text('After', { default: '8d', maxLength: 40 }),
      confirm: flag('Confirm at once'),
    }),
    commands: [
      { words: 'console clock advance', args: ['by'] },
      { words: 'sim chain deposit', args: ['payment'], flags: { confirm: 'confirm' } },
    ],
    async run({ world }, { payment: id, by, ...input }) {
      const span = durationMs(by)
      if (span === undefined)
        throw new Problem('INVALID_USAGE', `Expected a duration such as 8d or 26h; received ${by}`)
      // Throws for an unknown payment, before the clock moves.
      await readDeposits(world.gateway, Number(id))
      await world.clock.advance((await world.clock.now()) + span)
      return pay(world, id, input)
    },
  }),
  'payment.confirm': action({
    title: 'Confirm',
    summary: 'Adds the confirmations that the deposits need, without moving the clock.',
    input: Type.Object({ payment }),
    commands: [{ words: 'sim chain confirm', args: ['payment'] }],
    async run({ world }, { payment: id }) {
      const { confirmed } = await confirmDeposits(world.gateway, Number(id))
      return { ...(await standingOf(world, id)), confirmed }
    },
  }),
  'payment.reorg': action({
    title: 'Reorganize',
    summary: 'Removes the newest deposit with few confirmations from its chain.',
    input: Type.Object({ payment }),
    commands: [{ words: 'sim chain reorg', args: ['payment'] }],
    isDangerous: true,
    async run({ world }, { payment: id }) {
      const txId = await takeableDeposit(world.gateway, Number(id))
      await removeDeposit(world.gateway, txId)
      return { ...(await standingOf(world, id)), removed: txId }
    },
  }),
  'payment.refund': action({
    title: 'Refund',
    summary: 'Sends the money back to the sender, or to the given address.',
    input: Type.Object({ payment, to: maybeText('To address', { maxLength: 120 }) }),
    commands: [{ words: 'sim chain refund', args: ['payment'], flags: { to: 'to' } }],
    async run({ world }, { payment: id, to }) {
      const { refunded, currency } = await refundPayment(world.gateway, Number(id), to)
      return { ...(await standingOf(world, id)), refunded, currency }
    },
  }),
  'address.sanction': action({
    title: 'Sanction an address',
    summary: 'Puts an address on the sanctions list: deposits from it are frozen.',
    input: Type.Object({ address: address() }),
    commands: [{ words: 'sim chain sanction', args: ['address'] }],
    isDangerous: true,
    async run({ world }, input) {
      if (!isAddressSomewhere(input.address))
        throw new Problem('INVALID_ADDRESS', `${input.address} is not an address of any network`)
      await sanction(world.gateway, input.address)
      return settled(world, { address: input.address })
    },
  }),
  'chain.block': action({
    title: 'Add blocks',
    summary: 'Gives every watched transaction of the network that many confirmations.',
    input: Type.Object({
      network: choice('Network', networkCodes),
      blocks: count('Blocks', 1, 10_000, 1),
      environment: gatewayEnvironment,
    }),
    commands: [
      { words: 'sim chain block', args: ['network'], flags: { blocks: 'blocks', environment: 'environment' } },
    ],
    run: async ({ world }, input) =>
      settled(world, await addBlocks(world.gateway, input.environment, input.network, input.blocks)),
  }),
}

function decision(title: string, summary: string, decided: 'approve' | 'reject') {
  return action({
    title,
    summary,
    input: Type.Object({ batch }),
    commands: [
      {
        words: 'console merchants approve',
        args: ['batch'],
        ...(decided === 'reject' ? { fixed: { reject: true as const } } : {}),
      },
    ],
    ...(decided === 'reject' ? { isDangerous: true } : {}),
    run: async ({ world }, input) => settled(world, await decideBatch(world.gateway, input.batch, decided)),
  })
}

export const gatewayActions = {
  ...paymentActions,
  'payout.create': action({
    title: 'Create a payout',
    summary: 'Reserves the funds and the fee. Nothing is sent before the batch is verified with a 2FA code.',
    input: Type.Object({
      merchant,
      address: address('To a whitelisted address'),
      amount: amount('Amount', { default: '10' }),
      coin: text('Coin', { default: 'usdttrc20', maxLength: 20 }),
      profile,
    }),
    commands: [{ words: 'payouts create', args: ['address', 'amount', 'coin'], flags: { profile: 'profile' } }],
    async run({ world }, input) {
      const { gateway } = world
      const { id, withdrawals } = await gateway.store.write(async (tx) =>
        createPayouts(gateway, tx, await theMerchant(tx, input.merchant), {
          withdrawals: [{ address: input.address, currency: input.coin, amount: input.amount }],
        }),
      )
      return settled(world, { batch: id, payout: withdrawals[0]?.id })
    },
  }),
  'payout.approve': decision('Approve', 'Releases a verified batch that waits for an approval.', 'approve'),
  'payout.reject': decision('Reject', 'Rejects the batch and releases its funds.', 'reject'),
  'payout.drop': action({
    title: 'Drop',
    summary: 'The network drops the payout: it fails, and its funds are returned.',
    input: Type.Object({ payout: text('Payout', { maxLength: 40 }) }),
    commands: [{ words: 'sim chain drop', args: ['payout'] }],
    isDangerous: true,
    async run({ world }, input) {
      const { id, hash } = await dropPayout(world.gateway, input.payout)
      return settled(world, { payout: id, hash })
    },
  }),
  'merchant.fund': action({
    title: 'Fund',
    summary: 'Credits funds to the merchant without a deposit.',
    input: Type.Object({ merchant, coin: text('Coin', { default: 'usdttrc20', maxLength: 20 }), amount: amount() }),
    commands: [{ words: 'console merchants fund', args: ['coin', 'amount'], flags: { merchant: 'merchant' } }],
    async run({ world }, input) {
      const available = await fundMerchant(world.gateway, input.merchant, input.coin, input.amount)
      return settled(world, { coin: input.coin, available })
    },
  }),
  'merchant.ipn-url': action({
    title: 'Set the IPN URL',
    summary: 'Sets the default URL of IPNs; "none" removes it.',
    input: Type.Object({ url: text('URL', { maxLength: 2_000 }), merchant }),
    commands: [{ words: 'console merchants ipn url', args: ['url'], flags: { merchant: 'merchant' } }],
    async run({ world }, { url, merchant: id }) {
      const row = await setMerchant(world.gateway, id, { ipnUrl: url === 'none' ? null : url })
      return settled(world, { merchant: row.id, ipnUrl: row.ipn_url })
    },
  }),
  'merchant.ipn-test': action({
    title: 'Send a test IPN',
    summary: 'Sends an IPN with payment_id 0 to the IPN URL of the merchant.',
    input: Type.Object({ merchant }),
    commands: [{ words: 'console merchants ipn test', flags: { merchant: 'merchant' } }],
    run: async ({ world }, input) => settled(world, { delivery: await sendTestIpn(world.gateway, input.merchant) }),
  }),
  'rate.set': action({
    title: 'Set a price',
    summary: 'Sets the US dollar price of an asset for both environments; "none" removes it.',
    input: Type.Object({ asset: text('Asset', { maxLength: 20 }), usd: text('US dollars', { maxLength: 40 }) }),
    commands: [{ words: 'sim rates set', args: ['asset', 'usd'] }],
    async run({ world }, { asset, usd }) {
      await setRate(world.gateway, asset, usd === 'none' ? null : usd)
      return settled(world, { asset, usd })
    },
  }),
  'rate.age': action({
    title: 'Age the prices',
    summary: 'Prices older than 10 minutes are not used: requests that need one fail with RATE_UNAVAILABLE.',
    input: Type.Object({ age: text('Age', { default: '1h', maxLength: 40 }) }),
    commands: [{ words: 'sim rates age', args: ['age'] }],
    async run({ world }, { age }) {
      const ageMs = durationMs(age)
      if (ageMs === undefined)
        throw new Problem('INVALID_USAGE', `The age must be a duration such as 0s, 5m or 1h; received ${age}`)
      const { isFresh } = await ageRates(world.gateway, ageMs)
      return settled(world, { age, tradable: isFresh })
    },
  }),
  'rate.reset': action({
    title: 'Reset the prices',
    summary: 'Restores the built-in prices, which never expire.',
    input: Type.Object({}),
    commands: [{ words: 'sim rates reset' }],
    async run({ world }) {
      const { isFresh } = await resetRates(world.gateway)
      return settled(world, { tradable: isFresh })
    },
  }),
}
