import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { rememberNames } from '../../../src/cli/framework/completion.ts'
import { Args, dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { listOf } from '../../../src/cli/terminal/text.ts'
import { shownOnce } from '../../../src/cli/topics/console/shown-once.ts'
import { profileToSave } from '../../../src/cli/topics/profiles/save-profile.ts'
import { plans } from '../../../src/domain/account/state.ts'

export default class ConsoleTenantsCreate extends CountroomCommand {
  static override summary = 'Create a tenant and its sandbox, with one API key each'
  static override description =
    'The secrets are shown only once. With --json, "data" has the form of the casino section of the ready file, for "countroom profiles add".'
  static override examples = [
    'countroom console tenants create ACME --plan paid --timezone Europe/Berlin --currency EUR --currencies USD,GBP',
    {
      command: 'countroom console tenants create ACME --plan paid --save-profile acme',
      description: 'Create a tenant and a profile to work for it',
    },
  ]
  static override exits = ['conflict'] as const
  static override writes = true
  static override args = { code: Args.string({ required: true, description: 'Company code' }) }
  static override flags = {
    ...dryRunFlag,
    plan: Flags.string({ summary: 'Subscription plan of the live tenant', options: [...plans], default: 'free' }),
    timezone: Flags.string({ summary: "IANA time zone of the tenant's days", default: 'UTC', helpValue: 'ZONE' }),
    currency: Flags.string({ summary: 'Primary currency', default: 'USD', helpValue: 'CUR' }),
    currencies: Flags.string({ summary: 'Additional currencies', helpValue: 'A,B' }),
    languages: Flags.string({
      summary: 'Languages of the player page; the first is the default',
      helpValue: 'A,B',
    }),
    'save-profile': Flags.string({
      summary: 'Save a local profile of this name for the tenant in this world',
      helpValue: 'NAME',
    }),
  }
  static override data = ({ Type }: Shapes) => {
    const key = Type.Object({ apiKey: Type.String(), secret: Type.String() })
    const profile = Type.Union([Type.String(), Type.Null()], { description: 'Saved profile.' })
    return Type.Object({ companyCode: Type.String(), timezone: Type.String(), live: key, sandbox: key, profile })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleTenantsCreate)
    const save = profileToSave(this, flags['save-profile'])
    const { casino } = await this.services.world()
    const { createTenant } = await import('../../../src/services/casino/admin/index.ts')
    const tenant = await createTenant(casino, {
      code: args.code,
      plan: flags.plan === 'paid' ? 'paid' : 'free',
      timezone: flags.timezone,
      currency: flags.currency,
      currencies: listOf(flags.currencies),
      languages: listOf(flags.languages),
    })
    const keyView = ({ apiKey, secret }: { apiKey: string; secret: string }) => ({
      apiKey: shownOnce(this, apiKey),
      secret: shownOnce(this, secret),
    })
    const [live, sandbox] = [keyView(tenant.live), keyView(tenant.sandbox)]
    // One value per line: a key in a narrow column would wrap and could not be copied.
    if (!this.isDryRun) rememberNames(this.settings.paths, 'tenants', [tenant.companyCode])
    this.fields({
      tenant: tenant.companyCode,
      timezone: tenant.timezone,
      'live key': live.apiKey,
      'live secret': live.secret,
      'sandbox key': sandbox.apiKey,
      'sandbox secret': sandbox.secret,
    })
    if (!this.isDryRun) this.note('Copy the secrets now: they are not shown again.')
    return { ...tenant, live, sandbox, profile: save(tenant.companyCode) }
  }
}
