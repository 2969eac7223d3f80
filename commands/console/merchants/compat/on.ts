import { CompatCommand, compatFlags } from '../../../../src/cli/topics/console/compat-command.ts'

export default class ConsoleMerchantsCompatOn extends CompatCommand {
  static override summary = 'Enable the compatibility option: second signature header, looser input'
  static override examples = ['countroom console merchants compat on']
  static override flags = compatFlags

  override async run() {
    const { flags } = await this.parse(ConsoleMerchantsCompatOn)
    return this.switchTo(true, flags)
  }
}
