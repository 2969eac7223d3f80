import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openKeyboard } from '../../../src/cli/terminal/keyboard.ts'

function aKeyboard() {
  // A terminal is a stream with a raw mode.
  const input = Object.assign(new PassThrough(), { modes: [] as boolean[] }) as unknown as NodeJS.ReadStream & {
    modes: boolean[]
  } & PassThrough
  input.setRawMode = (mode) => {
    input.modes.push(mode)
    return input
  }
  let shown = ''
  const keyboard = openKeyboard(input, { write: (text) => (shown += text) })
  onTestFinished(() => keyboard.close())
  return { input, keyboard, shown: () => shown }
}

test('reads one key at a time, and an arrow as one key', async () => {
  const { input, keyboard } = aKeyboard()
  input.write('a\u001b[Ab')
  expect([await keyboard.key(), await keyboard.key(), await keyboard.key()]).toEqual(['a', '\u001b[A', 'b'])
})

test('reads an escape sequence that arrives in parts as one key, and a lone Escape as itself', async () => {
  const { input, keyboard } = aKeyboard()
  input.write('\u001b')
  input.write('[5')
  input.write('~x\u001b')
  expect([await keyboard.key(), await keyboard.key(), await keyboard.key()]).toEqual(['\u001b[5~', 'x', '\u001b'])
})

test('reads a line with corrections, and shows it as it is typed', async () => {
  const { input, keyboard, shown } = aKeyboard()
  input.write('\u007fab\u007f\u0001c \r')
  expect(await keyboard.line('Note:')).toBe('ac')
  expect(shown()).toBe('Note: ab\b \bc \n')
})

test('returns no line after Escape or the end of input', async () => {
  const { input, keyboard, shown } = aKeyboard()
  input.write('ab\u001b')
  expect(await keyboard.line('Note:')).toBeUndefined()
  input.end('cd')
  expect(await keyboard.line('Note:')).toBeUndefined()
  expect(shown()).toBe('Note: ab\nNote: cd\n')
  expect(await keyboard.key()).toBeUndefined()
  expect(await keyboard.keyWithin(60_000)).toBe('ended')
})

test('waits for a key no longer than the time', async () => {
  const { input, keyboard } = aKeyboard()
  expect(await keyboard.keyWithin(1)).toBe('time')
  input.write('x')
  expect(await keyboard.keyWithin(60_000)).toBe('key')
})

test('is in raw mode until it is closed, and takes no input afterwards', async () => {
  const { input, keyboard } = aKeyboard()
  keyboard.close()
  expect(input.modes).toEqual([true, false])
  expect(input.listenerCount('data')).toBe(0)
  expect(input.isPaused()).toBe(true)
})
