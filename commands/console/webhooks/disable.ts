import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { webhookColumns, webhookView, webhookViewSchema } from '../../../src/cli/topics/callbacks/webhook-view.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleWebhooksDisable extends CountroomCommand {
  static override summary = 'Disable the webhooks of a tenant'
  static override description =
    'Pending webhooks fail at their next attempt; "countroom console deliveries replay" sends them again. URL, events and secret are kept.'
  static override examples = ['countroom console webhooks disable DEMO']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = webhookViewSchema

  override async run() {
    const { args } = await this.parse(ConsoleWebhooksDisable)
    const { casino } = await this.services.world()
    const { disableWebhook } = await import('../../../src/services/casino/admin/webhook-settings.ts')
    const { tenant, hook } = await disableWebhook(casino, args.code)
    const view = webhookView(tenant, hook)
    this.fields(view, webhookColumns)
    return view
  }
}
