import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { listOf } from '../../../src/cli/terminal/text.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleTenantsSet extends CountroomCommand {
  static override summary = 'Set the currencies, languages, time zone or player page of a tenant'
  static override description =
    'The settings of a live tenant also apply to its sandbox. Players keep their currency. The time zone decides the day of every slip in the daily summary, for past days too.'
  static override examples = [
    'countroom console tenants set ACME --currencies USD,GBP,TWD',
    'countroom console tenants set ACME --languages ENG,CHT --timezone Asia/Taipei',
    'countroom console tenants set ACME --site-url https://casino.example --reality-check 30',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    currency: Flags.string({ summary: 'Primary currency', helpValue: 'CUR' }),
    currencies: Flags.string({ summary: 'Additional currencies; replaces the current list', helpValue: 'A,B' }),
    languages: Flags.string({
      summary: 'Languages of the player page; the first is the default, "" for none',
      helpValue: 'A,B',
    }),
    'reality-check': Flags.integer({
      summary: 'Maximum minutes between reality checks, which a player can shorten; 0 for no maximum',
      helpValue: 'MINUTES',
      min: 0,
      max: 120,
    }),
    'site-url': Flags.string({ summary: 'URL of the back link on the player page; "" for none', helpValue: 'URL' }),
    timezone: Flags.string({ summary: "IANA time zone of the tenant's days", helpValue: 'ZONE' }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      companyCode: Type.String(),
      timezone: Type.String(),
      currencies: Type.Array(Type.String()),
      languages: Type.Array(Type.String()),
      siteUrl: Type.Union([Type.String(), Type.Null()]),
      realityCheckMinutes: Type.Union([Type.Integer(), Type.Null()]),
    })

  override async run() {
    const { args, flags } = await this.parse(ConsoleTenantsSet)
    const { currency, currencies, languages, timezone, 'site-url': siteUrl, 'reality-check': checkMinutes } = flags
    const change = {
      ...(currency === undefined ? {} : { currency }),
      ...(currencies === undefined ? {} : { currencies: listOf(currencies) }),
      ...(languages === undefined ? {} : { languages: listOf(languages) }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(siteUrl === undefined ? {} : { siteUrl }),
      ...(checkMinutes === undefined ? {} : { checkMinutes }),
    }
    if (Object.keys(change).length === 0)
      throw new Problem(
        'INVALID_USAGE',
        'Nothing to set: pass --currency, --currencies, --languages, --reality-check, --site-url or --timezone',
      )
    const { casino } = await this.services.world()
    const { changeTenant } = await import('../../../src/services/casino/admin/index.ts')
    const tenant = await changeTenant(casino, args.code, change)
    const result = {
      companyCode: tenant.code,
      timezone: tenant.timezone,
      currencies: JSON.parse(tenant.currencies) as string[],
      languages: JSON.parse(tenant.languages) as string[],
      siteUrl: tenant.site_url,
      realityCheckMinutes: tenant.check_minutes,
    }
    this.fields({ ...result, currencies: result.currencies.join(', '), languages: result.languages.join(', ') })
    return result
  }
}
