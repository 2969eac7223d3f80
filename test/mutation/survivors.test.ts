import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ofUseCases } from './concerned.ts'
import { mutantsOf } from './mutants.ts'
import { leastPercent, namesIn, readRecord, readRows } from './record.ts'

/** docs/mutation.md against the current sources: a survivor is listed by the text of its line, which can change. */

const root = join(import.meta.dirname, '../..')
const record = readFileSync(join(root, 'docs/mutation.md'), 'utf8')

test('every listed survivor is a change of its current source', () => {
  const { listed } = readRecord(record)
  const bySource = Map.groupBy(listed, (name) => name.slice(0, name.indexOf(':')))
  expect(bySource.size).toBeGreaterThan(50)
  const stale = [...bySource].flatMap(([source, names]) => {
    if (!existsSync(join(root, source))) return names
    const text = readFileSync(join(root, source), 'utf8')
    const known = new Set(namesIn(source, text, mutantsOf(text)).values())
    return names.filter((name) => !known.has(name))
  })
  expect(stale).toEqual([])
})

test('every listed line has a reason, and is parsed', () => {
  const lines = record.split('\n').filter((line) => line.startsWith('- src/'))
  const { listed } = readRecord(record)
  expect(lines.filter((line) => ![...listed].some((name) => line.startsWith(`- ${name} — `)))).toEqual([])
})

test('every test that is named for a use case exists', () => {
  const named = ofUseCases.flatMap(([, tests]) => tests)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([])
})

test('every measured source exists, and its figures reach the required percentage', () => {
  const rows = readRows(record)
  expect(rows.size).toBeGreaterThan(100)
  const gone = [...rows.keys()].filter((source) => !existsSync(join(root, source)))
  const low = [...rows].filter(([, { mutants, noticed, equivalent }]) => {
    return 100 * noticed < leastPercent * (mutants - equivalent)
  })
  expect([gone, low.map(([source]) => source)]).toEqual([[], []])
})
