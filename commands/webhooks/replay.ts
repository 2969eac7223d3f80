import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, Flags } from '../../src/cli/framework/flags.ts'
import { replayFlags } from '../../src/cli/topics/callbacks/flags.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { replaySchema } from '../../src/cli/topics/callbacks/view.ts'

export default class WebhooksReplay extends CountroomCommand {
  static override summary = 'Send stored webhooks again'
  static override description =
    'Sends the named webhooks, or all that match the flags, with their exact bytes and headers, in the order they first arrived. Receivers reject signatures older than 300 seconds, so an expired signature is renewed over the same bytes, and the output marks it. createdAt in the body does not change.'
  static override examples = [
    'countroom webhooks replay --to http://127.0.0.1:3000/casino --unforwarded',
    'countroom webhooks replay 01JC2Z5M8Q4N6R7S9TVWXYZ012 --to https://ops.example.com/casino',
  ]
  static override exits = ['not-found', 'temporary', 'partial', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = { ids: Args.string({ multiple: true, description: 'Delivery IDs' }) }
  static override flags = {
    event: Flags.string({ summary: 'Webhooks of this event only', helpValue: 'NAME' }),
    ...replayFlags,
  }
  static override data = replaySchema(webhookTopic)

  override async run() {
    const { args, flags } = await this.parse(WebhooksReplay)
    const { replayStored } = await import('../../src/cli/topics/callbacks/replay.ts')
    return replayStored(this, webhookTopic, args.ids, flags, { event: flags.event })
  }
}
