import { momentFrom } from '../../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleClockSet extends CountroomCommand {
  static override summary = "Set the world's clock, forward or back, without running jobs"
  static override description =
    'To move the clock forward, prefer "console clock advance": it runs every periodic job at its scheduled time.'
  static override examples = ['countroom console clock set 2026-03-01T00:00:00Z']
  static override writes = true
  static override args = { iso: Args.string({ required: true, description: 'Time (ISO 8601)' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ now: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleClockSet)
    const at = momentFrom(args.iso)
    const { clock } = await this.services.world()
    await clock.set(at)
    const result = { now: new Date(at).toISOString() }
    this.fields(result)
    return result
  }
}
