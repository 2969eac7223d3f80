import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { bookFlag, Flags, listFlags, moreThere } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { CallbackCommand } from '../../src/cli/topics/callbacks/command.ts'
import { webhookMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { receivedView, receivedViewSchema } from '../../src/cli/topics/callbacks/view.ts'

export default class WebhooksList extends CallbackCommand {
  static override summary = 'List received webhooks, newest first'
  static override examples = [
    'countroom webhooks list',
    'countroom webhooks list --event round.voided --since 2026-03-01 --json',
  ]
  static override completes = { book: 'files' }
  static override flags = {
    event: Flags.string({ summary: 'Webhooks of this event only', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Received at or after this time', helpValue: 'ISO' }),
    unforwarded: Flags.boolean({ summary: 'Webhooks that no target has accepted yet' }),
    limit: Flags.integer({ summary: 'Maximum number of results', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ webhooks: Type.Array(receivedViewSchema(shapes, webhookMail)), more: Type.Boolean(moreThere) })
  }
  protected override readonly mail = webhookMail

  override async run() {
    const { flags } = await this.parse(WebhooksList)
    const { event, unforwarded, limit } = flags
    const { channel } = this.mail.form
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const book = await this.bookIfThere()
    const { listCallbacks } = await import('../../src/operator/callbacks/inbox.ts')
    const asked = { channel, event, since, unforwarded, limit: limit + 1, newestFirst: true }
    const { rows, more } = this.upTo(limit, book ? await listCallbacks(book, asked) : [])
    const webhooks = rows.map((row) => receivedView(this.mail, row))
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
