import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { tortureFlags, tortureTexts } from '../../src/cli/topics/callbacks/torture-flags.ts'
import { tortureSchema } from '../../src/cli/topics/callbacks/torture-view.ts'

const { summary, description, examples, args } = tortureTexts(webhookTopic)

export default class WebhooksTorture extends CountroomCommand {
  static override summary = summary
  static override description = description
  static override examples = examples
  static override exits = ['not-found', 'differences', 'inconclusive', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = args
  static override flags = tortureFlags
  static override data = tortureSchema

  override async run() {
    const { args: given, flags } = await this.parse(WebhooksTorture)
    const { tortureHandler } = await import('../../src/cli/topics/callbacks/torture.ts')
    return tortureHandler(this, webhookTopic, given.ids, flags)
  }
}
