import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../src/cli/outcome/result-schema.ts'
import { shownOnce } from '../../../src/cli/topics/console/shown-once.ts'
import { tenantArg } from '../../../src/cli/topics/console/tenant-fields.ts'

export default class ConsoleKeysCreate extends CountroomCommand {
  static override summary = 'Create another API key for a tenant, up to 10'
  static override description = 'The sandbox is a separate tenant: CODE-SBX. The secret is shown only once.'
  static override examples = ['countroom console keys create DEMO', 'countroom console keys create DEMO-SBX --json']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = tenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ apiKey: Type.String(), secret: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleKeysCreate)
    const { casino } = await this.services.world()
    const { createKey } = await import('../../../src/services/casino/admin/index.ts')
    const { apiKey, secret } = await createKey(casino, args.code)
    const key = { apiKey: shownOnce(this, apiKey), secret: shownOnce(this, secret) }
    this.fields(key)
    if (!this.isDryRun) this.note('Copy the secret now: it is not shown again.')
    return key
  }
}
