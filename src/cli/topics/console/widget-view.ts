import type { Look } from '../../../services/chat/widget/config.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** View of a merchant's widget settings. */

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
  }
}

export function lookData(look: Look) {
  const menus = Object.fromEntries(Object.entries(look.menus).map(([code, list]) => [code, [...list]]))
  return { ...look, menus, socialChannels: [...look.socialChannels] }
}

/** Counts the menu entries of each inbox category. */
export function menusText({ menus }: Look): string {
  return (
    Object.entries(menus)
      .map(([code, list]) => `${code} ${list.length}`)
      .join(', ') || 'none'
  )
}

/** Schema of the `data` of commands about social channels. */
export function channelsFields({ Type, chat }: Shapes) {
  return Type.Object({ code: Type.String(), socialChannels: Type.Array(chat.SocialChannel) })
}

export function channelsData(code: string, socialChannels: Look['socialChannels']) {
  return { code, socialChannels: socialChannels.map((channel) => ({ ...channel })) }
}
