import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { webhookColumns, webhookView, webhookViewSchema } from '../../../src/cli/topics/callbacks/webhook-view.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-state.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleWebhooksSet extends WorldCommand {
  static override summary = 'Say where a tenant is told of which events'
  static override description =
    'The sandbox is a tenant of its own, CODE-SBX, with its own URL and secret. The URL must be https and lead to a public address; a world served on loopback also takes http://127.0.0.1 and http://localhost. What is still owed goes to the new URL. A low balance is warned of only where there is a billing contact.'
  static override examples = [
    'countroom console webhooks set DEMO --url https://ops.example.com/casino --events all',
    'countroom console webhooks set DEMO-SBX --url http://127.0.0.1:8790/ --events bet.settled,round.voided',
    'countroom console webhooks set DEMO --billing-contact billing@example.com --alert-days 10',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override completes = { events: 'events' }
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    url: Flags.string({ summary: 'Where to send', helpValue: 'URL' }),
    events: Flags.string({ summary: 'Which events to send', helpValue: 'all|A,B,…' }),
    'billing-contact': Flags.string({
      summary: 'Who is written to about bills; empty takes it out',
      helpValue: 'MAIL',
    }),
    'alert-days': Flags.integer({
      summary: 'A balance that lasts for fewer days is low',
      min: 1,
      max: 365,
      helpValue: 'N',
    }),
  }
  static override data = webhookViewSchema

  override async run() {
    const { args, flags } = await this.parse(ConsoleWebhooksSet)
    const { url, events } = flags
    const change = { url, billingContact: flags['billing-contact'], alertDays: flags['alert-days'] }
    if (events === undefined && Object.values(change).every((value) => value === undefined))
      throw new Problem('INVALID_USAGE', 'Say what to set: --url, --events, --billing-contact or --alert-days')
    const { casino } = await this.world()
    const { eventsFrom, setWebhook } = await import('../../../src/services/casino/admin/webhook-settings.ts')
    const selected = events === undefined ? undefined : eventsFrom(events)
    const { tenant, hook } = await setWebhook(casino, args.code, { ...change, events: selected })
    const view = webhookView(tenant, hook)
    const missing = view.events.filter((event) => !view.planHas.includes(event))
    if (missing.length > 0) this.warn(`Not sent on this plan: ${missing.join(', ')}`)
    this.fields(view, webhookColumns)
    if (!view.enabled) this.note(`Nothing is sent before "countroom console webhooks enable ${tenant.code}".`)
    return view
  }
}
