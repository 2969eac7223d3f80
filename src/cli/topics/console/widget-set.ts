import { isZone } from '../../../domain/time/day.ts'
import { hoursExample, type OfficeHours, readOfficeHours } from '../../../domain/time/office-hours.ts'
import { durationMs } from '../../../kit/duration.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { setLook } from '../../../services/chat/admin/look.ts'
import { readWidget } from '../../../services/chat/admin.ts'
import type { Chat } from '../../../services/chat/service.ts'
import type { Look, MenuEntry } from '../../../services/chat/widget/config.ts'
import { languageFor } from '../../../services/chat/widget/strings.ts'
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
  const { color, theme, label, greeting, menu } = change
  const texts = {
    ...(label === undefined ? {} : { launcherLabel: label || null }),
    ...(greeting === undefined ? {} : { greeting: greeting || null }),
    ...(menu === undefined ? {} : { menus: { [menu.inbox]: menu.entries } }),
  }
  const language = change.language === undefined ? undefined : languageOf(change.language)
  const replyMinutes = change.replyTime === undefined ? undefined : minutesOf(change.replyTime)
  const hours = hoursOf(change)
  const look = await setLook(chat, code, {
    ...(color === undefined ? {} : { primaryColor: color }),
    ...(theme === undefined ? {} : { theme }),
    ...(language === undefined ? texts : { translation: { language, ...texts } }),
    ...(hours === undefined ? {} : { hours }),
    ...(replyMinutes === undefined ? {} : { replyMinutes }),
  }).catch((error) => {
    if (!isProblem(error, 'CHAT_HOURS_MISSING')) throw error
    throw new Problem('INVALID_USAGE', `--zone needs --hours, such as --hours "${hoursExample}"`)
  })
  return { data: lookData(look), shown: lookShown(look) }
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

function hoursOf({ hours, zone }: WidgetChange): Partial<OfficeHours> | null | undefined {
  if (zone !== undefined && !isZone(zone))
    throw new Problem('INVALID_USAGE', `--zone is invalid: "${zone}" is not a time zone, such as Europe/London`)
  if (hours === '') return null
  const given = zone === undefined ? {} : { zone }
  if (hours === undefined) return zone === undefined ? undefined : given
  const read = readOfficeHours(hours, zone ?? 'UTC')
  if ('fault' in read) throw new Problem('INVALID_USAGE', `--hours is invalid: ${read.fault}`)
  return { ...given, week: read.week }
}

/** Reads a merchant's widget for `widget show`. */
export async function shownWidget(chat: Chat, code: string) {
  const { tenantKey, origins, look } = await readWidget(chat, code)
  return { tenantKey, origins, data: lookData(look), shown: lookShown(look) }
}
