import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleChatIdentityShow extends CountroomCommand {
  static override summary = "Show a merchant's identity secret, once"
  static override description =
    "The merchant's server signs the account of a logged-in customer: hex HMAC-SHA256 of ACCOUNT.ISSUED_AT with this secret, ISSUED_AT in seconds since 1970. The widget takes it as data-account and data-identity (ISSUED_AT.SIGNATURE), within 300 seconds. The secret is shown once. To get a new one, rotate it."
  static override examples = ['countroom console chat identity show DEMO']
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ code: Type.String(), identitySecret: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleChatIdentityShow)
    const { chat } = await this.services.world()
    const { showIdentitySecret } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const { identitySecret } = await showIdentitySecret(chat, code)
    const data = { code, identitySecret: shownOnce(this, identitySecret) }
    this.fields(data)
    return data
  }
}
