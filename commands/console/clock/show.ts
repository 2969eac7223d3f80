import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleClockShow extends CountroomCommand {
  static override summary = "Show the world's clock"
  static override examples = ['countroom console clock show']
  static override data = ({ Type }: Shapes) => Type.Object({ now: Type.String(), aheadMs: Type.Integer() })

  override async run() {
    await this.parse(ConsoleClockShow)
    const { store } = await this.services.world()
    const { worldItself } = await import('../../../src/world/clock.ts')
    // The stored offset: the difference of two clock readings could be off by a millisecond.
    const { now, aheadMs } = await store.read(async (reader) => ({
      now: reader.now,
      aheadMs: (await worldItself(reader)).clock_offset,
    }))
    const result = { now: new Date(now).toISOString(), aheadMs }
    this.fields({ now: result.now, ahead: `${(result.aheadMs / 1000).toFixed(3)} s ahead of this machine` })
    return result
  }
}
