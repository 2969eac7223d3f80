import type { Look } from '../../../services/chat/widget/config.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Schema fields of the view. */
export function lookFields({ Type, chat }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return {
    primaryColor: Type.String(),
    theme: Type.String(),
    launcherLabel: text,
    greeting: text,
    menus: Type.Record(Type.String(), Type.Array(chat.WidgetMenuEntry), { description: 'Menus by inbox category.' }),
    socialChannels: Type.Array(chat.SocialChannel),
    hours: Type.Union([Type.String(), Type.Null()], { description: 'Office hours as --hours takes them.' }),
    zone: text,
    replyMinutes: Type.Union([Type.Integer(), Type.Null()]),
    translations: Type.Record(
      Type.String(),
      Type.Object({
        launcherLabel: Type.Optional(Type.String()),
        greeting: Type.Optional(Type.String()),
        menus: Type.Optional(Type.Record(Type.String(), Type.Array(chat.WidgetMenuEntry))),
      }),
      { description: 'Texts by language, if they differ from the default.' },
    ),
  }
}

/** Schema of the `data` of commands about social channels. */
export function channelsFields({ Type, chat }: Shapes) {
  return Type.Object({ code: Type.String(), socialChannels: Type.Array(chat.SocialChannel) })
}

export function channelsData(code: string, socialChannels: Look['socialChannels']) {
  return { code, socialChannels: socialChannels.map((channel) => ({ ...channel })) }
}
