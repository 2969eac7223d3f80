import { Problem } from '../../../kit/problem.ts'
import type { SeenDeposit } from '../../../services/gateway/simulator/chain-control.ts'
import { WorldCommand } from '../console/command.ts'
import { amountColumn, statusColumn, wholeColumn } from '../gateway/arguments.ts'

/** What moving the pretended chains has in common: the world is let run, and what became of the payment is shown. */
export abstract class ChainCommand extends WorldCommand {
  protected paymentId(text: string): number {
    if (/^[0-9]{1,15}$/.test(text)) return Number(text)
    throw new Problem('INVALID_USAGE', `${JSON.stringify(text)} is not a payment_id: decimal digits`)
  }

  /** Lets everything that is due happen, and tells how the payments of the address stand. */
  protected async after(paymentId: number) {
    const world = await this.world()
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
      { key: 'parent_payment_id', title: 'further to' },
    ])
    this.log()
    this.table(
      deposits,
      [
        wholeColumn('txId', 'deposit'),
        statusColumn('state'),
        { key: 'amount', kind: 'amount', show: (amount) => String(amount ?? 'another token') },
        { key: 'confirmations', kind: 'count', title: 'deep' },
        { key: 'needed', kind: 'count', title: 'of' },
        { key: 'paymentId', title: 'counts for' },
      ],
      'Nothing was sent to the address.',
    )
    return { payments, deposits: deposits as readonly SeenDeposit[] }
  }
}

/** The schema of what became of a payment and of all that was sent to its address. */
export async function chainSchema() {
  const [{ Type }, { Payment }] = await Promise.all([
    import('typebox'),
    import('../../../services/gateway/api/schemas.ts'),
  ])
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  const deposit = Type.Object({
    txId: Type.String(),
    hash: Type.String(),
    network: Type.String(),
    sender: Type.String(),
    amount: orNull(Type.String({ description: 'Null for another token than the payment’s' })),
    contract: orNull(Type.String()),
    confirmations: Type.Integer(),
    needed: Type.Integer(),
    state: Type.Enum(['unseen', 'seen', 'confirmed', 'removed', 'frozen', 'stray']),
    paymentId: orNull(Type.Integer({ description: 'The payment it counts toward' })),
  })
  return {
    payments: Type.Array(Payment, { description: 'The payment and those that later deposits to its address became' }),
    deposits: Type.Array(deposit),
  }
}
