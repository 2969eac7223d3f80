import { CountroomCommand } from '../../src/cli/framework/command.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { idArg } from '../../src/cli/topics/gateway/arguments.ts'
import { subscriptionFields } from '../../src/cli/topics/gateway/subscription-fields.ts'

export default class SubscriptionsShow extends CountroomCommand {
  static override summary = 'Show a subscription'
  static override examples = ['countroom subscriptions show 5000000198']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('Subscription ID')
  static override data = ({ gateway }: Shapes) => gateway.Subscription

  override async run() {
    const { args } = await this.parse(SubscriptionsShow)
    const { gateway } = await this.services.gateway()
    const { result } = await gateway.subscription({ params: { id: args.id } })
    this.fields(result, [...subscriptionFields, { key: 'created_at', title: 'created' }])
    return result
  }
}
