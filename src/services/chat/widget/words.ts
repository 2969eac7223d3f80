import { words as ar } from './languages/ar.ts'
import { words as en } from './languages/en.ts'
import { words as ja } from './languages/ja.ts'
import { words as ko } from './languages/ko.ts'
import { words as th } from './languages/th.ts'
import { words as vi } from './languages/vi.ts'
import { words as zhHans } from './languages/zh-hans.ts'
import { words as zhHant } from './languages/zh-hant.ts'
import type { Language, Words } from './messages.ts'

/** All languages of the conversation. A browser gets its own with the script. */
export const conversationWords: Readonly<Record<Language, Words>> = {
  en,
  'zh-hant': zhHant,
  'zh-hans': zhHans,
  ja,
  ko,
  th,
  vi,
  ar,
}
