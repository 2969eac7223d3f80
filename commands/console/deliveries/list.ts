import { momentFrom } from '../../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, Flags, listFlags, moreThere } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import {
  deliveryChannels,
  deliveryColumns,
  deliveryState,
  deliveryStateNames,
  deliveryView,
  deliveryViewSchema,
} from '../../../src/cli/topics/callbacks/delivery-view.ts'

export default class ConsoleDeliveriesList extends CountroomCommand {
  static override summary = 'List the callbacks to tenants and merchants, newest first'
  static override description = 'Delivered and failed callbacks stay in the list for 30 days.'
  static override examples = [
    'countroom console deliveries list',
    'countroom console deliveries list DEMO --state failed --since 2026-03-01',
    'countroom console deliveries list --channel merchant-ipn',
  ]
  static override args = {
    owner: Args.string({ description: 'Company code or merchant ID (default: all)' }),
  }
  static override flags = {
    channel: Flags.string({ summary: 'Deliveries of this channel only', options: [...deliveryChannels] }),
    state: Flags.string({ summary: 'Deliveries in this state only', helpValue: deliveryStateNames }),
    event: Flags.string({ summary: 'Deliveries of this event only', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Deliveries created at or after this time', helpValue: 'ISO' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 10_000, helpValue: 'N' }),
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ deliveries: Type.Array(deliveryViewSchema(shapes)), more: Type.Boolean(moreThere) })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleDeliveriesList)
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const state = deliveryState(flags.state)
    const channel = deliveryChannels.find((each) => each === flags.channel)
    const world = await this.services.world()
    const { listDeliveries } = await import('../../../src/outbox/delivery-log.ts')
    const owner = args.owner?.toUpperCase()
    const query = { channel, owner, state, event: flags.event, since, limit: flags.limit + 1 }
    const { rows, more } = this.upTo(flags.limit, await listDeliveries(world, query))
    const deliveries = rows.map(deliveryView)
    this.table(deliveries, deliveryColumns)
    return { deliveries, more }
  }
}
