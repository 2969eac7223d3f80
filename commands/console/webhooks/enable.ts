import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import { webhookColumns, webhookView, webhookViewSchema } from '../../../src/cli/topics/callbacks/webhook-view.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleWebhooksEnable extends CountroomCommand {
  static override summary = 'Enable the webhooks of a tenant'
  static override examples = ['countroom console webhooks enable DEMO', 'countroom console webhooks enable DEMO-SBX']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = webhookViewSchema

  override async run() {
    const { args } = await this.parse(ConsoleWebhooksEnable)
    const { casino } = await this.services.world()
    const { enableWebhook } = await import('../../../src/services/casino/admin/webhook-settings.ts')
    const { tenant, hook, isFirst } = await enableWebhook(casino, args.code)
    const view = webhookView(tenant, hook)
    this.fields(view, webhookColumns)
    if (isFirst)
      this.note(`Created a signing secret. To see it: countroom console webhooks show ${tenant.code} --reveal`)
    return view
  }
}
