import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import { listOf } from '../../../src/cli/terminal/text.ts'
import { WorldCommand } from '../../../src/cli/topics/console/command.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-state.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleTenantsSet extends WorldCommand {
  static override summary = "Change an operator's currencies, languages, time zone or site"
  static override description =
    "A live tenant's settings hold for its sandbox too. Players keep the currency they were made in; the time zone decides which day a slip belongs to in the daily summary, of past days too."
  static override examples = [
    'countroom console tenants set ACME --currencies USD,GBP,TWD',
    'countroom console tenants set ACME --languages ENG,CHT --timezone Asia/Taipei',
    'countroom console tenants set ACME --site-url https://casino.example',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = {
    ...dryRunFlag,
    currency: Flags.string({ summary: 'The primary currency', helpValue: 'CUR' }),
    currencies: Flags.string({ summary: 'Further enabled currencies, in place of those before', helpValue: 'A,B' }),
    languages: Flags.string({
      summary: "Languages of the players' page, the first being the default; empty for none",
      helpValue: 'A,B',
    }),
    'site-url': Flags.string({ summary: "Where the players' page leads back to; empty for nowhere", helpValue: 'URL' }),
    timezone: Flags.string({ summary: "The IANA zone the tenant's days are in", helpValue: 'ZONE' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      companyCode: Type.String(),
      timezone: Type.String(),
      currencies: Type.Array(Type.String()),
      languages: Type.Array(Type.String()),
      siteUrl: Type.Union([Type.String(), Type.Null()]),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(ConsoleTenantsSet)
    const { currency, currencies, languages, timezone, 'site-url': siteUrl } = flags
    const change = {
      ...(currency === undefined ? {} : { currency }),
      ...(currencies === undefined ? {} : { currencies: listOf(currencies) }),
      ...(languages === undefined ? {} : { languages: listOf(languages) }),
      ...(timezone === undefined ? {} : { timezone }),
      ...(siteUrl === undefined ? {} : { siteUrl }),
    }
    if (Object.keys(change).length === 0) throw new Problem('INVALID_USAGE', 'Name at least one setting to change')
    const { casino } = await this.world()
    const { changeTenant } = await import('../../../src/services/casino/admin/index.ts')
    const tenant = await changeTenant(casino, args.code, change)
    const result = {
      companyCode: tenant.code,
      timezone: tenant.timezone,
      currencies: JSON.parse(tenant.currencies) as string[],
      languages: JSON.parse(tenant.languages) as string[],
      siteUrl: tenant.site_url,
    }
    this.fields({ ...result, currencies: result.currencies.join(', '), languages: result.languages.join(', ') })
    return result
  }
}
