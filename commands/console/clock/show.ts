import { WorldCommand } from '../../../src/cli/world-command.ts'

export default class ConsoleClockShow extends WorldCommand {
  static override summary = "Show the world's clock"
  static override examples = ['countroom console clock show']
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({ now: Type.String(), aheadMs: Type.Integer() })
  }

  override async run() {
    await this.parse(ConsoleClockShow)
    const { clock, casino } = await this.world()
    const now = await clock.now()
    const result = { now: new Date(now).toISOString(), aheadMs: now - casino.machineNow() }
    this.fields({ now: result.now, ahead: `${(result.aheadMs / 1000).toFixed(3)} s ahead of this machine` })
    return result
  }
}
