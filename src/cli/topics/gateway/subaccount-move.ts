import { refuseFaults } from '../../arguments/validate.ts'
import { Args } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column } from '../../terminal/table.ts'
import { coinAmountFault, jsonAmount, statusColumn, tickerFault, wholeColumn } from './arguments.ts'
import { OrderCommand, orderedSchema, orderFlags } from './order-command.ts'

export const subMoveArgs = {
  id: Args.string({ required: true, description: 'Sub-account ID' }),
  amount: Args.string({ required: true, description: 'Amount' }),
  currency: Args.string({ required: true, description: 'Coin code' }),
}

export const subTransferFields: readonly Column[] = [
  wholeColumn('id', 'transfer'),
  statusColumn('status'),
  wholeColumn('from_sub_id', 'from'),
  wholeColumn('to_sub_id', 'to'),
  { key: 'amount', kind: 'amount' },
  { key: 'currency' },
]

/** Base class of transfers between the main account and a sub-account. */
export abstract class SubMoveCommand extends OrderCommand {
  static override args = subMoveArgs
  static override flags = { ...orderFlags }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.SubTransfer)

  protected async moveFunds(
    way: 'depositToSub' | 'writeOffSub',
    args: { id: string; amount: string; currency: string },
    flags: { key?: string | undefined },
  ) {
    refuseFaults([coinAmountFault(args.amount), tickerFault(args.currency)])
    const currency = args.currency.toLowerCase()
    const body = { currency, amount: jsonAmount(args.amount), sub_partner_id: args.id }
    const { reply, order } = await this.order(way, { body }, flags, {
      order: `Transfer ${args.amount} ${currency} ${way === 'depositToSub' ? 'to' : 'from'} sub-account ${args.id}`,
      pays: { amount: args.amount, currency },
      again: { args: [args.id, args.amount, args.currency] },
    })
    if (reply) this.fields(reply.result, subTransferFields)
    return { ...reply?.result, ...order }
  }
}
