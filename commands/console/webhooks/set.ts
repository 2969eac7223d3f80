import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { webhookColumns, webhookView, webhookViewSchema } from '../../../src/cli/topics/callbacks/webhook-view.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleWebhooksSet extends CountroomCommand {
  static override summary = 'Set the webhook URL and events of a tenant'
  static override description =
    'The sandbox is a separate tenant, CODE-SBX, with its own URL and secret. The URL must be https and lead to a public address; a world served on loopback also accepts http://127.0.0.1 and http://localhost. Pending webhooks go to the new URL. A low balance is reported only if there is a billing contact.'
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
    url: Flags.string({ summary: 'Target URL', helpValue: 'URL' }),
    events: Flags.string({ summary: 'Events to send: all, or event names', helpValue: 'all|A,B,…' }),
    'billing-contact': Flags.string({
      summary: 'Email address for billing notices; "" for none',
      helpValue: 'ADDRESS',
    }),
    'alert-days': Flags.integer({
      summary: 'Days of credit below which the balance counts as low',
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
      throw new Problem('INVALID_USAGE', 'Nothing to set: pass --url, --events, --billing-contact or --alert-days')
    const { casino } = await this.services.world()
    const { eventsFrom, setWebhook } = await import('../../../src/services/casino/admin/webhook-settings.ts')
    const selected = events === undefined ? undefined : eventsFrom(events)
    const { tenant, hook } = await setWebhook(casino, args.code, { ...change, events: selected })
    const view = webhookView(tenant, hook)
    const missing = view.events.filter((event) => !view.planHas.includes(event))
    if (missing.length > 0) this.warn(`Not available on this plan: ${missing.join(', ')}`)
    this.fields(view, webhookColumns)
    if (!view.enabled)
      this.note(`Webhooks are disabled. To send them: countroom console webhooks enable ${tenant.code}`)
    return view
  }
}
