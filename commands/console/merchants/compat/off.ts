import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { compatFlags, compatSchema } from '../../../../src/cli/topics/console/compat-fields.ts'

export default class ConsoleMerchantsCompatOff extends CountroomCommand {
  static override summary = 'Disable the compatibility mode'
  static override examples = ['countroom console merchants compat off']
  static override flags = compatFlags
  static override writes = true
  static override exits = ['not-found'] as const
  static override data = compatSchema

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsCompatOff)
    const { switchCompat } = await import('../../../../src/cli/topics/console/compat.ts')
    return switchCompat(this, false, flags)
  }
}
