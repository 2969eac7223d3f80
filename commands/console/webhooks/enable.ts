import { dryRunFlag } from '../../../src/cli/flags.ts'
import { tenantArg } from '../../../src/cli/tenant-state.ts'
import { webhookColumns, webhookView, webhookViewSchema } from '../../../src/cli/webhook-view.ts'
import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleWebhooksEnable extends WorldCommand {
  static override summary = 'Start sending webhooks to a tenant; the first time its secret is made'
  static override examples = ['countroom console webhooks enable DEMO', 'countroom console webhooks enable DEMO-SBX']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = webhookViewSchema

  override async run() {
    const { args } = await this.parse(ConsoleWebhooksEnable)
    const { casino } = await this.world()
    const { enableWebhook } = await import('../../../src/casino/webhook-settings.ts')
    const { tenant, hook, isFirst } = await enableWebhook(casino, args.code)
    const view = webhookView(tenant, hook)
    this.fields(view, webhookColumns)
    if (isFirst) this.note(`A secret was made: "countroom console webhooks show ${tenant.code} --reveal" shows it.`)
    return view
  }
}
