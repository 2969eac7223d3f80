import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { channelsData, channelsFields } from '../../../../src/cli/topics/console/look-fields.ts'

export default class ConsoleChatChannelsRemove extends CountroomCommand {
  static override summary = "Remove a social channel from a merchant's widget"
  static override examples = ['countroom console chat channels remove DEMO --url https://t.me/shop']
  static override exits = ['not-found'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    url: Flags.string({ summary: 'URL of the channel', helpValue: 'URL', required: true }),
    ...dryRunFlag,
  }
  static override data = channelsFields

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatChannelsRemove)
    const { chat } = await this.services.world()
    const { removeSocialChannel } = await import('../../../../src/services/chat/admin.ts')
    const code = args.code.toUpperCase()
    const data = channelsData(code, await removeSocialChannel(chat, code, flags.url))
    this.table(data.socialChannels, ['kind', 'label', 'url'])
    return data
  }
}
