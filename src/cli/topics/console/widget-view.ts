import type { Look } from '../../../services/chat/widget/config.ts'

/** View of a merchant's widget settings. */

/** Schema fields of the view. */
export async function lookFields() {
  const { Type } = await import('typebox')
  const { SocialChannel, WidgetMenuEntry } = await import('../../../services/chat/api/schemas.ts')
  const text = Type.Union([Type.String(), Type.Null()])
  return {
    primaryColor: Type.String(),
    theme: Type.String(),
    launcherLabel: text,
    greeting: text,
    menus: Type.Record(Type.String(), Type.Array(WidgetMenuEntry), { description: 'Menus by inbox category.' }),
    socialChannels: Type.Array(SocialChannel),
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
export async function channelsFields() {
  const { Type } = await import('typebox')
  const { SocialChannel } = await import('../../../services/chat/api/schemas.ts')
  return Type.Object({ code: Type.String(), socialChannels: Type.Array(SocialChannel) })
}

export function channelsData(code: string, socialChannels: Look['socialChannels']) {
  return { code, socialChannels: socialChannels.map((channel) => ({ ...channel })) }
}
