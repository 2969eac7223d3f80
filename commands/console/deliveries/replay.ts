import { momentFrom } from '../../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import {
  deliveryChannels,
  deliveryColumns,
  deliveryState,
  deliveryStateNames,
  deliveryView,
  deliveryViewSchema,
} from '../../../src/cli/topics/callbacks/delivery-view.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleDeliveriesReplay extends CountroomCommand {
  static override summary = 'Send deliveries again'
  static override description =
    'Takes delivery IDs, or all deliveries in a state. Webhooks go to the current URL of their tenant, IPNs of the gateway to their original URL. A delivery keeps its ID, so that the receiver can skip duplicates, and starts its retry schedule again.'
  static override examples = [
    'countroom console deliveries replay 01JC2Z5M8Q4N6R7S9TVWXYZ012',
    {
      command: 'countroom console deliveries replay --state failed --owner DEMO',
      description: 'Replay all failed deliveries',
    },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { ids: Args.string({ multiple: true, description: 'Delivery IDs' }) }
  static override flags = {
    ...dryRunFlag,
    state: Flags.string({ summary: 'All deliveries in this state, instead of IDs', helpValue: deliveryStateNames }),
    channel: Flags.string({ summary: 'Deliveries of this channel only', options: [...deliveryChannels] }),
    owner: Flags.string({ summary: 'Deliveries of this tenant or merchant only', helpValue: 'CODE|ID' }),
    event: Flags.string({ summary: 'Deliveries of this event only', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Deliveries created at or after this time', helpValue: 'ISO' }),
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ replayed: Type.Integer(), deliveries: Type.Array(deliveryViewSchema(shapes)) })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleDeliveriesReplay)
    const ids = (args.ids ?? []).map((id) => id.toUpperCase())
    const state = deliveryState(flags.state)
    if (ids.length > 0 === (state !== undefined))
      throw new Problem('INVALID_USAGE', 'Pass either delivery IDs or --state')
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const world = await this.services.world()
    const { afterSettling, replayDeliveries, replayMatching } = await import('../../../src/world/redeliver.ts')
    const channel = deliveryChannels.find((each) => each === flags.channel)
    const owner = flags.owner?.toUpperCase()
    const redelivered =
      ids.length > 0
        ? await replayDeliveries(world, ids)
        : await replayMatching(world, { channel, owner, state, event: flags.event, since })
    const rows = this.isDryRun ? redelivered : await afterSettling(world, redelivered)
    const deliveries = rows.map(deliveryView)
    this.table(deliveries, deliveryColumns, 'Nothing to replay.')
    return { replayed: deliveries.length, deliveries }
  }
}
