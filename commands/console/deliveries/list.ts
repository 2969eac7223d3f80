import { momentFrom } from '../../../src/cli/arguments/moments.ts'
import { Args, Flags, listFlags, moreThere } from '../../../src/cli/framework/flags.ts'
import {
  deliveryChannels,
  deliveryColumns,
  deliveryStates,
  deliveryView,
  deliveryViewSchema,
} from '../../../src/cli/topics/callbacks/delivery-view.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'

export default class ConsoleDeliveriesList extends WorldCommand {
  static override summary = 'List what tenants and merchants are owed, and what became of it, the newest first'
  static override description =
    'What was delivered or given up stays in the list for 30 days. The list shows how things stand before this command itself sends anything.'
  static override examples = [
    'countroom console deliveries list',
    'countroom console deliveries list DEMO --state dead --since 2026-03-01',
    'countroom console deliveries list --channel merchant-ipn',
  ]
  static override args = {
    owner: Args.string({ description: 'A company code or the id of a merchant; all of them when not given' }),
  }
  static override flags = {
    channel: Flags.string({ summary: 'Only those of this kind', options: [...deliveryChannels] }),
    state: Flags.string({ summary: 'Only those in this state', options: [...deliveryStates] }),
    event: Flags.string({ summary: 'Only those of this event', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Only those made since', helpValue: 'ISO' }),
    limit: Flags.integer({ summary: 'At most so many', default: 100, min: 1, max: 10_000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ deliveries: Type.Array(await deliveryViewSchema()), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleDeliveriesList)
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const state = deliveryStates.find((each) => each === flags.state)
    const channel = deliveryChannels.find((each) => each === flags.channel)
    const world = await this.world()
    const { listDeliveries } = await import('../../../src/outbox/delivery-log.ts')
    const owner = args.owner?.toUpperCase()
    const asked = { channel, owner, state, event: flags.event, since, limit: flags.limit + 1 }
    const { rows, more } = this.upTo(flags.limit, await listDeliveries(world, asked))
    const deliveries = rows.map(deliveryView)
    this.table(deliveries, deliveryColumns)
    return { deliveries, more }
  }
}
