import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Flags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { gatewayListFlags, listPages } from '../../src/cli/topics/gateway/list-pages.ts'
import { subscriptionFields } from '../../src/cli/topics/gateway/subscription-fields.ts'
import { subscriptionStatuses } from '../../src/domain/payments/subscription.ts'
import { definedFields } from '../../src/kit/defined-fields.ts'

export default class SubscriptionsList extends CountroomCommand {
  static override summary = 'List subscriptions'
  static override examples = ['countroom subscriptions list --status past_due']
  static override exits = ['permission', 'temporary'] as const
  static override flags = {
    plan: Flags.string({ summary: 'Subscriptions to this plan only', helpValue: 'ID' }),
    status: Flags.string({ summary: 'Subscriptions in this status only', options: [...subscriptionStatuses] }),
    ...gatewayListFlags,
  }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({
      subscriptions: Type.Array(gateway.Subscription),
      count: Type.Integer(),
      more: Type.Boolean(moreThere),
    })

  override async run() {
    const { flags } = await this.parse(SubscriptionsList)
    const { gateway } = await this.services.gateway()
    let count = 0
    const { rows: subscriptions, more } = await listPages(this, flags.limit, async (limit, _page, offset) => {
      const query = { limit, offset, ...definedFields({ subscription_plan_id: flags.plan, status: flags.status }) }
      const reply = await gateway.subscriptions({ query })
      count = reply.count
      return reply.result
    })
    this.table(subscriptions, subscriptionFields, 'No subscriptions.')
    return { subscriptions, count, more }
  }
}
