import { dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { WorldCommand } from '../../../../src/cli/topics/console/command.ts'

export default class ConsoleChatKeysCreate extends WorldCommand {
  static override summary = 'Create another API key for a merchant of the chat'
  static override examples = ['countroom console chat keys create DEMO']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ keyId: Type.String(), apiKey: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleChatKeysCreate)
    const { chat } = await this.world()
    const { createApiKey } = await import('../../../../src/services/chat/admin.ts')
    const { keyId, apiKey } = await createApiKey(chat, args.code.toUpperCase())
    const key = { keyId: this.onceTold(keyId), apiKey: this.onceTold(apiKey) }
    this.fields(key)
    return key
  }
}
