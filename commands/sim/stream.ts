import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { tenantCode } from '../../src/cli/topics/console/tenant-code.ts'
import { streamSources } from '../../src/domain/account/billing.ts'

export default class SimStream extends CountroomCommand {
  static override summary = "Set the measured streaming volume of a tenant's day"
  static override description =
    'The value is the total of a UTC day and replaces the previous value of the same source. If several sources report, the most trusted one counts: cdn, then client, then estimate. The usage shows it at once, and it is billed with the day.'
  static override examples = [
    'countroom sim stream 12.5 --source cdn',
    'countroom sim stream 9.125 --source client --tenant ACME --day yesterday',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { gb: Args.string({ required: true, description: 'Gigabytes, with at most 3 decimals' }) }
  static override flags = {
    ...dryRunFlag,
    source: Flags.string({ summary: 'Source of the measurement', options: [...streamSources], default: 'cdn' }),
    day: Flags.string({ summary: 'UTC day (default: today)', helpValue: 'DATE' }),
    tenant: Flags.string({
      summary: 'Company code of the tenant (default: the one of the profile)',
      helpValue: 'CODE',
    }),
  }
  static override data = ({ Type }: Shapes) =>
    Type.Object({
      companyCode: Type.String(),
      day: Type.String(),
      source: Type.Enum([...streamSources]),
      gb: Type.String(),
    })

  override async run() {
    const { args, flags } = await this.parse(SimStream)
    if (flags.day !== undefined) checkDay(flags.day)
    const source = streamSources.find((known) => known === flags.source) ?? 'cdn'
    const { casino, clock } = await this.services.world()
    const code = await tenantCode(this, flags.tenant)
    const day = flags.day === undefined ? undefined : dayFrom(flags.day, await clock.now(), 'UTC')
    const { measureStream } = await import('../../src/services/casino/simulator/streaming.ts')
    const result = await measureStream(casino, code, { gb: args.gb, source, day })
    this.fields(result)
    return result
  }
}
