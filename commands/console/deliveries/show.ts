import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { deliveryColumns, deliveryView, deliveryViewSchema } from '../../../src/cli/topics/callbacks/delivery-view.ts'

export default class ConsoleDeliveriesShow extends CountroomCommand {
  static override summary = 'Show the content of a delivery and every attempt to send it'
  static override examples = ['countroom console deliveries show 01JC2Z5M8Q4N6R7S9TVWXYZ012']
  static override exits = ['not-found'] as const
  static override args = { id: Args.string({ required: true, description: 'Delivery ID' }) }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const attempt = Type.Object({
      number: Type.Integer(),
      at: Type.String(),
      tookMs: Type.Integer(),
      status: Type.Union([Type.Integer(), Type.Null()]),
      error: Type.Union([Type.String(), Type.Null()]),
    })
    return Type.Object({
      delivery: deliveryViewSchema(shapes),
      data: Type.Unknown({ description: 'Data of the event. The whole body for an IPN of the gateway.' }),
      attempts: Type.Array(attempt),
    })
  }

  override async run() {
    const { args } = await this.parse(ConsoleDeliveriesShow)
    const world = await this.services.world()
    const { readDelivery } = await import('../../../src/outbox/delivery-log.ts')
    const record = await readDelivery(world, args.id.toUpperCase())
    const delivery = deliveryView(record.delivery)
    const attempts = record.attempts.map((row) => ({
      number: row.number,
      at: new Date(row.at).toISOString(),
      tookMs: row.took_ms,
      status: row.status,
      error: row.error,
    }))
    this.fields(delivery, [...deliveryColumns, 'subject', 'url', 'endedAt', 'revivedBy'])
    this.log()
    if (attempts.length > 0) {
      this.table(attempts, [
        { key: 'number', kind: 'count' },
        'at',
        { key: 'tookMs', kind: 'count' },
        'status',
        'error',
      ])
      this.log()
    }
    const data: unknown = JSON.parse(record.delivery.body)
    this.log(JSON.stringify(data, null, 2))
    return { delivery, data, attempts }
  }
}
