import type { Look } from '../../../services/chat/widget/config.ts'

/** How a merchant's widget looks, as commands tell it. */

/** The fields of it in `data`. */
export async function lookFields() {
  const { Type } = await import('typebox')
  const { SocialChannel, WidgetMenuEntry } = await import('../../../services/chat/api/schemas.ts')
  const text = Type.Union([Type.String(), Type.Null()])
  return {
    primaryColor: Type.String(),
    theme: Type.String(),
    launcherLabel: text,
    greeting: text,
    menus: Type.Record(Type.String(), Type.Array(WidgetMenuEntry), { description: 'By inbox category' }),
    socialChannels: Type.Array(SocialChannel),
  }
}

export function lookData(look: Look) {
  const menus = Object.fromEntries(Object.entries(look.menus).map(([code, list]) => [code, [...list]]))
  return { ...look, menus, socialChannels: [...look.socialChannels] }
}

/** How many entries each inbox category's menu has. */
export function menusText({ menus }: Look): string {
  return (
    Object.entries(menus)
      .map(([code, list]) => `${code} ${list.length}`)
      .join(', ') || 'none'
  )
}

/** The `data` of the commands about social channels. */
export async function channelsFields() {
  const { Type } = await import('typebox')
  const { SocialChannel } = await import('../../../services/chat/api/schemas.ts')
  return Type.Object({ code: Type.String(), socialChannels: Type.Array(SocialChannel) })
}

export function channelsData(code: string, socialChannels: Look['socialChannels']) {
  return { code, socialChannels: socialChannels.map((channel) => ({ ...channel })) }
}
