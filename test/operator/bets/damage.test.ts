import { expect, test } from 'vitest'
import { contradictionsIn } from '../../../src/operator/bets/alarms.ts'
import type { FileStatus } from '../../../src/operator/bets/schema.ts'
import { damagedFiles } from '../../../src/operator/bets/status.ts'

test('of the warnings of a run, those of revisions with different content are contradictions', () => {
  const alarm = (kind: 'contradiction' | 'step-back' | 'gap', slipId: string) => ({
    kind,
    slipId,
    rev: 1,
    message: '',
    detail: null,
  })
  const alarms = [alarm('gap', 'a'), alarm('contradiction', 'b'), alarm('step-back', 'c')]
  expect(contradictionsIn({ alarms }).map(({ slipId }) => slipId)).toEqual(['b'])
})

test('a checked file is damaged unless it is intact, and an unchecked one is not', () => {
  const file = (name: string, state: FileStatus['state']) => ({ file: name, rows: 1, bytes: 2, sha256: 'x', state })
  const folders = [
    { folder: '/a', files: [file('1.csv', 'intact'), file('2.csv', 'missing'), file('3.csv', 'not checked')] },
    {
      folder: '/b',
      files: [file('1.csv', 'changed'), file('2.csv', 'unfinished'), file('3.csv', 'not in the manifest')],
    },
  ]
  expect(damagedFiles({ folders })).toEqual([
    { folder: '/a', file: '2.csv', state: 'missing' },
    { folder: '/b', file: '1.csv', state: 'changed' },
    { folder: '/b', file: '2.csv', state: 'unfinished' },
    { folder: '/b', file: '3.csv', state: 'not in the manifest' },
  ])
})
