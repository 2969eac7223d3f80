import { durationMs, momentFrom } from '../../../src/cli/arguments/moments.ts'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { countText } from '../../../src/kit/text/count-text.ts'

export default class ConsoleClockAdvance extends CountroomCommand {
  static override summary = "Move the world's clock forward and run all periodic jobs on the way"
  static override description =
    'Takes a duration such as 26h, 90s, 15m, 400d or 1h30m, or a time. Every job runs at its own scheduled time, in order: sessions end, days are billed. If a signal stops the command, the clock stays at the time it reached; run the command again to continue.'
  static override examples = [
    'countroom console clock advance 26h',
    'countroom console clock advance 2027-01-01T00:00:00Z',
  ]
  static override writes = true
  static override args = { by: Args.string({ required: true, description: 'Duration, or time (ISO 8601)' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) =>
    Type.Object({ from: Type.String(), now: Type.String(), steps: Type.Integer(), done: Type.Integer() })

  override async run() {
    const { args } = await this.parse(ConsoleClockAdvance)
    const span = durationMs(args.by)
    const { clock } = await this.services.world()
    const from = await clock.now()
    const to = span === undefined ? momentFrom(args.by, 'a duration such as 26h or 1h30m, ') : from + span
    const times = { from: new Date(from).toISOString(), now: new Date(to).toISOString() }
    if (this.isDryRun) {
      this.fields(times)
      return { ...times, steps: 0, done: 0 }
    }
    const progress = this.progress('Advancing')
    let passed = 0
    const onStep = (at: number) => progress.update(++passed, new Date(at).toISOString())
    const { steps, done } = await clock.advance(to, onStep, this.stop)
    progress.end(`${countText(steps, 'time')} visited, ${countText(done, 'job')} done`)
    const reached = this.stop.aborted ? { now: new Date(await clock.now()).toISOString() } : {}
    const result = { ...times, ...reached, steps, done }
    this.fields(result)
    return result
  }
}
