import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastSuccessIn, withFigures } from '../../../src/domain/monitoring/metrics.ts'

const labels = { profile: 'house', job: 'bets sync' }

test('a metrics file has a help line, a type and a sample for each known figure', () => {
  expect(withFigures('', labels, { exitCode: 9, rows: 12 })).toBe(
    [
      '# HELP countroom_last_run_exit_code Exit code of the last run.',
      '# TYPE countroom_last_run_exit_code gauge',
      'countroom_last_run_exit_code{profile="house",job="bets sync"} 9',
      '# HELP countroom_rows_total Revisions of slips in the book.',
      '# TYPE countroom_rows_total gauge',
      'countroom_rows_total{profile="house",job="bets sync"} 12',
      '',
    ].join('\n'),
  )
})

test('jobs with any names share a file, and each replaces only its own figures', () => {
  const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/[\r\u2028\u2029]/.test(text))
  fc.assert(
    fc.property(fc.array(fc.record({ profile: name, job: name, at: fc.nat() }), { minLength: 1 }), (runs) => {
      let text = ''
      const last = new Map<string, (typeof runs)[number]>()
      for (const run of runs) {
        text = withFigures(text, run, { exitCode: 0, lastSuccess: run.at })
        last.set(JSON.stringify([run.profile, run.job]), run)
      }
      for (const run of last.values()) expect(lastSuccessIn(text, run)).toBe(run.at)
      const samples = text.split('\n').filter((line) => line.startsWith('countroom_last_success'))
      expect(samples).toHaveLength(last.size)
    }),
  )
})

test('lines of other programs are dropped', () => {
  expect(withFigures('node_load1 3\nother{job="x"} 1\nbroken{', labels, { exitCode: 0 })).not.toMatch(
    /node|other|broken/,
  )
})

test('the samples of a metric are sorted by their labels, and a job has one', () => {
  const jobs = ['a', 'b', 'c'].map((job) => ({ profile: 'house', job }))
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0, 1, 1],
  ]
  for (const order of orders) {
    const text = order.reduce((known, i) => withFigures(known, jobs[i] ?? labels, { exitCode: 0 }), '')
    expect(text.split('\n').filter((line) => line.startsWith('countroom'))).toEqual([
      'countroom_last_run_exit_code{profile="house",job="a"} 0',
      'countroom_last_run_exit_code{profile="house",job="b"} 0',
      'countroom_last_run_exit_code{profile="house",job="c"} 0',
    ])
  }
})

test('a time that is not a number is no success', () => {
  const text = 'countroom_last_success_timestamp_seconds{profile="house",job="bets sync"} NaN\n'
  expect(lastSuccessIn(text, labels)).toBeUndefined()
  expect(lastSuccessIn('', labels)).toBeUndefined()
})
