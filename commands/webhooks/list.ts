import { Flags, listFlags } from '../../src/cli/flags.ts'
import { momentFrom } from '../../src/cli/moments.ts'
import { receivedView, receivedViewSchema } from '../../src/cli/received-view.ts'
import { bookFlag, WebhookCommand } from '../../src/cli/webhook-command.ts'

export default class WebhooksList extends WebhookCommand {
  static override summary = 'List the webhooks that were received, the newest first'
  static override examples = [
    'countroom webhooks list',
    'countroom webhooks list --event round.voided --since 2026-03-01 --json',
  ]
  static override completes = { book: 'files' }
  static override flags = {
    event: Flags.string({ summary: 'Only those of this event', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Only those received since', helpValue: 'ISO' }),
    unforwarded: Flags.boolean({ summary: 'Only those that nothing has taken yet' }),
    limit: Flags.integer({ summary: 'At most so many', default: 100, min: 1, max: 100_000, helpValue: 'N' }),
    ...bookFlag,
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ webhooks: Type.Array(await receivedViewSchema()) })
  }

  override async run() {
    const { flags } = await this.parse(WebhooksList)
    const { event, unforwarded, limit } = flags
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const book = await this.bookIfThere()
    const { listWebhooks } = await import('../../src/book/webhooks.ts')
    const rows = book ? await listWebhooks(book, { event, since, unforwarded, limit, newestFirst: true }) : []
    const webhooks = rows.map(receivedView)
    this.table(webhooks, [
      'receivedAt',
      'event',
      'deliveryId',
      'companyCode',
      { key: 'copies', kind: 'count' },
      'forwardedAt',
      'forwardError',
    ])
    return { webhooks }
  }
}
