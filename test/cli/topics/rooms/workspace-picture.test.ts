import { expect, test } from 'vitest'
import { painter } from '../../../../src/cli/terminal/color.ts'
import type { PictureLine } from '../../../../src/cli/terminal/full-screen.ts'
import { widthOf } from '../../../../src/cli/terminal/text.ts'
import { typedView, windowOf } from '../../../../src/cli/topics/rooms/workspace/answer-view.ts'
import { ageText, workspacePicture } from '../../../../src/cli/topics/rooms/workspace/picture.ts'
import { textAtEnd } from '../../../../src/operator/tickets/workspace/edited-text.ts'
import { aMessage, anOpenRoom, aRoom, start } from '../../../operator/tickets/workspace/a-workspace.ts'

const esc = '\u001b'
const hostile = `${esc}[2J${esc}]0;owned\u0007 \u202e存款在哪裡？我已經等了三個小時 เงินฝากของฉันอยู่ที่ไหน 👨‍👩‍👧🎰 ${'long '.repeat(80)}`

const shown = (screen: ReturnType<typeof anOpenRoom>, columns: number, rows: number) =>
  workspacePicture(screen.state, { columns, rows }, { paint: painter(false), target: hostile })

/** Text of a line, and the column after it. */
const endOf = (line: PictureLine) => Math.max(0, ...line.map(({ at, text }) => at + widthOf(text)))
const textOf = (lines: readonly PictureLine[]) => lines.map((line) => line.map(({ text }) => text).join('')).join('\n')

test.each([
  [80, 24],
  [200, 60],
  [64, 10],
  [40, 12],
  [20, 8],
])('fits in %s columns and %s rows in every state, with hostile text everywhere', (columns, rows) => {
  const room = aRoom('r2', {
    customerDisplayName: hostile,
    lastMessagePreview: hostile,
    assignee: { agentId: 'agt_2', displayName: hostile },
    inboxCategoryCode: 'vip',
  })
  const screen = anOpenRoom({ macros: [hostile, 'two'] }).press(esc)
  screen.rooms(room, aRoom('r1')).press('k', '\r')
  screen.messages('r2', aMessage('r2', 4, { text: hostile, senderDisplayName: hostile }))
  const pictures = [shown(screen, columns, rows)]
  const look = () => pictures.push(shown(screen, columns, rows))
  screen.chat('typing', { roomId: 'r2', senderType: 'customer', displayName: hostile, typing: true })
  look()
  screen.event({
    kind: 'key',
    key: { key: hostile.replaceAll(/\p{Cc}/gu, ' '), isPasted: true, id: 'i', page: 1, maxScroll: 0 },
  })
  look()
  screen.press('\r')
  look()
  screen.press('s')
  look()
  for (const keys of [['?'], ['x', 'm'], [esc, 't'], ['x', '/', 'a'], [esc, 'z'], [esc, 'f'], [esc, 'q']]) {
    screen.press(esc, ...keys)
    look()
  }
  screen.event({ kind: 'notice', text: hostile, isBad: true })
  look()
  for (const { lines, cursor } of pictures) {
    expect(lines.length).toBe(rows)
    expect(Math.max(...lines.map(endOf))).toBeLessThanOrEqual(columns)
    const text = textOf(lines)
    expect(text).not.toContain(esc)
    expect(text).not.toContain('\u202e')
    if (cursor) expect(cursor.row < rows && cursor.column < columns).toBe(true)
  }
})

test('shows the queue with waiting times, the conversation, and the answer with the cursor', () => {
  const screen = anOpenRoom().type('存款')
  screen.tick(65_000)
  const { lines, cursor } = shown(screen, 80, 24)
  const text = textOf(lines)
  expect(text).toContain('▸Customer r1')
  expect(text).toMatch(/Customer r1 +✎ +1m/)
  expect(text).toContain('customer Customer r1 #1')
  expect(text).toContain('> 存款')
  expect(cursor).toEqual({ row: 22, column: 6 })
})

test('scrolls up to the first message and not beyond', () => {
  const screen = anOpenRoom()
  screen.messages('r1', ...Array.from({ length: 40 }, (_, i) => aMessage('r1', i + 1)))
  const { maxScroll, page } = shown(screen, 80, 24)
  for (let i = 0; i < 20; i++)
    screen.event({ kind: 'key', key: { key: `${esc}[5~`, isPasted: false, id: 'i', page, maxScroll } })
  expect(screen.state.scroll).toBe(maxScroll)
  expect(textOf(shown(screen, 80, 24).lines)).toContain('customer Customer r1 #1\n')
  expect(textOf(shown(screen, 80, 24).lines)).toContain('newer messages below')
  // In a window that became taller, nothing is below.
  expect(textOf(shown(screen, 80, 140).lines)).not.toContain('newer messages below')
})

test('wraps a typed text at the width of the screen, and keeps the cursor visible', () => {
  expect(typedView(textAtEnd('存款在'), 5)).toEqual({ lines: ['存款', '在'], row: 1, column: 2 })
  expect(typedView({ text: 'abcdef', cursor: 3 }, 4)).toEqual({ lines: ['abcd', 'ef'], row: 0, column: 3 })
  expect(typedView(textAtEnd('👨‍👩‍👧'), 6).lines).toEqual(['👨\\u2…'])
  expect(typedView(textAtEnd('a\n'), 9)).toEqual({ lines: ['a', ''], row: 1, column: 0 })
  const view = typedView({ text: '1\n2\n3\n4\n5', cursor: 0 }, 9)
  expect(windowOf(view, 3)).toEqual({ lines: ['1', '2', '3'], row: 0, column: 0 })
  expect(windowOf(typedView(textAtEnd('1\n2\n3\n4\n5'), 9), 3)).toEqual({ lines: ['3', '4', '5'], row: 2, column: 1 })
})

test.each([
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_600_000, '1h'],
  [86_400_000, '1d'],
  [86_400_000 * 5_000, '999d'],
])('formats %s ms as %s', (ms, text) => {
  expect(ageText(new Date(start).toISOString(), start + ms)).toBe(text)
})
