import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, bookFlag } from '../../src/cli/framework/flags.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { showSchema } from '../../src/cli/topics/callbacks/view.ts'

export default class WebhooksShow extends CountroomCommand {
  static override summary = 'Show the headers and exact bytes of a received webhook'
  static override description = '"countroom webhooks verify" reads the output of --json.'
  static override examples = ['countroom webhooks show 01JC2Z5M8Q4N6R7S9TVWXYZ012']
  static override exits = ['not-found'] as const
  static override completes = { book: 'files' }
  static override args = { id: Args.string({ required: true, description: 'Delivery ID' }) }
  static override flags = { ...bookFlag }
  static override data = showSchema(webhookTopic)

  override async run() {
    const { args } = await this.parse(WebhooksShow)
    const { showCallback } = await import('../../src/cli/topics/callbacks/show.ts')
    return showCallback(this, webhookTopic, args.id)
  }
}
