import { Problem } from '../../../kit/problem.ts'
import type { SeenDeposit } from '../../../services/gateway/simulator/chain-control.ts'
import { CountroomCommand } from '../../framework/command.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { amountColumn, statusColumn, wholeColumn } from '../gateway/arguments.ts'

/** Base class of chain simulation commands: runs the world's jobs and shows the payment. */
export abstract class ChainCommand extends CountroomCommand {
  protected paymentId(text: string): number {
    if (/^[0-9]{1,15}$/.test(text)) return Number(text)
    throw new Problem('INVALID_USAGE', `A payment_id has decimal digits only; received ${JSON.stringify(text)}`)
  }

  /** Runs all due jobs and shows the payments of the address. */
  protected async after(paymentId: number) {
    const world = await this.services.world()
    if (!this.isDryRun) await world.settle()
    const { listDeposits, paymentsAtAddressOf } = await import('../../../services/gateway/simulator/chain-control.ts')
    const { paymentStandings } = await import('../../../services/gateway/payments/payments.ts')
    const ids = await paymentsAtAddressOf(world.gateway, paymentId)
    const payments = await paymentStandings(world.gateway, ids)
    const deposits = await listDeposits(world.gateway, paymentId)
    this.table(payments, [
      wholeColumn('payment_id', 'payment'),
      statusColumn('payment_status', 'status'),
      amountColumn('pay_amount', 'to pay'),
      amountColumn('actually_paid', 'paid'),
      { key: 'pay_currency', title: 'coin' },
      { key: 'parent_payment_id', title: 'parent payment' },
    ])
    this.log()
    this.table(
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
}

/** Schema of a payment and all deposits to its address. */
export function chainSchema({ Type, gateway }: Shapes) {
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  const deposit = Type.Object({
    txId: Type.String(),
    hash: Type.String(),
    network: Type.String(),
    sender: Type.String(),
    amount: orNull(Type.String({ description: 'Null for a token other than that of the payment.' })),
    contract: orNull(Type.String()),
    confirmations: Type.Integer(),
    needed: Type.Integer(),
    state: Type.Enum(['unseen', 'seen', 'confirmed', 'removed', 'frozen', 'stray']),
    paymentId: orNull(Type.Integer({ description: 'Payment that the deposit counts toward.' })),
  })
  return {
    payments: Type.Array(gateway.Payment, {
      description: 'The payment, and those created by later deposits to its address.',
    }),
    deposits: Type.Array(deposit),
  }
}
