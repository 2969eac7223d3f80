import { expect, test } from 'vitest'
import { leftoversIn } from '../../../../src/domain/tickets/outgoing/placeholders.ts'

const found = (text: string) => leftoversIn(text).map(({ rule, found, at }) => [rule, found, at])

test('each place is found once, whichever forms it has', () => {
  expect(found('Dear {{name}}, hello')).toEqual([['placeholder', '{{name}}', 5]])
  expect(found('Dear [xxx],')).toEqual([['placeholder', '[xxx]', 5]])
  expect(found('please look <@U024BE7LH>')).toEqual([['mention', '@U024BE7LH', 13]])
})

test('places beside each other are two, in the order of the text', () => {
  expect(found('{{name}}{{amount}}')).toEqual([
    ['placeholder', '{{name}}', 0],
    ['placeholder', '{{amount}}', 8],
  ])
  // Braces are looked for before brackets.
  expect(found('[name]{{amount}}')).toEqual([
    ['placeholder', '[name]', 0],
    ['placeholder', '{{amount}}', 6],
  ])
  expect(found('{{name}}[amount]')).toEqual([
    ['placeholder', '{{name}}', 0],
    ['placeholder', '[amount]', 8],
  ])
  expect(found('[name], you get {{amount}} or [bonus] by {date}')).toEqual([
    ['placeholder', '[name]', 0],
    ['placeholder', '{{amount}}', 16],
    ['placeholder', '[bonus]', 30],
    ['placeholder', '{date}', 41],
  ])
})

test('what is found of several rules comes in the order of the rules', () => {
  expect(found('Internal: ask @bob for {{name}}, it is undefined').map(([rule]) => rule)).toEqual([
    'placeholder',
    'mention',
    'hand-off',
    'empty-variable',
  ])
})
