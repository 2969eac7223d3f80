import type { ChainTransferRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Tx } from '../../../db/store.ts'
import { contractOf } from '../../../domain/chains/coins.ts'
import { networks } from '../../../domain/chains/networks.ts'
import { times } from '../../../domain/money.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { moved } from '../../../domain/payments/ledger.ts'
import { serviceFee } from '../../../domain/payments/payment.ts'
import { converted, transferFeeIn } from '../../../domain/payments/rates.ts'
import { accountOf, postOrThrow } from '../ledger.ts'
import { merchantCoins } from '../queries/merchants.ts'
import { insertTransfer, paymentOf, queuedTransfers, saveTransfer, transferOf } from '../queries/payments.ts'
import { theCoin } from '../rates/currencies.ts'
import { latestRates } from '../rates/rates.ts'
import type { ChainReport, Gateway } from '../service.ts'
import { recordPaidBack, recordRefunded } from './sent-back.ts'
import { advance } from './transitions.ts'

/**
 * Settles a payment: deducts our fee, converts if requested, and sends to the registered wallet. The funds stay in
 * custody without a wallet, or when the network's fee would use them up. An expired payment settles its received part
 * in the same way and is final at once.
 */
export async function settle(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  payment: PaymentRow,
  received: bigint,
  end: 'finished' | 'expired' = 'finished',
): Promise<void> {
  const { environment, pay_currency: paid } = payment
  const rates = await latestRates(app, tx)
  const fee = times(received, serviceFee)
  const net = received - fee
  const exchanged = converted(rates, net, paid, payment.outcome_currency)
  // Without a price the coin is not converted and stays in custody: received money cannot wait for rates.
  const [outcome, units] = exchanged === undefined ? [paid, net] : [payment.outcome_currency, exchanged]
  const target = await targetOf(tx, merchant, { ...payment, outcome_currency: outcome })
  const transferFee = transferFeeIn(rates, theCoin(outcome))
  const isWorthSending = exchanged !== undefined && transferFee !== undefined && units > transferFee
  const wallet = isWorthSending ? target.wallet : undefined
  const into = wallet === undefined ? target.account : accountOf('held', merchant.id, outcome)
  const pending = accountOf('pending', merchant.id, paid)
  const entries = [
    ...moved(pending, accountOf('fees', environment, paid), fee),
    ...(paid === outcome
      ? moved(pending, into, net)
      : [
          ...moved(pending, accountOf('exchange', environment, paid), net),
          ...moved(accountOf('exchange', environment, outcome), into, units),
        ]),
  ]
  await postOrThrow(app, tx, entries, `payment/${payment.id}`)
  if (wallet === undefined || transferFee === undefined) {
    await advance(app, tx, payment, end, {
      outcome_amount: amountText(units, outcome),
      outcome_currency: outcome,
    })
    return
  }
  await queue(app, tx, payment, { kind: 'settlement', coin: outcome, address: wallet, units, fee: transferFee })
  const status = end === 'finished' ? 'sending' : end
  await advance(app, tx, payment, status, { outcome_amount: amountText(units - transferFee, outcome) })
}

/** Returns the target of a payment's funds: a sub-account, the wallet registered for the outcome's coin, or custody. */
async function targetOf(tx: Tx, merchant: MerchantRow, payment: PaymentRow) {
  if (payment.subaccount !== null)
    return { account: accountOf('sub', payment.subaccount, payment.outcome_currency), wallet: undefined }
  const registered = (await merchantCoins(tx, merchant.id)).find(({ coin }) => coin === payment.outcome_currency)
  return {
    account: accountOf('available', merchant.id, payment.outcome_currency),
    wallet: registered?.wallet ?? undefined,
  }
}

interface SettlementPlan {
  readonly kind: ChainTransferRow['kind']
  readonly coin: string
  readonly address: string
  readonly units: bigint
  readonly fee: bigint
}

async function queue(app: Gateway, tx: Tx, payment: PaymentRow, plan: SettlementPlan): Promise<void> {
  await insertTransfer(tx, {
    id: app.id(),
    environment: payment.environment,
    merchant: payment.merchant,
    kind: plan.kind,
    payment_id: payment.id,
    coin: plan.coin,
    address: plan.address,
    units: String(plan.units),
    fee_units: String(plan.fee),
    hash: null,
    state: 'queued',
    created_at: tx.now,
    contract: null,
  })
}

/** Sends queued transfers to their chains and returns their number. Each is sent once, however often this runs. */
export async function sendQueued(app: Gateway, limit: number): Promise<number> {
  const queued = await app.store.read((reader) => queuedTransfers(reader, limit))
  for (const transfer of queued) {
    const coin = theCoin(transfer.coin)
    const hash = await app.chains.send({
      id: transfer.id,
      environment: transfer.environment,
      network: coin.network,
      recipient: transfer.address,
      contract: transfer.contract ?? contractOf(coin, transfer.environment),
      units: BigInt(transfer.units) - BigInt(transfer.fee_units),
    })
    await app.store.write(async (tx) => {
      // Another process may have sent it already.
      if ((await transferOf(tx, transfer.id))?.state === 'queued')
        await saveTransfer(tx, transfer.id, { hash, state: 'sent' })
    })
  }
  return queued.length
}

/** Processes a chain's report of our transfer. Once it is confirmed, its payment is finished or refunded. */
export async function recordSentTransfer(app: Gateway, tx: Tx, report: ChainReport): Promise<void> {
  const transfer = await transferOf(tx, report.id)
  if (!transfer || transfer.state === 'done' || report.isRemoved) return
  if (report.confirmations < networks[report.network].confirmations) return
  await saveTransfer(tx, transfer.id, { state: 'done', hash: report.hash })
  // A token that is no coin of the gateway was never posted.
  if (transfer.kind === 'return') return recordPaidBack(app, tx, transfer.id)
  const fee = BigInt(transfer.fee_units)
  const held = accountOf('held', transfer.merchant, transfer.coin)
  await postOrThrow(
    app,
    tx,
    [
      ...moved(held, accountOf('chain', transfer.environment, transfer.coin), BigInt(transfer.units) - fee),
      ...moved(held, accountOf('network', transfer.environment, transfer.coin), fee),
    ],
    `transfer/${transfer.id}`,
  )
  const payment = await paymentOf(tx, transfer.payment_id)
  if (!payment) return
  if (transfer.kind === 'refund') await recordRefunded(app, tx, transfer.id, payment)
  // The transfer of an expired payment's received part does not change its status.
  else if (payment.status === 'sending') await advance(app, tx, payment, 'finished')
}
