import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { listenFlags } from '../../src/cli/topics/callbacks/flags.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { listenSchema } from '../../src/cli/topics/callbacks/view.ts'

export default class WebhooksListen extends CountroomCommand {
  static override summary = 'Receive webhooks of the casino platform, store them and forward them'
  static override description = [
    'Verifies the signature and its time (300 seconds), stores the exact bytes and headers in the book, and only then acknowledges. Duplicates are acknowledged and counted.',
    'With --forward, webhooks are forwarded unchanged, one after another. Those that your program does not accept stay in the book for "countroom webhooks replay --unforwarded".',
    'Accepts any path. To receive from a remote platform, put it behind your own HTTPS proxy.',
  ].join('\n\n')
  static override examples = [
    'countroom webhooks listen --port 8790',
    'countroom webhooks listen --port 8790 --forward http://127.0.0.1:3000/casino',
    {
      command: 'countroom webhooks listen --secret-file - < secret.txt --json',
      description: 'Print one JSON line per webhook',
    },
  ]
  static override exits = ['configuration', 'stopped'] as const
  static override streams = true
  static override files = ['the book: received webhooks']
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override flags = listenFlags(8790)
  static override data = listenSchema

  override async run() {
    const { flags } = await this.parse(WebhooksListen)
    const { listenForCallbacks } = await import('../../src/cli/topics/callbacks/listen.ts')
    return listenForCallbacks(this, webhookTopic, flags)
  }
}
