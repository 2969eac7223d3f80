import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args } from '../../src/cli/framework/flags.ts'
import { webhookTopic } from '../../src/cli/topics/callbacks/topics.ts'
import { tortureFlags } from '../../src/cli/topics/callbacks/torture-flags.ts'
import { tortureSchema } from '../../src/cli/topics/callbacks/torture-view.ts'

export default class WebhooksTorture extends CountroomCommand {
  static override summary = 'Find the shortest sequence of stored webhooks that breaks your handler'
  static override description =
    'Sends stored webhooks to your handler in other orders, twice, late, at the same time, and with answers that are lost, and sends again what it does not accept. Before each run, the command of --reset brings the handler to its start; after it, the command of --probe prints what the handler has done, such as balances. What it prints is compared with the run in the recorded order. The first sequence that ends otherwise is shrunk until no step can be removed or made simpler. Both commands run in the shell. Exits with 9 when the handler breaks, and with 11 when it cannot be judged.'
  static override examples = [
    "countroom webhooks torture --to http://127.0.0.1:3000/callbacks --reset 'npm run db:reset' --probe 'curl -s http://127.0.0.1:3000/balances'",
  ]
  static override exits = ['not-found', 'differences', 'inconclusive', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'IDs of webhooks or of their objects (default: all)' }),
  }
  static override flags = tortureFlags
  static override data = tortureSchema

  override async run() {
    const { args, flags } = await this.parse(WebhooksTorture)
    const { tortureHandler } = await import('../../src/cli/topics/callbacks/torture.ts')
    return tortureHandler(this, webhookTopic, args.ids, flags)
  }
}
