import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { listFlags } from '../../../../src/cli/framework/flags.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { channelsData, channelsFields } from '../../../../src/cli/topics/console/look-fields.ts'

export default class ConsoleChatChannelsList extends CountroomCommand {
  static override summary = "List the social channels of a merchant's widget"
  static override examples = ['countroom console chat channels list DEMO']
  static override exits = ['not-found'] as const
  static override args = chatTenantArg
  static override flags = { ...listFlags }
  static override data = channelsFields

  override async run() {
    const { args } = await this.parse(ConsoleChatChannelsList)
    const { chat } = await this.services.world()
    const { readWidget } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const data = channelsData(code, (await readWidget(chat, code)).look.socialChannels)
    this.table(data.socialChannels, ['kind', 'label', 'url'])
    return data
  }
}
