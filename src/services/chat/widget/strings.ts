import { strings as ar } from './languages/ar.ts'
import { strings as de } from './languages/de.ts'
import { strings as en } from './languages/en.ts'
import { strings as es } from './languages/es.ts'
import { strings as fil } from './languages/fil.ts'
import { strings as fr } from './languages/fr.ts'
import { strings as hi } from './languages/hi.ts'
import { strings as id } from './languages/id.ts'
import { strings as it } from './languages/it.ts'
import { strings as ja } from './languages/ja.ts'
import { strings as ko } from './languages/ko.ts'
import { strings as ms } from './languages/ms.ts'
import { strings as pl } from './languages/pl.ts'
import { strings as pt } from './languages/pt.ts'
import { strings as ru } from './languages/ru.ts'
import { strings as th } from './languages/th.ts'
import { strings as tr } from './languages/tr.ts'
import { strings as vi } from './languages/vi.ts'
import { strings as zhHans } from './languages/zh-hans.ts'
import { strings as zhHant } from './languages/zh-hant.ts'
import type { Language, Strings } from './messages.ts'

/** The widget's texts in all languages. A browser gets only its own language with each script. */
export const conversationStrings: Readonly<Record<Language, Strings>> = {
  en,
  'zh-hant': zhHant,
  'zh-hans': zhHans,
  ja,
  ko,
  th,
  vi,
  ar,
  es,
  pt,
  id,
  hi,
  tr,
  ru,
  de,
  fr,
  it,
  pl,
  ms,
  fil,
}

/** The widget's scripts that are loaded on first use. */
export const scriptNames = ['app', 'files', 'extras', 'tickets'] as const
export type ScriptName = (typeof scriptNames)[number]

/** The texts that each script shows, so that no browser loads the others. */
const stringsOf = {
  app: [
    'lang',
    'title',
    'close',
    'hint',
    'send',
    'attach',
    'connecting',
    'offline',
    'notSent',
    'sending',
    'earlier',
    'you',
    'support',
    'closed',
    'uploading',
    'updated',
    'writing',
    'newMessage',
    'newMessages',
    'notIdentified',
    'options',
    'yourRating',
  ],
  files: [
    'lang',
    'close',
    'uploading',
    'notUploaded',
    'remove',
    'tooLarge',
    'wrongType',
    'tooMany',
    'emptyFile',
    'previous',
    'next',
    'openFile',
  ],
  extras: [
    'sent',
    'delivered',
    'read',
    'closedNow',
    'replyTime',
    'send',
    'sound',
    'transcript',
    'transcriptSent',
    'failed',
    'email',
    'emailHint',
    'emailSaved',
    'emailInvalid',
    'save',
    'rate',
    'star',
    'comment',
    'thanks',
    'tickets',
  ],
  tickets: [
    'lang',
    'send',
    'failed',
    'connecting',
    'tickets',
    'newTicket',
    'noTickets',
    'subject',
    'details',
    'optional',
    'back',
    'reply',
    'missing',
    'invalid',
    'you',
    'support',
  ],
} as const satisfies Record<ScriptName, readonly (keyof Strings)[]>

/** Returns the texts of one script in one language. */
export function stringsFor(script: ScriptName, language: Language): Partial<Strings> {
  const all = conversationStrings[language]
  return Object.fromEntries(stringsOf[script].map((name) => [name, all[name]]))
}

/** Returns the language for a tag such as `pt-BR` or `zh_TW`; English if the widget does not have it. */
export function languageFor(tag: string | undefined): Language {
  try {
    const { language, script } = new Intl.Locale((tag || 'en').replaceAll('_', '-')).maximize()
    const code = (language === 'zh' ? `zh-${script}` : language).toLowerCase()
    return Object.hasOwn(conversationStrings, code) ? (code as Language) : 'en'
  } catch {
    return 'en'
  }
}
