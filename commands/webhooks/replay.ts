import { Args, dryRunFlag, Flags } from '../../src/cli/flags.ts'
import { momentFrom } from '../../src/cli/moments.ts'
import { bookFlag, forwardUrl, secretFlag, WebhookCommand } from '../../src/cli/webhook-command.ts'
import type { Replayed } from '../../src/jobs/webhook-replay.ts'
import { Problem } from '../../src/kit/problem.ts'

const mostAtOnce = 100_000

export default class WebhooksReplay extends WebhookCommand {
  static override summary = 'Send webhooks of the book again, to a program of yours'
  static override description =
    'With their exact bytes and headers, in the order in which they first came: those named, or all that the flags leave. A receiver refuses a signature older than 300 seconds, so where it has run out it is made anew over the same bytes, and the row says so; createdAt inside stays what it was.'
  static override examples = [
    'countroom webhooks replay --to http://127.0.0.1:3000/casino --unforwarded',
    'countroom webhooks replay 01JC2Z5M8Q4N6R7S9TVWXYZ012 --to https://ops.example.com/casino',
  ]
  static override exits = ['not-found', 'temporary', 'partial', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = { ids: Args.string({ multiple: true, description: 'Delivery ids' }) }
  static override flags = {
    to: Flags.string({ summary: 'Where to send', required: true, helpValue: 'URL' }),
    event: Flags.string({ summary: 'Only those of this event', helpValue: 'NAME' }),
    since: Flags.string({ summary: 'Only those received since', helpValue: 'ISO' }),
    unforwarded: Flags.boolean({ summary: 'Only those that nothing has taken yet' }),
    ...dryRunFlag,
    ...secretFlag,
    ...bookFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const row = Type.Object({
      deliveryId: Type.String(),
      event: Type.String(),
      status: Type.Union([Type.Integer(), Type.Null()]),
      error: Type.Union([Type.String(), Type.Null()]),
      resigned: Type.Boolean({ description: 'Whether its signature had run out and was made anew' }),
    })
    return Type.Object({
      to: Type.String(),
      taken: Type.Integer(),
      resigned: Type.Integer(),
      webhooks: Type.Array(row),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(WebhooksReplay)
    const to = forwardUrl(flags.to, '--to')
    const since = flags.since === undefined ? undefined : momentFrom(flags.since)
    const book = await this.bookIfThere()
    const [{ listWebhooks }, { openForwarder }, { hasRunOut, replayWebhooks }] = await Promise.all([
      import('../../src/book/webhooks.ts'),
      import('../../src/jobs/webhook-forward.ts'),
      import('../../src/jobs/webhook-replay.ts'),
    ])
    const { event, unforwarded } = flags
    const ids = args.ids && args.ids.length > 0 ? args.ids : undefined
    const rows = book ? await listWebhooks(book, { ids, event, since, unforwarded, limit: mostAtOnce }) : []
    const missing = ids?.find((id) => !rows.some((row) => row.delivery_id === id))
    if (missing !== undefined) throw new Problem('NOT_FOUND', `There is no webhook ${missing} in the book`)
    const old = rows.filter((row) => hasRunOut(row, Date.now()))
    const secret = old.length > 0 ? await this.secret(flags['secret-file']) : undefined
    if (old.length > 0)
      this.note(`${old.length} of ${rows.length} signatures are older than 300 seconds and are made anew.`)
    this.note(`${this.isDryRun ? 'Would send' : 'Sending'} ${rows.length} to ${to}`)
    const webhooks: Replayed[] = []
    if (this.isDryRun || !book)
      for (const row of rows)
        webhooks.push({
          deliveryId: row.delivery_id,
          event: row.event,
          status: null,
          error: null,
          resigned: old.includes(row),
        })
    else {
      const forwarder = openForwarder(to)
      this.closeLater(() => forwarder.close())
      const progress = this.progress('Sending', rows.length)
      for await (const replayed of replayWebhooks({ book, forwarder, secret, now: Date.now }, rows)) {
        webhooks.push(replayed)
        progress.update(webhooks.length)
        if (this.stop.aborted) break
      }
      progress.end(`${webhooks.length} sent`)
    }
    const failed = webhooks.filter((row) => row.error !== null)
    this.table(webhooks, ['deliveryId', 'event', 'status', 'error', 'resigned'])
    if (failed.length > 0)
      this.endWith(
        failed.length < webhooks.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
        `${failed.length} of ${webhooks.length} were not taken`,
        { failed: failed.length },
      )
    const taken = this.isDryRun ? 0 : webhooks.length - failed.length
    return { to, taken, resigned: webhooks.filter((row) => row.resigned).length, webhooks }
  }
}
