import { CompatCommand, compatFlags } from '../../../../src/cli/topics/console/compat-command.ts'

export default class ConsoleMerchantsCompatOff extends CompatCommand {
  static override summary = 'Disable the compatibility option'
  static override examples = ['countroom console merchants compat off']
  static override flags = compatFlags

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsCompatOff)
    return this.switchTo(false, flags)
  }
}
