import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Flags } from '../../../src/cli/framework/flags.ts'
import { webhookColumns, webhookView, webhookViewSchema } from '../../../src/cli/topics/callbacks/webhook-view.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleWebhooksShow extends CountroomCommand {
  static override summary = 'Show the webhook of a tenant'
  static override description =
    'The secret is masked without --reveal. There is no second factor, because you can already read the database. The mask prevents accidental disclosure.'
  static override examples = [
    'countroom console webhooks show DEMO',
    { command: 'countroom console webhooks show DEMO --reveal', description: 'Show the secret too' },
  ]
  static override exits = ['not-found'] as const
  static override args = tenantArg
  static override flags = { reveal: Flags.boolean({ summary: 'Show the secret' }) }
  static override data = webhookViewSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleWebhooksShow)
    const { casino } = await this.services.world()
    const { readWebhook } = await import('../../../src/services/casino/admin/webhook-settings.ts')
    const { tenant, hook } = await readWebhook(casino, args.code)
    const view = webhookView(tenant, hook, { isRevealed: flags.reveal })
    this.fields(view, webhookColumns)
    return view
  }
}
