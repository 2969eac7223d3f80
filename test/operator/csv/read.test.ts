import { expect, test } from 'vitest'
import { csvTable } from '../../../src/operator/csv/read.ts'

test('a file can have more rows than a call may have arguments', async () => {
  const { head, rows } = await csvTable(`id\n${'x\n'.repeat(150_000)}`, 'The file')
  expect([head, rows.length, rows.at(-1)]).toEqual([['id'], 150_000, { line: 150_001, cells: ['x'] }])
})
