import { describe, expect, test } from 'vitest'
import { leftoversIn } from '../../../../src/domain/tickets/outgoing/placeholders.ts'

const hitsIn = (text: string) => leftoversIn(text).map(({ rule, match }) => [rule, match])

test('a text without leftovers has no matches', () => {
  expect(leftoversIn('Dear Ann,\n\nyour deposit of 20 USD has arrived.\n\nBest regards\nThe team')).toEqual([])
  expect(leftoversIn('')).toEqual([])
})

test('each match is reported once, with its position, rule by rule and in the order of the text', () => {
  const text = 'Hi {name}, see [link].\n@bob please check {amount}'
  expect(leftoversIn(text)).toMatchObject([
    { rule: 'placeholder', match: '{name}', at: 3 },
    { rule: 'placeholder', match: '[link]', at: 15 },
    { rule: 'placeholder', match: '{amount}', at: 41 },
    { rule: 'mention', match: '@bob', at: 23 },
  ])
})

describe('a placeholder', () => {
  test.each([
    '{{customer.name}}',
    '{name}',
    '[Your Name]',
    '[TODO]',
    '<customer name>',
    '%PLAYER_NAME%',
    '%s',
    '__NAME__',
    'TBD',
    '【姓名】您好',
    '[客戶姓名]',
    'Name: ______',
  ])('%s', (text) => {
    expect(leftoversIn(`x ${text}`).map(({ rule }) => rule)).toEqual(['placeholder'])
  })

  test.each(['{"name": "Ann"}', '[the rules](https://example.com)', '100% sure', 'snake_case', 'a < b > c', '[sic]'])(
    '%s does not match',
    (text) => {
      expect(leftoversIn(text)).toEqual([])
    },
  )
})

test('a mention of a colleague, and no address', () => {
  expect(hitsIn('@lead can you look')).toEqual([['mention', '@lead']])
  expect(hitsIn('Write to help@casino.example or see https://x.example/@us')).toEqual([])
})

test.each([
  '## Internal note: limit raised',
  'Internal notes: limit raised',
  '內部備註：已調整',
  'For internal use only',
])('an internal note: %s', (text) => {
  expect(leftoversIn(text).map(({ rule }) => rule)).toContain('hand-off')
})

test('a sentence about an internal matter is no heading', () => {
  expect(hitsIn('Our internal checks are done.')).toEqual([])
})

test.each([
  'Dear ,',
  'Hello ,',
  'Your balance is undefined',
  'It arrives on Invalid Date',
  'You get NaN USD',
  '尊敬的，',
])('an empty variable: %s', (text) => {
  expect(leftoversIn(text).map(({ rule }) => rule)).toEqual(['empty-variable'])
})

test('"null and void" are words of any rules', () => {
  expect(hitsIn('The bet is null and void.')).toEqual([])
})

const placedHitsIn = (text: string) => leftoversIn(text).map(({ rule, match, at }) => [rule, match, at])

test('each position is reported once, in any of its forms', () => {
  expect(placedHitsIn('Dear {{name}}, hello')).toEqual([['placeholder', '{{name}}', 5]])
  expect(placedHitsIn('Dear [xxx],')).toEqual([['placeholder', '[xxx]', 5]])
  expect(placedHitsIn('please look <@U024BE7LH>')).toEqual([['mention', '@U024BE7LH', 13]])
})

test('adjacent places are two, in the order of the text', () => {
  expect(placedHitsIn('{{name}}{{amount}}')).toEqual([
    ['placeholder', '{{name}}', 0],
    ['placeholder', '{{amount}}', 8],
  ])
  // Braces are searched before brackets.
  expect(placedHitsIn('[name]{{amount}}')).toEqual([
    ['placeholder', '[name]', 0],
    ['placeholder', '{{amount}}', 6],
  ])
  expect(placedHitsIn('{{name}}[amount]')).toEqual([
    ['placeholder', '{{name}}', 0],
    ['placeholder', '[amount]', 8],
  ])
  expect(placedHitsIn('[name], you get {{amount}} or [bonus] by {date}')).toEqual([
    ['placeholder', '[name]', 0],
    ['placeholder', '{{amount}}', 16],
    ['placeholder', '[bonus]', 30],
    ['placeholder', '{date}', 41],
  ])
})

test('matches of several rules are in the order of the rules', () => {
  expect(placedHitsIn('Internal: ask @bob for {{name}}, it is undefined').map(([rule]) => rule)).toEqual([
    'placeholder',
    'mention',
    'hand-off',
    'empty-variable',
  ])
})
