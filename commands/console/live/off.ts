import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleLiveOff extends CountroomCommand {
  static override summary = 'Stop automatic dealing; open rounds are finished first'
  static override examples = ['countroom console live off']
  static override writes = true
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ live: Type.Boolean(), was: Type.Boolean() })

  override async run() {
    await this.parse(ConsoleLiveOff)
    const { casino } = await this.services.world()
    const { setLive } = await import('../../../src/services/casino/live/switches.ts')
    const result = await setLive(casino, false)
    this.fields(result)
    return result
  }
}
