import { CountroomCommand } from '../../../../src/cli/framework/command.ts'
import type { Shapes } from '../../../../src/cli/outcome/result-schema.ts'
import { chatTenantArg } from '../../../../src/cli/topics/console/chat-console.ts'
import { lookFields } from '../../../../src/cli/topics/console/look-fields.ts'

export default class ConsoleChatWidgetShow extends CountroomCommand {
  static override summary = "Show a merchant's widget: HTML tag, origins and look"
  static override description =
    'Put the tag into the <body> or <head> of a page. Its key is public. Attributes such as data-customer-name and data-theme can be added to it; they override the settings shown here.'
  static override examples = [
    'countroom console chat widget show DEMO',
    {
      command: 'countroom console chat widget show DEMO --json',
      description: 'Print the tag for a script, as data.tag',
    },
  ]
  static override exits = ['not-found'] as const
  static override args = chatTenantArg
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      tag: Type.String({ description: 'HTML tag for pages of the allowed origins' }),
      tenantKey: Type.String({ description: 'Public front-end key' }),
      origins: Type.Array(Type.String(), { description: 'Allowed page origins. Empty if any origin is allowed.' }),
      ...lookFields(shapes),
    })
  }

  override async run() {
    const { args } = await this.parse(ConsoleChatWidgetShow)
    const { chat } = await this.services.world()
    const { shownWidget } = await import('../../../../src/cli/topics/console/widget-set.ts')
    const { tenantKey, origins, data, shown } = await shownWidget(chat, args.code.toUpperCase())
    const tag = `<script async src="${chat.config.publicUrl()}/widget.js" data-tenant-key="${tenantKey}"></script>`
    this.fields({
      tenantKey,
      origins: origins.join(', ') || 'any',
      ...shown,
    })
    this.text(() => `\n${tag}\n`)
    return { tag, tenantKey, origins: [...origins], ...data }
  }
}
