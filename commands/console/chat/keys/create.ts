import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag } from '../../../../src/cli/framework/flags.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { shownOnce } from '../../../../src/cli/topics/console/shown-once.ts'

export default class ConsoleChatKeysCreate extends CountroomCommand {
  static override summary = 'Create another API key for a merchant of the chat'
  static override examples = ['countroom console chat keys create DEMO']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = { ...dryRunFlag }
  static override data = ({ Type }: Shapes) => Type.Object({ keyId: Type.String(), apiKey: Type.String() })

  override async run() {
    const { args } = await this.parse(ConsoleChatKeysCreate)
    const { chat } = await this.services.world()
    const { createApiKey } = await import('../../../../src/services/chat/admin.ts')
    const { keyId, apiKey } = await createApiKey(chat, args.code.toUpperCase())
    const key = { keyId: shownOnce(this, keyId), apiKey: shownOnce(this, apiKey) }
    this.fields(key)
    return key
  }
}
