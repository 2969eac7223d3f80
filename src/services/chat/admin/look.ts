import type { OfficeHours } from '../../../domain/time/office-hours.ts'
import { Problem } from '../../../kit/problem.ts'
import { chatTenantOf, saveChatTenant } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'
import { type Look, lookOf, type Translation } from '../widget/config.ts'
import type { Language } from '../widget/messages.ts'

/** Changes of the widget's appearance; absent fields are unchanged. */
export interface LookChange extends Partial<Omit<Look, 'hours' | 'translations'>> {
  /** Office hours; null removes them. An absent week or zone is unchanged; the first zone defaults to UTC. */
  readonly hours?: Partial<OfficeHours> | null
  /** Texts for customers of one language. */
  readonly translation?: TranslationChange
}

/** Texts of one language; null removes a text. */
export interface TranslationChange {
  readonly language: Language
  readonly launcherLabel?: string | null
  readonly greeting?: string | null
  readonly menus?: Translation['menus']
}

/** Changes the appearance of the widget. A menu replaces that of its inbox category; an empty one removes it. */
export function setLook(app: Chat, code: string, { menus, hours, translation, ...change }: LookChange): Promise<Look> {
  return app.store.write(async (tx) => {
    const tenant = await chatTenantOf(tx, code)
    if (!tenant) throw new Problem('CHAT_TENANT_NOT_FOUND', `There is no chat tenant ${code}`)
    const before = lookOf(tenant)
    const look: Look = {
      ...before,
      ...change,
      menus: mergedMenus(before.menus, menus),
      hours: hours === undefined ? before.hours : mergedHours(before.hours, hours),
      translations: translation ? mergedTranslations(before.translations, translation) : before.translations,
    }
    await saveChatTenant(tx, code, { look: JSON.stringify(look) })
    return look
  })
}

const mergedMenus = (before: Look['menus'], change: Translation['menus']): Look['menus'] =>
  Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, entries]) => entries.length > 0))

function mergedHours(before: OfficeHours | null, change: Partial<OfficeHours> | null): OfficeHours | null {
  if (change === null) return null
  const week = change.week ?? before?.week
  if (!week) throw new Problem('CHAT_HOURS_MISSING', 'A time zone needs office hours, and none are set')
  return { zone: change.zone ?? before?.zone ?? 'UTC', week }
}

function mergedTranslations(
  before: Look['translations'],
  { language, menus: changedMenus, ...change }: TranslationChange,
): Look['translations'] {
  const { [language]: known = {}, ...others } = before
  const menus = mergedMenus(known.menus ?? {}, changedMenus)
  const { launcherLabel = known.launcherLabel, greeting = known.greeting } = change
  const own: Translation = {
    ...(launcherLabel ? { launcherLabel } : {}),
    ...(greeting ? { greeting } : {}),
    ...(Object.keys(menus).length > 0 ? { menus } : {}),
  }
  return { ...others, ...(Object.keys(own).length > 0 ? { [language]: own } : {}) }
}
