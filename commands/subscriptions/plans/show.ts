import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { idArg } from '../../../src/cli/topics/gateway/arguments.ts'
import { planFields } from '../../../src/cli/topics/gateway/subscription-plan-fields.ts'

export default class SubscriptionsPlansShow extends CountroomCommand {
  static override summary = 'Show a subscription plan'
  static override examples = ['countroom subscriptions plans show 5000000197']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('Subscription plan ID')
  static override data = ({ gateway }: Shapes) => gateway.Plan

  override async run() {
    const { args } = await this.parse(SubscriptionsPlansShow)
    const { gateway } = await this.services.gateway()
    const { result } = await gateway.plan({ params: { id: args.id } })
    this.fields(result, [
      ...planFields,
      { key: 'ipn_callback_url', title: 'IPN URL' },
      { key: 'success_url', title: 'success URL' },
      { key: 'cancel_url', title: 'cancel URL' },
      { key: 'created_at', title: 'created' },
    ])
    return result
  }
}
