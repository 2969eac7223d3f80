import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import {
  loginColumns,
  loginFilter,
  loginFilterFlags,
  loginRows,
  loginSchema,
} from '../../../src/cli/topics/console/login-view.ts'
import { Problem } from '../../../src/kit/problem.ts'

export default class ConsoleLoginsUnlock extends CountroomCommand {
  static override summary = 'Unlock logins and 2FA codes of the gateway and delete their failures'
  static override description =
    'Takes effect at once, in every process that serves the world. With several of --user, --merchant and --address, only counters that match all of them are unlocked.'
  static override examples = [
    'countroom console logins unlock --user desk@acme.example',
    'countroom console logins unlock --address 203.0.113.9 --dry-run',
  ]
  static override exits = ['not-found'] as const
  static override writes = true
  static override flags = {
    ...loginFilterFlags,
    all: Flags.boolean({ summary: 'Unlock everything', exclusive: ['user', 'merchant', 'address'] }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({ unlocked: Type.Array(loginSchema(shapes), { description: 'Values before the change' }) })
  }

  override async run() {
    const { flags } = await this.parse(ConsoleLoginsUnlock)
    const filter = loginFilter(flags)
    if (!flags.all && Object.values(filter).every((value) => value === undefined))
      throw new Problem('INVALID_USAGE', 'Missing logins to unlock: pass --user, --merchant, --address or --all')
    const { gateway } = await this.services.world()
    const { unlockLogins } = await import('../../../src/services/gateway/admin/logins.ts')
    const unlocked = await unlockLogins(gateway, filter)
    this.table(loginRows(unlocked), loginColumns)
    return { unlocked }
  }
}
