import { coinAmountFault, tickerFault } from '../../../domain/payments/order-faults.ts'
import { refuseFaults } from '../../arguments/validate.ts'
import type { CommandContext } from '../../context/context.ts'
import { jsonAmount } from './arguments.ts'
import { order } from './order.ts'
import { subTransferFields } from './subaccount-fields.ts'

/** Transfers funds between the main account and a sub-account. */
export async function moveFunds(
  context: CommandContext,
  method: 'depositToSub' | 'writeOffSub',
  args: { id: string; amount: string; currency: string },
  flags: { key?: string | undefined },
) {
  refuseFaults([coinAmountFault(args.amount), tickerFault(args.currency)])
  const currency = args.currency.toLowerCase()
  const body = { currency, amount: jsonAmount(args.amount), sub_partner_id: args.id }
  const { reply, order: facts } = await order(context, method, { body }, flags, {
    action: `Transfer ${args.amount} ${currency} ${method === 'depositToSub' ? 'to' : 'from'} sub-account ${args.id}`,
    pays: { amount: args.amount, currency },
    again: { args: [args.id, args.amount, args.currency] },
  })
  if (reply) context.fields(reply.result, subTransferFields)
  return { ...reply?.result, ...facts }
}
