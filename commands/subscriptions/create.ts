import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { moneyExits } from '../../src/cli/outcome/exit-codes.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { orderedSchema, orderFiles, orderFlags } from '../../src/cli/topics/gateway/order-flags.ts'
import { subscriptionFields } from '../../src/cli/topics/gateway/subscription-fields.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class SubscriptionsCreate extends CountroomCommand {
  static override summary = 'Subscribe a sub-account or an email address to a plan'
  static override description =
    'A sub-account is charged at once and then before each period. A subscriber by email gets a payment page for the first period at once, and for each further period one day before it starts.'
  static override examples = [
    'countroom subscriptions create 5000000197 --subaccount 5000000194',
    'countroom subscriptions create 5000000197 --email ann@mail.example',
  ]
  static override args = { plan: Args.string({ required: true, description: 'Subscription plan ID' }) }
  static override flags = {
    subaccount: Flags.string({ summary: 'Sub-account to charge', helpValue: 'ID', exclusive: ['email'] }),
    email: Flags.string({ summary: 'Email address for payment pages', helpValue: 'ADDRESS' }),
    ...orderFlags,
  }
  static override data = (shapes: Shapes) => orderedSchema(shapes, shapes.gateway.Subscription)

  static override writes = true
  static override exits = moneyExits
  static override files = orderFiles

  override async run() {
    const { args, flags } = await this.parse(SubscriptionsCreate)
    const subscriber = flags.subaccount ?? flags.email
    if (subscriber === undefined)
      throw new Problem('INVALID_USAGE', 'Missing subscriber: pass --subaccount ID or --email ADDRESS')
    const body = {
      subscription_plan_id: args.plan,
      ...definedFields({ sub_partner_id: flags.subaccount, email: flags.email }),
    }
    const { order } = await import('../../src/cli/topics/gateway/order.ts')
    const { reply, order: facts } = await order(this, 'createSubscription', { body }, flags, {
      action: `Subscribe ${subscriber} to plan ${args.plan}`,
      again: { args: [args.plan], flags: { subaccount: flags.subaccount, email: flags.email } },
    })
    if (reply) this.fields(reply.result, subscriptionFields)
    return { ...reply?.result, ...facts }
  }
}
