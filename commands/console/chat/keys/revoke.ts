import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { Args, dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'

export default class ConsoleChatKeysRevoke extends CountroomCommand {
  static override summary = 'Revoke an API key or an agent token of the chat'
  static override examples = ['countroom console chat keys revoke DEMO 01J8Z3V5Q8T9X0Y1Z2A3B4C5D6']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = { ...chatTenantArg, key: Args.string({ required: true, description: 'Key ID' }) }
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ keyId: Type.String(), revoked: Type.Boolean() })

  override async run() {
    const { args } = await this.parse(ConsoleChatKeysRevoke)
    const { chat } = await this.services.world()
    const { revokeKey } = await import('../../../../src/services/chat/admin.ts')
    await revokeKey(chat, args.code.toUpperCase(), args.key)
    this.log('Revoked.')
    return { keyId: args.key, revoked: true }
  }
}
