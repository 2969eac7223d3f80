import { words as ar } from './languages/ar.ts'
import { words as de } from './languages/de.ts'
import { words as en } from './languages/en.ts'
import { words as es } from './languages/es.ts'
import { words as fil } from './languages/fil.ts'
import { words as fr } from './languages/fr.ts'
import { words as hi } from './languages/hi.ts'
import { words as id } from './languages/id.ts'
import { words as it } from './languages/it.ts'
import { words as ja } from './languages/ja.ts'
import { words as ko } from './languages/ko.ts'
import { words as ms } from './languages/ms.ts'
import { words as pl } from './languages/pl.ts'
import { words as pt } from './languages/pt.ts'
import { words as ru } from './languages/ru.ts'
import { words as th } from './languages/th.ts'
import { words as tr } from './languages/tr.ts'
import { words as vi } from './languages/vi.ts'
import { words as zhHans } from './languages/zh-hans.ts'
import { words as zhHant } from './languages/zh-hant.ts'
import type { Language, Words } from './messages.ts'

/** All languages of the widget. A browser gets its own with each script. */
export const conversationWords: Readonly<Record<Language, Words>> = {
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

/** The widget's scripts that the launcher loads when they are used. */
export const scriptNames = ['app', 'files', 'extras', 'tickets'] as const
export type ScriptName = (typeof scriptNames)[number]

/** The texts that each script shows, so that no browser loads the others. */
const wordsOf = {
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
} as const satisfies Record<ScriptName, readonly (keyof Words)[]>

/** The texts of one script in one language. */
export function wordsFor(script: ScriptName, language: Language): Partial<Words> {
  const all = conversationWords[language]
  return Object.fromEntries(wordsOf[script].map((name) => [name, all[name]]))
}

/** Returns the language for a tag such as `pt-BR` or `zh_TW`: English if there is none. */
export function languageFor(tag: string | undefined): Language {
  try {
    const { language, script } = new Intl.Locale((tag || 'en').replaceAll('_', '-')).maximize()
    const code = (language === 'zh' ? `zh-${script}` : language).toLowerCase()
    return Object.hasOwn(conversationWords, code) ? (code as Language) : 'en'
  } catch {
    return 'en'
  }
}
