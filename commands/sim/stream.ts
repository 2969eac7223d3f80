import { checkDay, dayFrom } from '../../src/cli/framework/day.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { WorldCommand } from '../../src/cli/topics/console/command.ts'
import { streamSources } from '../../src/domain/account/billing.ts'

export default class SimStream extends WorldCommand {
  static override summary =
    "Have the streaming of a tenant's day measured, as the network or the players' clients would"
  static override description =
    'A total of the UTC day, in place of what the same source said before. Of several sources the most trusted counts: the network (cdn), then the clients, then an estimate. It is in the usage of the day at once, and charged with the day.'
  static override examples = [
    'countroom sim stream 12.5 --source cdn',
    'countroom sim stream 9.125 --source client --tenant ACME --day yesterday',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { gb: Args.string({ required: true, description: 'Gigabytes, at most 3 decimals' }) }
  static override flags = {
    ...dryRunFlag,
    source: Flags.string({ summary: 'What measured it', options: [...streamSources], default: 'cdn' }),
    day: Flags.string({ summary: 'The UTC day; today when not given', helpValue: 'DATE' }),
    tenant: Flags.string({ summary: 'To whose players it was streamed', helpValue: 'CODE' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      companyCode: Type.String(),
      day: Type.String(),
      source: Type.Enum([...streamSources]),
      gb: Type.String(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(SimStream)
    if (flags.day !== undefined) checkDay(flags.day)
    const source = streamSources.find((known) => known === flags.source) ?? 'cdn'
    const { casino, clock } = await this.world()
    const code = await this.tenantCode(flags.tenant)
    const day = flags.day === undefined ? undefined : dayFrom(flags.day, await clock.now(), 'UTC')
    const { measureStream } = await import('../../src/services/casino/simulator/streaming.ts')
    const result = await measureStream(casino, code, { gb: args.gb, source, day })
    this.fields(result)
    return result
  }
}
