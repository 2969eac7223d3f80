import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { merchantFlags, merchantOf } from '../../../src/cli/topics/console/merchant.ts'
import { subscriptionFields } from '../../../src/cli/topics/gateway/subscription-fields.ts'

export default class ConsoleMerchantsSubscription extends CountroomCommand {
  static override summary = 'Pause or resume the charges of a subscription'
  static override examples = ['countroom console merchants subscription 5000000198 pause']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = {
    id: Args.string({ required: true, description: 'Subscription ID' }),
    change: Args.string({ required: true, description: 'Change', options: ['pause', 'resume'] }),
  }
  static override flags = { ...dryRunFlag, ...merchantFlags }
  static override data = ({ gateway }: Shapes) => gateway.Subscription

  override async run() {
    const { args, flags } = await this.parse(ConsoleMerchantsSubscription)
    const { gateway } = await this.services.world()
    const { pauseSubscription } = await import('../../../src/services/gateway/subscriptions.ts')
    const change = args.change === 'pause' ? ('pause' as const) : ('resume' as const)
    const result = await pauseSubscription(gateway, await merchantOf(this, flags), args.id, change)
    this.fields(result, subscriptionFields)
    return result
  }
}
