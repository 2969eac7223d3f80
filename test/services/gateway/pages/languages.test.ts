import { expect, test } from 'vitest'
import { clockText } from '../../../../src/services/gateway/hosted-pages/html.ts'
import {
  languageFrom,
  languageOf,
  pageTags,
  stringsIn,
} from '../../../../src/services/gateway/hosted-pages/language.ts'
import { fill } from '../../../../src/services/gateway/hosted-pages/messages.ts'

test.each([
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-Hant-TW', 'zh-Hant'],
  ['zh-Hans-HK', 'zh-Hans'],
  ['zh-SG', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['ZH_tw', 'zh-Hant'],
  ['en-US', 'en'],
  ['tl-PH', 'fil'],
  ['CHT', 'zh-Hant'],
  ['chs', 'zh-Hans'],
  ['KOR', 'ko'],
  ['de', undefined],
  ['', undefined],
  ['*', undefined],
])('%s is %s', (text, tag) => {
  expect(languageFrom(text)).toBe(tag)
})

test.each([
  [undefined, undefined, 'en'],
  [undefined, '', 'en'],
  [undefined, '*', 'en'],
  [undefined, 'de-DE,de;q=0.9', 'en'],
  [undefined, 'de-DE,de;q=0.9,ja;q=0.8,en;q=0.7', 'ja'],
  [undefined, 'en;q=0.5, zh-TW;q=0.9', 'zh-Hant'],
  [undefined, 'vi , ko', 'vi'],
  [undefined, 'ja;q=0, th', 'th'],
  [undefined, 'ja;q=nonsense', 'ja'],
  ['ko', 'ja', 'ko'],
  ['klingon', 'ja', 'ja'],
  [['ko', 'ja'], 'th', 'th'],
] as const)('a link with %s opened by a browser with %s has the language %s', (lang, accepted, tag) => {
  expect(languageOf(lang, accepted)).toBe(tag)
})

test('every language has all texts, with the same placeholders', () => {
  const flatten = (value: object, path = ''): [string, string][] =>
    Object.entries(value).flatMap(([name, inner]) =>
      typeof inner === 'string' ? [[path + name, inner] as [string, string]] : flatten(inner, `${path}${name}.`),
    )
  const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
  const english = flatten(stringsIn('en'))
  for (const tag of pageTags) {
    const strings = new Map(flatten(stringsIn(tag)))
    for (const [path, text] of english) {
      expect([tag, path, names(strings.get(path) ?? '')]).toEqual([tag, path, names(text)])
      expect([tag, path, strings.get(path)?.trim()]).not.toEqual([tag, path, ''])
      // They are inserted into markup and quoted attributes unchanged.
      expect(strings.get(path)).not.toMatch(/[<>&"]/)
    }
  }
})

test('a sentence keeps unfilled placeholders', () => {
  expect(fill('{title}: {price}', { title: 'Paid {price}', price: '1 USD' })).toBe('Paid {price}: 1 USD')
  expect(fill('{left}', {})).toBe('{left}')
})

test('a countdown is in hours if there are any, and in days of its language from two on', () => {
  const hour = 3_600_000
  expect(clockText(19 * 60_000 + 59_999, 'en')).toBe('19:59')
  expect(clockText(-1, 'en')).toBe('0:00')
  expect(clockText(47 * hour + 61_000, 'ja')).toBe('47:01:01')
  expect(clockText(48 * hour, 'en')).toBe('2 days')
  expect(clockText(7 * 24 * hour - 1, 'zh-Hant')).toBe('6 天')
})
