import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { receivedViewSchema } from '../../src/cli/topics/callbacks/view.ts'

export default class WebhooksList extends CountroomCommand {
  static override summary = 'List received webhooks, newest first'
  static override examples = [
    'countroom webhooks list',
    'countroom webhooks list --event round.voided --since 2026-03-01 --json',
  ]
  static override completes = { book: 'files' }
  static override flags = {
    event: Flags.string({ summary: 'Webhooks of this event only', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
    unforwarded: Flags.boolean({ summary: 'Only webhooks that no target has accepted yet' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      webhooks: Type.Array(receivedViewSchema(shapes, webhookTopic)),
      more: Type.Boolean(moreThere),
    })
  }

  override async run() {
    const { flags } = await this.parse(WebhooksList)
    const { event, unforwarded, limit } = flags
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const { listReceived } = await import('../../src/cli/topics/callbacks/list.ts')
    const { rows: webhooks, more } = await listReceived(this, webhookTopic, { event, since, unforwarded, limit })
    const columns = [
      'receivedAt',
      'event',
      { key: 'deliveryId', whole: true },
      'companyCode',
      { key: 'copies', kind: 'count' as const },
      'forwardedAt',
      'forwardError',
    ]
    this.table(webhooks, columns, 'No webhooks match. To receive webhooks: countroom webhooks listen')
    return { webhooks, more }
  }
}
