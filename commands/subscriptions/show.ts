import { GatewayCommand } from '../../src/cli/gateway-command.ts'
import { idArg } from '../../src/cli/gateway-words.ts'
import { subscriptionFields } from '../../src/cli/subscription-words.ts'

export default class SubscriptionsShow extends GatewayCommand {
  static override summary = 'Show a subscription'
  static override examples = ['countroom subscriptions show 5000000198']
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override args = idArg('The id of the subscription')
  static override data = async () => (await import('../../src/gateway/shapes.ts')).Subscription

  override async run() {
    const { args } = await this.parse(SubscriptionsShow)
    const { gateway } = await this.gateway()
    const { result } = await gateway.subscription({ params: { id: args.id } })
    this.fields(result, [...subscriptionFields, { key: 'created_at', title: 'created' }])
    return result
  }
}
