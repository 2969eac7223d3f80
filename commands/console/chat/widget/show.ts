import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { WorldCommand } from '../../../../src/cli/topics/console/command.ts'
import { lookData, lookFields, menusText } from '../../../../src/cli/topics/console/widget-view.ts'

export default class ConsoleChatWidgetShow extends WorldCommand {
  static override summary = "Show a merchant's widget: the tag for its pages, where it may stand, and how it looks"
  static override description =
    'The tag is for the <body> or <head> of a page; the key in it is public. Attributes such as data-customer-name and data-theme go into it, and what they leave out is as shown here.'
  static override examples = [
    'countroom console chat widget show DEMO',
    {
      command: 'countroom console chat widget show DEMO --json',
      description: 'For a program that makes pages: the tag is data.tag',
    },
  ]
  static override exits = ['not-found'] as const
  static override args = chatTenantArg
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      tag: Type.String({ description: 'HTML, for any page it may stand on' }),
      tenantKey: Type.String({ description: 'The public front-end key' }),
      origins: Type.Array(Type.String(), { description: 'The pages it may stand on; any, where there are none' }),
      ...(await lookFields()),
    })
  }

  override async run() {
    const { args } = await this.parse(ConsoleChatWidgetShow)
    const { chat } = await this.world()
    const { readWidget } = await import('../../../../src/services/chat/admin.ts')
    const { tenantKey, origins, look } = await readWidget(chat, args.code.toUpperCase())
    const tag = `<script async src="${chat.config.publicUrl()}/widget.js" data-tenant-key="${tenantKey}"></script>`
    this.fields({
      tenantKey,
      origins: origins.join(', ') || 'any',
      ...look,
      menus: menusText(look),
      socialChannels: look.socialChannels.length,
    })
    this.text(() => `\n${tag}\n`)
    return { tag, tenantKey, origins: [...origins], ...lookData(look) }
  }
}
