import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openFullScreen } from '../../../src/cli/terminal/full-screen.ts'

function aTerminal() {
  const written: string[] = []
  const output = Object.assign(new EventEmitter(), {
    columns: 20,
    rows: 3,
    write: (text: string) => written.push(text) > 0,
  })
  const screen = openFullScreen(output as unknown as NodeJS.WriteStream)
  onTestFinished(() => screen.close())
  return { output, screen, written: () => written.splice(0).join('') }
}

const line = (text: string) => [{ at: 0, text }]
const esc = '\u001b['

test('writes only lines that changed, each part at its column, without what was between them', () => {
  const { screen, written } = aTerminal()
  expect(written()).toContain(`${esc}?1049h`)
  screen.draw({ lines: [line('one'), line('two')] })
  expect(written()).toContain('one')
  screen.draw({
    lines: [
      line('one'),
      [
        { at: 0, text: '存' },
        { at: 5, text: 'x' },
      ],
    ],
    cursor: { row: 1, column: 2 },
  })
  const text = written()
  expect(text).toContain(`${esc}2;1H${esc}K存${esc}0m${esc}K${esc}6Gx${esc}0m`)
  expect(text).toContain(`${esc}2;3H${esc}?25h`)
  expect(text).not.toContain('one')
  screen.draw({
    lines: [
      line('one'),
      [
        { at: 0, text: '存' },
        { at: 5, text: 'x' },
      ],
    ],
    cursor: { row: 1, column: 2 },
  })
  expect(written()).toBe('')
})

test('draws everything again after a change of the size', () => {
  const { output, screen, written } = aTerminal()
  const draw = () => screen.draw({ lines: [line('one')] })
  screen.onResize(draw)
  draw()
  written()
  output.emit('resize')
  expect(written()).toContain('one')
})

test('restores the terminal once, and draws nothing afterwards', () => {
  const { output, screen, written } = aTerminal()
  written()
  screen.close()
  screen.close()
  expect(written()).toBe(`${esc}?2004l${esc}?7h${esc}?25h${esc}0m${esc}?1049l`)
  screen.draw({ lines: [line('late')] })
  expect([written(), output.listenerCount('resize')]).toEqual(['', 0])
})
