import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { shownOnce } from '../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleKeysRotate extends CountroomCommand {
  static override summary = 'Replace an API key; the old key stays valid for 24 hours'
  static override examples = ['countroom console keys rotate ek_l_CjwouMb2r8AotTeWwfneH4B8']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = { key: Args.string({ required: true, description: 'Key ID' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ apiKey: Type.String(), secret: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleKeysRotate)
    const { casino } = await this.services.world()
    const { rotateKey } = await import('../../../src/services/casino/admin/index.ts')
    const { apiKey, secret } = await rotateKey(casino, args.key)
    const key = { apiKey: shownOnce(this, apiKey), secret: shownOnce(this, secret) }
    this.fields(key)
    if (!this.isDryRun) this.note('Copy the secret now: it is not shown again. The old key stays valid for 24 hours.')
    return key
  }
}
