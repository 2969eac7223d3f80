import { CompatCommand, compatFlags } from '../../../../src/cli/topics/console/compat-command.ts'

export default class ConsoleMerchantsCompatOn extends CompatCommand {
  static override summary =
    "Switch the compatibility option on: the second signature header, and the looser habits of the compatible gateway's clients"
  static override examples = ['countroom console merchants compat on']
  static override flags = compatFlags

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsCompatOn)
    return this.switchTo(true, flags)
  }
}
