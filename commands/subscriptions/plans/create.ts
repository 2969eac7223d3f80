import { refuseFaults } from '../../../src/cli/arguments/validate.ts'
import { Args, Flags } from '../../../src/cli/framework/flags.ts'
import { coinAmountFault, jsonAmount, tickerFault } from '../../../src/cli/topics/gateway/arguments.ts'
import { OrderCommand, orderedSchema, orderFlags } from '../../../src/cli/topics/gateway/order-command.ts'
import { planFields, planLinkFlags, planLinksOf } from '../../../src/cli/topics/gateway/subscription-plan-fields.ts'

export default class SubscriptionsPlansCreate extends OrderCommand {
  static override summary = 'Create a plan: so much, every so many days'
  static override description =
    'Sub-accounts are charged by themselves; subscribers by e-mail are sent a payment page before each period, and need a plan in a fiat currency.'
  static override examples = ['countroom subscriptions plans create "Gold table" 9.99 usd --days 30']
  static override args = {
    title: Args.string({ required: true, description: 'What it is called' }),
    amount: Args.string({ required: true, description: 'The price of a period' }),
    currency: Args.string({ required: true, description: 'The currency of the price' }),
  }
  static override flags = {
    days: Flags.integer({ summary: 'How long a period is', default: 30, min: 1, max: 3650, helpValue: 'N' }),
    ...planLinkFlags,
    ...orderFlags,
  }
  static override data = async () => orderedSchema((await import('../../../src/services/gateway/api/schemas.ts')).Plan)

  override async run() {
    const { args, flags } = await this.parse(SubscriptionsPlansCreate)
    refuseFaults([coinAmountFault(args.amount), tickerFault(args.currency)])
    const body = {
      title: args.title,
      interval_day: flags.days,
      amount: jsonAmount(args.amount),
      currency: args.currency.toLowerCase(),
      ...planLinksOf(flags),
    }
    const { reply, order } = await this.order('createPlan', { body }, flags, {
      order: `Create the plan ${args.title}`,
      again: {
        args: [args.title, args.amount, args.currency],
        flags: {
          days: String(flags.days),
          callback: flags.callback,
          success: flags.success,
          cancel: flags.cancel,
          'partly-paid': flags['partly-paid'],
        },
      },
    })
    if (reply) this.fields(reply.result, planFields)
    return { ...reply?.result, ...order }
  }
}
