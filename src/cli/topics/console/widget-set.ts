import { hoursExample, type OfficeHours, readOfficeHours } from '../../../domain/time/office-hours.ts'
import { durationMs } from '../../../kit/duration.ts'
import { Problem } from '../../../kit/problem.ts'
import { setTranslation } from '../../../services/chat/admin/translations.ts'
import { readWidget, setLook } from '../../../services/chat/admin.ts'
import type { Chat } from '../../../services/chat/service.ts'
import type { Look, MenuEntry } from '../../../services/chat/widget/config.ts'
import { languageFor } from '../../../services/chat/widget/words.ts'
import { type LookData, lookData, lookShown } from './widget-view.ts'

/** Settings as a command line has them; what is undefined is unchanged. */
export interface WidgetChange {
  readonly color?: string | undefined
  readonly theme?: Look['theme'] | undefined
  readonly label?: string | undefined
  readonly greeting?: string | undefined
  readonly menu?: { readonly inbox: string; readonly entries: readonly MenuEntry[] } | undefined
  /** Language of label, greeting and menu; of all languages if absent. */
  readonly language?: string | undefined
  readonly hours?: string | undefined
  readonly zone?: string | undefined
  readonly replyTime?: string | undefined
}

/** Changes a merchant's widget. All values are checked before anything is changed. */
export async function setWidget(
  chat: Chat,
  code: string,
  change: WidgetChange,
): Promise<{ data: LookData; shown: Record<string, unknown> }> {
  const look = await changed(chat, code, change)
  return { data: lookData(look), shown: lookShown(look) }
}

async function changed(chat: Chat, code: string, change: WidgetChange): Promise<Look> {
  const { color, theme, label, greeting, menu } = change
  const texts = {
    ...(label === undefined ? {} : { launcherLabel: label || null }),
    ...(greeting === undefined ? {} : { greeting: greeting || null }),
    ...(menu === undefined ? {} : { menus: { [menu.inbox]: menu.entries } }),
  }
  const language = change.language === undefined ? undefined : languageOf(change.language)
  const replyMinutes = change.replyTime === undefined ? undefined : minutesOf(change.replyTime)
  const look = {
    ...(color === undefined ? {} : { primaryColor: color }),
    ...(theme === undefined ? {} : { theme }),
    ...(language === undefined ? texts : {}),
    ...(await hoursOf(chat, code, change)),
    ...(replyMinutes === undefined ? {} : { replyMinutes }),
  }
  if (language === undefined) return setLook(chat, code, look)
  if (Object.keys(look).length > 0) await setLook(chat, code, look)
  return setTranslation(chat, code, language, texts)
}

function languageOf(tag: string) {
  const language = languageFor(tag)
  if (language === 'en' && !/^en\b/i.test(tag))
    throw new Problem('INVALID_USAGE', `--language ${tag} is not a language of the widget, such as es or zh-Hant`)
  return language
}

/** Longest reply time that is shown. */
const maxReplyMinutes = 30 * 1_440

function minutesOf(text: string): number | null {
  if (text === '') return null
  const minutes = (durationMs(text) ?? 0) / 60_000
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > maxReplyMinutes)
    throw new Problem(
      'INVALID_USAGE',
      `--reply-time must be 1m to 30d in whole minutes, such as 5m or 2h; received ${text}`,
    )
  return minutes
}

async function hoursOf(
  chat: Chat,
  code: string,
  { hours, zone }: WidgetChange,
): Promise<{ hours?: OfficeHours | null }> {
  if (hours === '') return { hours: null }
  if (hours === undefined && zone === undefined) return {}
  const { look } = await readWidget(chat, code)
  if (hours === undefined && !look.hours)
    throw new Problem('INVALID_USAGE', `--zone needs --hours, such as --hours "${hoursExample}"`)
  const read = readOfficeHours(hours ?? 'Mon 00:00-24:00', zone ?? look.hours?.zone ?? 'UTC')
  if ('fault' in read) throw new Problem('INVALID_USAGE', `--hours or --zone is invalid: ${read.fault}`)
  return { hours: { ...read, week: hours === undefined ? (look.hours?.week ?? []) : read.week } }
}

/** Reads a merchant's widget for `widget show`. */
export async function shownWidget(chat: Chat, code: string) {
  const { tenantKey, origins, look } = await readWidget(chat, code)
  return { tenantKey, origins, data: lookData(look), shown: lookShown(look) }
}
