import { expect, test, vi } from 'vitest'
import { openProgress, type ProgressOptions } from '../../../src/cli/terminal/progress.ts'

function recorded(options: Partial<ProgressOptions>) {
  const written: string[] = []
  const clock = { now: 0 }
  const progress = openProgress({
    label: 'Pulling bets',
    mode: 'plain',
    write: (text) => void written.push(text),
    width: () => 60,
    now: () => clock.now,
    ...options,
  })
  return { progress, written, clock }
}

test('off a terminal there is a line at the start, at most one in ten seconds, and one at the end', () => {
  const { progress, written, clock } = recorded({ total: 4000 })
  for (let second = 1; second <= 25; second++) {
    clock.now = second * 1000
    progress.update(second * 100)
  }
  progress.end('2,500 rows')
  expect(written).toEqual([
    'Pulling bets…\n',
    'Pulling bets: 1,000 of 4,000 (25%)\n',
    'Pulling bets: 2,000 of 4,000 (50%)\n',
    'Pulling bets: 2,500 rows\n',
  ])
})

test('with --quiet nothing is said', () => {
  const { progress, written, clock } = recorded({ mode: 'silent' })
  clock.now = 60_000
  progress.update(1)
  progress.end()
  expect(written).toEqual([])
})

test('on a terminal one line is drawn over itself, never wider than the screen, and replaced by the last word', () => {
  vi.useFakeTimers()
  try {
    const { progress, written, clock } = recorded({ mode: 'live', total: 100, width: () => 40 })
    clock.now = 2000
    progress.update(50, 'a note much longer than the screen could ever show in one line')
    vi.advanceTimersByTime(250)
    progress.end('100 rows')
    const frames = written.filter((text) => text.includes('Pulling bets  ['))
    expect(frames.length).toBe(2)
    for (const frame of frames) expect(frame.replace('\r\u001b[K', '').length).toBeLessThanOrEqual(39)
    expect(frames[0]).toContain('[==========          ]')
    expect(written.at(-1)).toBe('Pulling bets: 100 rows\n')
    const drawn = written.length
    vi.advanceTimersByTime(1000)
    expect(written.length).toBe(drawn)
  } finally {
    vi.useRealTimers()
  }
})
