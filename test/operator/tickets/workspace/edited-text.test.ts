import { expect, test } from 'vitest'
import { type EditedText, edited, textAtEnd } from '../../../../src/operator/tickets/workspace/edited-text.ts'

const esc = '\u001b'
const after = (text: string, ...keys: readonly string[]) =>
  keys.reduce<EditedText>((edit, key) => edited(edit, key) ?? edit, textAtEnd(text))

test.each([
  ['letters', 'ab', ['c'], 'abc', 3],
  ['Backspace', 'ab', ['\u007f'], 'a', 1],
  ['Backspace on an emoji of several parts', 'a👨‍👩‍👧', ['\u007f'], 'a', 1],
  ['Backspace on a Thai letter with its vowel and tone', 'กที่', ['\u007f'], 'ก', 1],
  ['arrows', '存款', [`${esc}[D`, 'x'], '存x款', 2],
  ['Home and Delete', 'abc', [`${esc}[H`, `${esc}[3~`], 'bc', 0],
  ['Ctrl-A, End', 'abc', ['\u0001', `${esc}[F`, 'd'], 'abcd', 4],
  ['Home in the second line', 'ab\ncd', [`${esc}[H`, 'x'], 'ab\nxcd', 4],
  ['Ctrl-W', 'one two ', ['\u0017'], 'one ', 4],
  ['Ctrl-U', 'one', ['\u0015'], '', 0],
  ['keys that do not edit', 'one', ['\u0003', `${esc}[15~`, esc], 'one', 3],
] as const)('%s', (_, text, keys, result, cursor) => {
  expect(after(text, ...keys)).toEqual({ text: result, cursor })
})
