import { officeHoursText } from '../../../domain/time/office-hours.ts'
import type { Look } from '../../../services/chat/widget/config.ts'

/** View of a merchant's widget settings. */

export function lookData(look: Look) {
  const { hours } = look
  return {
    ...look,
    menus: copied(look.menus),
    socialChannels: [...look.socialChannels],
    hours: hours && officeHoursText(hours),
    zone: hours?.zone ?? null,
    translations: Object.fromEntries(
      Object.entries(look.translations).map(([language, { menus, ...texts }]) => [
        language,
        { ...texts, ...(menus ? { menus: copied(menus) } : {}) },
      ]),
    ),
  }
}
export type LookData = ReturnType<typeof lookData>

function copied(menus: Look['menus']) {
  return Object.fromEntries(Object.entries(menus).map(([code, list]) => [code, [...list]]))
}

/** Fields for a person. */
export function lookShown(look: Look) {
  const { replyMinutes, translations, hours, zone, ...data } = lookData(look)
  return {
    ...data,
    menus: menusText(look),
    socialChannels: look.socialChannels.length,
    hours: hours === null ? 'none' : `${hours} (${zone})`,
    replyTime: replyMinutes === null ? 'none' : `${replyMinutes} min`,
    translations: Object.keys(translations).join(', ') || 'none',
  }
}

/** Counts the menu entries of each inbox category. */
export function menusText({ menus }: Look): string {
  return (
    Object.entries(menus)
      .map(([code, list]) => `${code} ${list.length}`)
      .join(', ') || 'none'
  )
}
