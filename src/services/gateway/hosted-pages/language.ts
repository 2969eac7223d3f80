import { strings as en } from './languages/en.ts'
import { strings as fil } from './languages/fil.ts'
import { strings as hi } from './languages/hi.ts'
import { strings as ja } from './languages/ja.ts'
import { strings as ko } from './languages/ko.ts'
import { strings as th } from './languages/th.ts'
import { strings as vi } from './languages/vi.ts'
import { strings as hans } from './languages/zh-hans.ts'
import { strings as hant } from './languages/zh-hant.ts'
import type { Strings } from './messages.ts'

/**
 * Languages of the hosted pages by HTML tag, each with its own name and the platform's code. They are the same as on
 * the player page.
 */
export const pageLanguages = {
  en: { name: 'English', code: 'ENG', strings: en },
  'zh-Hans': { name: '简体中文', code: 'CHS', strings: hans },
  'zh-Hant': { name: '繁體中文', code: 'CHT', strings: hant },
  ja: { name: '日本語', code: 'JPN', strings: ja },
  ko: { name: '한국어', code: 'KOR', strings: ko },
  th: { name: 'ไทย', code: 'THAI', strings: th },
  vi: { name: 'Tiếng Việt', code: 'VIET', strings: vi },
  hi: { name: 'हिन्दी', code: 'HIND', strings: hi },
  fil: { name: 'Filipino', code: 'PHP', strings: fil },
} as const satisfies Record<string, { name: string; code: string; strings: Strings }>

export type PageLanguage = keyof typeof pageLanguages
export const pageTags = Object.keys(pageLanguages) as PageLanguage[]

export const stringsIn = (language: PageLanguage): Strings => pageLanguages[language].strings

/**
 * Returns the language of a page: that of its link by tag (`zh-TW`) or platform code (`CHT`), else the browser's
 * preferred one, else English.
 */
export function languageOf(requested: unknown, accepted: string | undefined): PageLanguage {
  return (typeof requested === 'string' ? languageFrom(requested) : undefined) ?? likedBest(accepted ?? '') ?? 'en'
}

/** Returns the language of a tag or code, if supported. */
export function languageFrom(text: string): PageLanguage | undefined {
  const [first, ...parts] = text.trim().toLowerCase().replaceAll('_', '-').split('-')
  const byCode = pageTags.find((tag) => pageLanguages[tag].code.toLowerCase() === first)
  if (byCode) return byCode
  // Without a script subtag, the region decides the script.
  if (first === 'zh')
    return traditional.some((part) => parts.includes(part)) && !parts.includes('hans') ? 'zh-Hant' : 'zh-Hans'
  if (first === 'tl') return 'fil'
  return pageTags.find((tag) => tag === first)
}

const traditional = ['hant', 'tw', 'hk', 'mo']

/** Maximum number of languages read from Accept-Language. */
const maxAccepted = 20

function likedBest(accepted: string): PageLanguage | undefined {
  const preferences = accepted
    .split(',', maxAccepted)
    .map((preference) => {
      const [tag = '', ...rest] = preference.split(';')
      const weight = rest.map((part) => /^\s*q=([0-9.]+)\s*$/.exec(part)?.[1]).find((value) => value !== undefined)
      return { language: languageFrom(tag), weight: Number(weight ?? 1) }
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
  // The sort is stable: of equal weights, the first one wins.
  return preferences.sort((a, b) => b.weight - a.weight)[0]?.language
}
