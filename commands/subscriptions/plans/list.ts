import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { moreThere } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { gatewayListFlags, listPages } from '../../../src/cli/topics/gateway/list-pages.ts'
import { planFields } from '../../../src/cli/topics/gateway/subscription-plan-fields.ts'

export default class SubscriptionsPlansList extends CountroomCommand {
  static override summary = 'List subscription plans'
  static override examples = ['countroom subscriptions plans list']
  static override exits = ['permission', 'temporary'] as const
  static override flags = { ...gatewayListFlags }
  static override data = ({ Type, gateway }: Shapes) =>
    Type.Object({ plans: Type.Array(gateway.Plan), count: Type.Integer(), more: Type.Boolean(moreThere) })

  override async run() {
    const { flags } = await this.parse(SubscriptionsPlansList)
    const { gateway } = await this.services.gateway()
    let count = 0
    const { rows: plans, more } = await listPages(this, flags.limit, async (limit, _page, offset) => {
      const reply = await gateway.plans({ query: { limit, offset } })
      count = reply.count
      return reply.result
    })
    this.table(plans, planFields, 'No plans.')
    return { plans, count, more }
  }
}
