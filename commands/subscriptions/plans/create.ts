import { refuseFaults } from '../../../src/cli/arguments/validate.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, Flags } from '../../../src/cli/framework/flags.ts'
import { moneyExits } from '../../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { jsonAmount } from '../../../src/cli/topics/gateway/arguments.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../../src/cli/topics/gateway/order-flags.ts'
import { planFields, planLinkFlags, planLinksOf } from '../../../src/cli/topics/gateway/subscription-plan-fields.ts'
import { coinAmountFault, tickerFault } from '../../../src/domain/payments/order-faults.ts'

export default class SubscriptionsPlansCreate extends CountroomCommand {
  static override summary = 'Create a subscription plan with a price and a period'
  static override description =
    'Sub-accounts are charged automatically. Subscribers by email get a payment page before each period; they need a plan in a fiat currency.'
  static override examples = ['countroom subscriptions plans create "Gold table" 9.99 usd --days 30']
  static override args = {
    title: Args.string({ required: true, description: 'Title of the plan' }),
    amount: Args.string({ required: true, description: 'Price per period' }),
    currency: Args.string({ required: true, description: 'Currency of the price' }),
  }
  static override flags = {
    days: Flags.integer({ summary: 'Length of a period in days', default: 30, min: 1, max: 3650, helpValue: 'N' }),
    ...planLinkFlags,
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.Plan)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

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
    const { order } = await import('../../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createPlan', { body }, flags, {
      action: `Create plan ${args.title}`,
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
    return { ...reply?.result, ...facts }
  }
}
