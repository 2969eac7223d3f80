import { momentFrom } from '../../../src/cli/arguments/moments.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import {
  deliveryChannels,
  deliveryColumns,
  deliveryStates,
  deliveryView,
  deliveryViewSchema,
} from '../../../src/cli/topics/callbacks/delivery-view.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
import type { DeliveryRow } from '../../../src/db/schema/outbox.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleDeliveriesReplay extends WorldCommand {
  static override summary = 'Make deliveries due again'
  static override description =
    'Those named, or those in a state: webhooks to where their tenant is told now, callbacks of the gateway to their own URL. Each keeps its id, so a receiver that had it knows it again, and gets its whole schedule anew.'
  static override examples = [
    'countroom console deliveries replay 01JC2Z5M8Q4N6R7S9TVWXYZ012',
    { command: 'countroom console deliveries replay --state dead --owner DEMO', description: 'All that was given up' },
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { ids: Args.string({ multiple: true, description: 'Delivery ids' }) }
  static override flags = {
    ...dryRunFlag,
    state: Flags.string({ summary: 'Those in this state, instead of ids', options: [...deliveryStates] }),
    channel: Flags.string({ summary: 'Only those of this kind', options: [...deliveryChannels] }),
    owner: Flags.string({ summary: 'Only those of this tenant or merchant', helpValue: 'CODE|ID' }),
    event: Flags.string({ summary: 'Only those of this event', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Only those made since', helpValue: 'ISO' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ replayed: Type.Integer(), deliveries: Type.Array(await deliveryViewSchema()) })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleDeliveriesReplay)
    const ids = (args.ids ?? []).map((id) => id.toUpperCase())
    const state = deliveryStates.find((each) => each === flags.state)
    if (ids.length > 0 === (state !== undefined))
      throw new Problem('INVALID_USAGE', 'Name either delivery ids or a --state')
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const world = await this.world()
    const [{ readDelivery }, { replayDeliveries, replayMatching }] = await Promise.all([
      import('../../../src/outbox/delivery-log.ts'),
      import('../../../src/world/redeliver.ts'),
    ])
    const channel = deliveryChannels.find((each) => each === flags.channel)
    const owner = flags.owner?.toUpperCase()
    const revived =
      ids.length > 0
        ? await replayDeliveries(world, ids)
        : await replayMatching(world, { channel, owner, state, event: flags.event, since })
    let rows: readonly DeliveryRow[] = revived
    if (!this.isDryRun) {
      await world.settle()
      rows = await Promise.all(revived.map(async ({ id }) => (await readDelivery(world, id)).delivery))
    }
    const deliveries = rows.map(deliveryView)
    this.table(deliveries, deliveryColumns, 'Nothing to replay.')
    return { replayed: deliveries.length, deliveries }
  }
}
