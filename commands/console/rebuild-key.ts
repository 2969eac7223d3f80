import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../src/cli/topics/console/chat-console.ts'

export default class ConsoleRebuildKey extends CountroomCommand {
  static override summary = "Replace the front-end key of a merchant's widget at once"
  static override description = 'The old key stops working. Put the new key into every page with the widget.'
  static override examples = ['countroom console rebuild-key DEMO']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ code: Type.String(), tenantKey: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleRebuildKey)
    const { chat } = await this.services.world()
    const { rebuildTenantKey } = await import('../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const { tenantKey } = await rebuildTenantKey(chat, code)
    this.fields({ code, tenantKey })
    return { code, tenantKey }
  }
}
