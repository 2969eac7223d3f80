import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test, vi } from 'vitest'
import { endedAfter, openProgress, type ProgressOptions } from '../../../src/cli/terminal/progress.ts'

class Recorder extends Writable {
  readonly written: string[] = []
  readonly isTTY = true
  readonly columns = 40
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.written.push(String(chunk))
    done()
  }
  cursorTo = () => this.write('\r')
  clearLine = () => this.write('<clear>')
  moveCursor = () => true
}

function recorded(options: Partial<ProgressOptions>) {
  const stream = new Recorder()
  const clock = { now: 0 }
  const progress = openProgress({
    label: 'Pulling bets',
    mode: 'plain',
    stream: stream as unknown as NodeJS.WriteStream,
    mask: (text) => text.replace('secret', '***'),
    hasColor: false,
    now: () => clock.now,
    ...options,
  })
  return { progress, stream, written: stream.written, clock }
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

test('steps without a count are shown without a number', async () => {
  const { progress, written, clock } = recorded({})
  clock.now = 10_000
  progress.update(0, 'reading the day again')
  progress.end()
  expect(written[1]).toBe('Pulling bets: reading the day again\n')
  const live = recorded({ mode: 'live' })
  live.clock.now = 2000
  live.progress.update(0, 'reading the day again')
  await import('ora')
  await Promise.resolve()
  live.progress.stop()
  expect(stripVTControlCharacters(live.written.join(''))).toContain('Pulling bets  reading the day again')
})

test('--quiet prints no progress', () => {
  const { progress, written, clock } = recorded({ mode: 'silent' })
  clock.now = 60_000
  progress.update(1)
  progress.end()
  expect(written).toEqual([])
})

test('on a terminal one line is overwritten in place, never wider than the screen, and replaced by the last line', async () => {
  await import('ora')
  vi.useFakeTimers()
  try {
    const { progress, stream, written, clock } = recorded({ mode: 'live', total: 100 })
    await vi.advanceTimersByTimeAsync(100)
    clock.now = 2000
    progress.update(50, 'a note much longer than the screen could ever show in one line, with a secret')
    await vi.advanceTimersByTimeAsync(250)
    const frames = written.filter((text) => text.includes('Pulling bets  ['))
    expect(frames.length).toBeGreaterThanOrEqual(2)
    for (const frame of frames) expect(stripVTControlCharacters(frame).trim().length).toBeLessThanOrEqual(39)
    expect(frames[0]).toContain('[==========          ]')
    progress.end('100 rows')
    expect(written.at(-1)).toBe('Pulling bets: 100 rows\n')
    expect(written.join('')).not.toContain('secret')
    const drawn = written.length
    await vi.advanceTimersByTimeAsync(1000)
    expect(written.length).toBe(drawn)
    stream.write('a line of somebody else\n')
    expect(written.at(-1)).toBe('a line of somebody else\n')
  } finally {
    vi.useRealTimers()
  }
})

test('a progress that ends before it was drawn prints only its last line', async () => {
  const { progress, written } = recorded({ mode: 'live' })
  progress.end('3 rows')
  await import('ora')
  await Promise.resolve()
  expect(written).toEqual(['Pulling bets: 3 rows\n'])
})

test('work that fails ends its progress as stopped', async () => {
  const { progress, written } = recorded({})
  await expect(endedAfter(progress, Promise.reject(new Error('no connection')))).rejects.toThrow('no connection')
  const done = recorded({})
  expect(await endedAfter(done.progress, Promise.resolve(3), (count) => `${count} players`)).toBe(3)
  expect([written.at(-1), done.written.at(-1)]).toEqual(['Pulling bets: stopped\n', 'Pulling bets: 3 players\n'])
})
