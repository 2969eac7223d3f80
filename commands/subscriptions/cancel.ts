import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { dangerFlags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { idArg } from '../../src/cli/topics/gateway/arguments.ts'
import { plannedCall } from '../../src/cli/topics/gateway/planned-call.ts'
import { subscriptionFields } from '../../src/cli/topics/gateway/subscription-fields.ts'

export default class SubscriptionsCancel extends CountroomCommand {
  static override summary = 'Cancel a subscription without a refund'
  static override examples = ['countroom subscriptions cancel 5000000198 --yes']
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = idArg('Subscription ID')
  static override flags = { ...dangerFlags }
  static override data = (shapes: Shapes) => {
    const { Type, gateway } = shapes
    return Type.Object({ ...gateway.Subscription.properties, dryRun: Type.Boolean(), request: plannedSchema(shapes) })
  }

  override async run() {
    const { args } = await this.parse(SubscriptionsCancel)
    const { gateway } = await this.services.gateway()
    const params = { id: args.id }
    if (this.isDryRun) {
      const { result } = await gateway.subscription({ params })
      const request = plannedCall('cancelSubscription', { params })
      this.log(plannedText(request))
      this.footnote('Valid; nothing was sent.')
      return { ...result, dryRun: true, request }
    }
    await this.confirmDanger(`Cancel subscription ${args.id}`)
    await gateway.cancelSubscription({ params })
    const { result } = await gateway.subscription({ params })
    this.fields(result, subscriptionFields)
    return { ...result, dryRun: false, request: null }
  }
}
