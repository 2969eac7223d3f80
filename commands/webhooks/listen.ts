import { webhookMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { ListenCommand, listenData, listenFlags } from '../../src/cli/topics/callbacks/listen.ts'

export default class WebhooksListen extends ListenCommand {
  static override summary = "Receive the platform's webhooks, keep them, and hand them on"
  static override description =
    'Each is checked for its signature and the 300 seconds around it, kept in the book with its exact bytes and headers, and only then acknowledged; a delivery id that is there already is acknowledged and counted. With --forward it is handed on as it came, one after another; what your own program did not take stays in the book, for "countroom webhooks replay --unforwarded". Any path is taken. Put it behind your own https for a platform elsewhere.'
  static override examples = [
    'countroom webhooks listen --port 8790',
    'countroom webhooks listen --port 8790 --forward http://127.0.0.1:3000/casino',
    {
      command: 'countroom webhooks listen --secret-file - < secret.txt --json',
      description: 'One JSON line a delivery',
    },
  ]
  static override exits = ['configuration', 'stopped'] as const
  static override streams = true
  static override files = ['the book: what was received']
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override flags = listenFlags(8790)
  static override data = listenData
  protected override readonly mail = webhookMail

  override async run() {
    const { flags } = await this.parse(WebhooksListen)
    return this.listen(flags)
  }
}
