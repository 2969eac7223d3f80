import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import { dryRunFlag, Flags } from '../../../../src/cli/framework/flags.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { channelsData, channelsFields } from '../../../../src/cli/topics/console/look-fields.ts'
import { channelKinds } from '../../../../src/services/chat/api/social-channels.ts'

export default class ConsoleChatChannelsAdd extends CountroomCommand {
  static override summary = "Add a social channel to a merchant's widget"
  static override description =
    'The widget shows up to 10 channels as links, in the order they were added. Pages show a change within 1 minute. The URL starts with https:, or for the kind: tg:, line:, whatsapp:, weixin:, mailto: (email only), tel: (phone only).'
  static override examples = [
    'countroom console chat channels add DEMO --kind telegram --label "Telegram" --url https://t.me/shop',
    'countroom console chat channels add DEMO --kind phone --label "Call us" --url tel:+886212345678',
  ]
  static override exits = ['not-found', 'conflict'] as const
  static override writes = true
  static override args = chatTenantArg
  static override flags = {
    kind: Flags.string({ summary: 'Kind of channel', options: [...channelKinds], required: true }),
    label: Flags.string({ summary: 'Text of the link, 1 to 60 characters', helpValue: 'TEXT', required: true }),
    url: Flags.string({ summary: 'Target of the link', helpValue: 'URL', required: true }),
    ...dryRunFlag,
  }
  static override data = channelsFields

  override async run() {
    const { args, flags } = await this.parse(ConsoleChatChannelsAdd)
    const kind = channelKinds.find((each) => each === flags.kind) ?? 'other'
    const { chat } = await this.services.world()
    const { addSocialChannel } = await import('../../../../src/services/chat/admin.ts')
    const channel = { kind, label: flags.label.trim(), url: flags.url.trim() }
    const code = args.code.toUpperCase()
    const data = channelsData(code, await addSocialChannel(chat, code, channel))
    this.table(data.socialChannels, ['kind', 'label', 'url'])
    return data
  }
}
