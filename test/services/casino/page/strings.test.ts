import { describe, expect, test } from 'vitest'
import { languages } from '../../../../src/domain/players/player.ts'
import type { Strings } from '../../../../src/services/casino/player-page/browser/messages.ts'
import type { RuleStrings } from '../../../../src/services/casino/player-page/browser/panels/strings.ts'

describe.each(languages)('%s', (language) => {
  const strings = async (): Promise<Strings> =>
    (await import(`../../../../src/services/casino/player-page/browser/languages/${language.toLowerCase()}.ts`)).strings

  test('no two sides of a road have the same sign', async () => {
    const { banker, player, dragon, tiger, tie } = (await strings()).marks
    for (const road of [
      [banker, player, tie],
      [dragon, tiger, tie],
    ])
      expect(new Set(road).size).toBe(road.length)
  })

  test('every poker hand has a name of its own', async () => {
    const { hands } = await strings()
    const names = [
      'high',
      'pair',
      'twoPair',
      'trips',
      'straight',
      'flush',
      'fullHouse',
      'quads',
      'straightFlush',
      'royal',
    ]
    expect(new Set(names.map((name) => hands[name] ?? '')).size).toBe(names.length)
    expect(names.filter((name) => !hands[name])).toEqual([])
  })

  test('the rules call bets, the pot and the bull what the table calls them', async () => {
    const rules: RuleStrings = (
      await import(`../../../../src/services/casino/player-page/browser/panels/languages/${language.toLowerCase()}.ts`)
    ).strings
    const { zones, niu } = await strings()
    const missing = (game: keyof RuleStrings['texts'], names: readonly string[]) =>
      names.filter((name) => !rules.texts[game].toLowerCase().includes(name.toLowerCase()))
    const named = (...codes: string[]) => codes.map((code) => zones[code] ?? code)
    expect(missing('dragontiger', named('D', 'TG', 'DB', 'DS', 'DO', 'DE'))).toEqual([])
    expect(missing('casino', named('ANTE'))).toEqual([])
    expect(missing('thbp', named('ANTE', 'TURN', 'RIVER'))).toEqual([])
    expect(missing('nlhe', named('POT'))).toEqual([])
    expect(missing('niuniu', [niu.replace('{0}', '').trim(), ...named('X')])).toEqual([])
  })

  test('a sentence has the same placeholders as in English', async () => {
    const english: Strings = (await import('../../../../src/services/casino/player-page/browser/languages/eng.ts'))
      .strings
    const here = await strings()
    expect(gapsOf(here)).toEqual(gapsOf(english))
  })
})

/** The placeholders of every sentence, by its path: `won` has `{0}`. */
function gapsOf(part: object, at = ''): Record<string, string> {
  const gaps: Record<string, string> = {}
  for (const [name, value] of Object.entries(part)) {
    const path = at === '' ? name : `${at}.${name}`
    if (typeof value === 'string') gaps[path] = (value.match(/\{\d\}/g) ?? []).toSorted().join('')
    else Object.assign(gaps, gapsOf(value, path))
  }
  return gaps
}
