import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleLiveOn extends CountroomCommand {
  static override summary = 'Start automatic dealing: tables open betting, deal and settle on their own'
  static override examples = ['countroom console live on']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ live: Type.Boolean(), was: Type.Boolean() })

  override async run() {
    await this.parse(ConsoleLiveOn)
    const { casino } = await this.services.world()
    const { setLive } = await import('../../../src/services/casino/live/switches.ts')
    const result = await setLive(casino, true)
    this.fields(result)
    return result
  }
}
