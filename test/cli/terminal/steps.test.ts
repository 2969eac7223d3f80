import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { fitsScreen, runListedSteps, runPlainSteps, type Step } from '../../../src/cli/terminal/steps.ts'

class Recorder extends Writable {
  readonly written: string[] = []
  readonly isTTY = true
  readonly columns = 80
  readonly rows = 24
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.written.push(String(chunk))
    done()
  }
}

async function listed(steps: readonly Step[], stream = new Recorder()) {
  const reports: ((text: string) => void)[] = []
  const options = {
    stream: stream as unknown as NodeJS.WriteStream,
    mask: (text: string) => text.replace('hush', '***'),
  }
  const error = await runListedSteps(steps, options, (report) => reports.push(report)).catch(
    (thrown: unknown) => thrown,
  )
  return { error, reports, screen: screenOf(stream) }
}

const screenOf = ({ written }: Recorder) => stripVTControlCharacters(written.join(''))

const step = (title: string, run: Step['run']): Step => ({ title, run })

test('the list shows every step, the text that a step reports, and why one failed; the next steps run', async () => {
  const done: string[] = []
  const stream = new Recorder()
  const steps = [
    step('read the hush', async (report) => {
      report('3 pages of hush')
      await expect.poll(() => screenOf(stream)).toContain('3 pages of ***')
      return undefined
    }),
    step('write', async () => ({ failed: 'expected 84, found 85' })),
    step('compare', async () => 'skipped'),
    step('close', async () => {
      done.push('close')
      return undefined
    }),
  ]
  const { screen, error, reports } = await listed(steps, stream)
  expect(error).toBeUndefined()
  expect(done).toEqual(['close'])
  expect(reports).toHaveLength(4)
  for (const text of ['Read the ***', '3 pages of ***', 'Write', 'expected 84, found 85', 'Compare', 'Close'])
    expect(screen).toContain(text)
  expect(screen).not.toContain('hush')
})

test('an error ends the run with that error, and the next steps do not run', async () => {
  const done: string[] = []
  const thrown = new Error('no connection')
  const { error } = await listed([
    step('read', () => Promise.reject(thrown)),
    step('write', async () => {
      done.push('write')
      return undefined
    }),
  ])
  expect(error).toBe(thrown)
  expect(done).toEqual([])
})

test('a list that is taller than the screen is not drawn', () => {
  const steps = Array.from({ length: 21 }, (_, i) => step(String(i), async () => undefined))
  expect(fitsScreen(steps, { rows: 24 })).toBe(true)
  expect(fitsScreen(steps, { rows: 23 })).toBe(false)
  expect(fitsScreen(steps, {})).toBe(true)
})

test('without a list the steps report to the progress, and the first error ends the run', async () => {
  const updates: [number, string][] = []
  const steps = [
    step('read', async (report) => {
      report('3 pages')
      return undefined
    }),
    step('write', () => Promise.reject(new Error('disk full'))),
    step('close', async () => undefined),
  ]
  await expect(runPlainSteps(steps, (done, note) => updates.push([done, note]))).rejects.toThrow('disk full')
  expect(updates).toEqual([
    [0, 'read'],
    [0, '3 pages'],
    [1, 'write'],
  ])
})
