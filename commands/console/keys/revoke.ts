import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'

export default class ConsoleKeysRevoke extends CountroomCommand {
  static override summary = 'Revoke an API key at once'
  static override examples = ['countroom console keys revoke ek_l_CjwouMb2r8AotTeWwfneH4B8']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { key: Args.string({ required: true, description: 'Key ID' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ apiKey: Type.String(), revoked: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ConsoleKeysRevoke)
    const { casino } = await this.services.world()
    const { revokeKey } = await import('../../../src/services/casino/admin/index.ts')
    const revoked = await revokeKey(casino, args.key)
    this.fields(revoked)
    return revoked
  }
}
