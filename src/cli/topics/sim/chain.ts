import { isAddressSomewhere } from '../../../domain/chains/addresses.ts'
import { Problem } from '../../../kit/problem.ts'
import { depositTo, refundPayment, removeDeposit, sanction } from '../../../services/gateway/admin/platform.ts'
import { paymentStandings } from '../../../services/gateway/payments/payments.ts'
import {
  confirmDeposits,
  confirmTx,
  contractNamed,
  listDeposits,
  paymentsAtAddressOf,
  type SeenDeposit,
  takeableDeposit,
} from '../../../services/gateway/simulator/chain-control.ts'
import type { CommandContext } from '../../context/context.ts'
import { amountColumn, statusColumn, wholeColumn } from '../gateway/arguments.ts'

/** Runs all due jobs and shows the payments of the address and its deposits. */
export async function showChain(context: CommandContext, paymentId: number) {
  const world = await context.services.world()
  if (!context.isDryRun) await world.settle()
  const ids = await paymentsAtAddressOf(world.gateway, paymentId)
  const payments = await paymentStandings(world.gateway, ids)
  const deposits = await listDeposits(world.gateway, paymentId)
  context.table(payments, [
    wholeColumn('payment_id', 'payment'),
    statusColumn('payment_status', 'status'),
    amountColumn('pay_amount', 'to pay'),
    amountColumn('actually_paid', 'paid'),
    { key: 'pay_currency', title: 'coin' },
    { key: 'parent_payment_id', title: 'parent payment' },
  ])
  context.log()
  context.table(
    deposits,
    [
      wholeColumn('txId', 'deposit'),
      statusColumn('state'),
      { key: 'amount', kind: 'amount', show: (amount) => String(amount ?? 'other token') },
      { key: 'confirmations', kind: 'count' },
      { key: 'needed', kind: 'count' },
      { key: 'paymentId', title: 'payment' },
    ],
    'No deposits to this address.',
  )
  return { payments, deposits: deposits as readonly SeenDeposit[] }
}

interface DepositFlags {
  readonly amount?: string | undefined
  readonly sender?: string | undefined
  readonly contract?: string | undefined
  readonly sanctioned?: boolean
  readonly confirm?: boolean
}

/** Sends money to the address of a payment. */
export async function depositToPayment(context: CommandContext, id: number, flags: DepositFlags) {
  const { gateway } = await context.services.world()
  const other = flags.contract === undefined ? {} : { contract: await contractNamed(gateway, id, flags.contract) }
  const row = await depositTo(gateway, id, {
    ...(flags.amount === undefined ? {} : { amount: flags.amount }),
    ...(flags.sender === undefined ? {} : { sender: flags.sender }),
    ...(flags.sanctioned ? { isSanctioned: true } : {}),
    ...other,
  })
  if (flags.confirm) await confirmTx(gateway, row.id)
  return { txId: row.id, hash: row.hash, ...(await showChain(context, id)) }
}

/** Adds the confirmations that the deposits of a payment need. */
export async function confirmPayment(context: CommandContext, id: number) {
  const { gateway } = await context.services.world()
  const { confirmed } = await confirmDeposits(gateway, id)
  return { confirmed, ...(await showChain(context, id)) }
}

/** Removes a deposit from its chain: the named one, else one that can be removed. */
export async function reorganize(context: CommandContext, id: number, tx: string | undefined) {
  const { gateway } = await context.services.world()
  const txId = tx ?? (await takeableDeposit(gateway, id))
  await removeDeposit(gateway, txId)
  return { txId, ...(await showChain(context, id)) }
}

/** Sends the money of a payment back. */
export async function refund(context: CommandContext, id: number, to: string | undefined) {
  const { gateway } = await context.services.world()
  const { refunded, currency } = await refundPayment(gateway, id, to)
  context.footnote('The refund is sent. To confirm it, add the blocks of an hour: countroom console clock advance 1h')
  return { refunded, currency, ...(await showChain(context, id)) }
}

/** Puts an address on the sanctions list. */
export async function sanctionAddress(context: CommandContext, address: string) {
  if (!isAddressSomewhere(address)) throw new Problem('INVALID_ADDRESS', `${address} is not an address of any network`)
  const { gateway } = await context.services.world()
  await sanction(gateway, address)
  context.log(`${address} is on the sanctions list.`)
  return { address }
}
