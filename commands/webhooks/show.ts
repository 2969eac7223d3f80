import { Args, bookFlag } from '../../src/cli/framework/flags.ts'
import { webhookMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { ShowCommand, showData } from '../../src/cli/topics/callbacks/show.ts'

export default class WebhooksShow extends ShowCommand {
  static override summary = 'Show the headers and exact bytes of a received webhook'
  static override description = '"countroom webhooks verify" reads the output of --json.'
  static override examples = ['countroom webhooks show 01JC2Z5M8Q4N6R7S9TVWXYZ012']
  static override exits = ['not-found'] as const
  static override completes = { book: 'files' }
  static override args = { id: Args.string({ required: true, description: 'Delivery ID' }) }
  static override flags = { ...bookFlag }
  static override data = showData(webhookMail)
  protected override readonly mail = webhookMail

  override async run() {
    const { args } = await this.parse(WebhooksShow)
    return this.show(args.id)
  }
}
