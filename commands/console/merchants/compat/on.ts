import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { compatFlags, compatSchema } from '../../../../src/cli/topics/console/compat-fields.ts'

export default class ConsoleMerchantsCompatOn extends CountroomCommand {
  static override summary = 'Enable the compatibility option: second signature header, looser input'
  static override examples = ['countroom console merchants compat on']
  static override flags = compatFlags
  static override writes = true
  static override exits = ['not-found'] as const
  static override data = compatSchema

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsCompatOn)
    const { switchCompat } = await import('../../../../src/cli/topics/console/compat.ts')
    return switchCompat(this, true, flags)
  }
}
