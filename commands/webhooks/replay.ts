import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { webhookMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { ReplayCommand, replayData, replayFlags } from '../../src/cli/topics/callbacks/replay.ts'

export default class WebhooksReplay extends ReplayCommand {
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
    event: Flags.string({ summary: 'Only those of this event', helpValue: 'NAME' }),
    ...replayFlags,
  }
  static override data = replayData(webhookMail)
  protected override readonly mail = webhookMail

  override async run() {
    const { args, flags } = await this.parse(WebhooksReplay)
    return this.replay(args.ids, flags, { event: flags.event })
  }
}
