import { Problem } from '../../../kit/problem.ts'
import { chatTenantOf, saveChatTenant } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'
import { type Look, lookOf, type Translation } from '../widget/config.ts'
import type { Language } from '../widget/messages.ts'

/** Texts of one language; null removes one, and an empty menu removes that of its inbox category. */
export interface TranslationChange {
  readonly launcherLabel?: string | null
  readonly greeting?: string | null
  readonly menus?: Translation['menus']
}

/** Changes the widget's texts for customers of one language; absent ones are unchanged. */
export function setTranslation(app: Chat, code: string, language: Language, change: TranslationChange): Promise<Look> {
  return app.store.write(async (tx) => {
    const tenant = await chatTenantOf(tx, code)
    if (!tenant) throw new Problem('CHAT_TENANT_NOT_FOUND', `There is no chat tenant ${code}`)
    const before = lookOf(tenant)
    const { [language]: known = {}, ...others } = before.translations
    const menus = Object.fromEntries(
      Object.entries({ ...known.menus, ...change.menus }).filter(([, entries]) => entries.length > 0),
    )
    const launcherLabel = change.launcherLabel === undefined ? known.launcherLabel : change.launcherLabel
    const greeting = change.greeting === undefined ? known.greeting : change.greeting
    const own: Translation = {
      ...(launcherLabel ? { launcherLabel } : {}),
      ...(greeting ? { greeting } : {}),
      ...(Object.keys(menus).length > 0 ? { menus } : {}),
    }
    const translations = { ...others, ...(Object.keys(own).length > 0 ? { [language]: own } : {}) }
    const look: Look = { ...before, translations }
    await saveChatTenant(tx, code, { look: JSON.stringify(look) })
    return look
  })
}
