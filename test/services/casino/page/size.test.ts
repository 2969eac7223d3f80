import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { root } from '../../../support/program/processes.ts'

const folder = join(root, 'dist/src/services/casino/player-page/browser')

test('scripts, style and the texts of one language are at most 45 kB compressed, as built', () => {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => ({ name, bytes: gzipSync(readFileSync(join(folder, name)), { level: 9 }).length }))
  expect(sizes.map(({ name }) => name)).toEqual(expect.arrayContaining(['app.js', 'page.css', 'languages/eng.js']))
  const isOfLanguage = ({ name }: { name: string }) => name.includes('languages/')
  const sum = (all: typeof sizes) => all.reduce((total, { bytes }) => total + bytes, 0)
  const byLanguage = Map.groupBy(sizes.filter(isOfLanguage), ({ name }) => name.split('/').at(-1))
  expect(byLanguage.size).toBe(9)
  const largest = Math.max(...[...byLanguage.values()].map(sum))
  expect(sum(sizes.filter((each) => !isOfLanguage(each))) + largest).toBeLessThanOrEqual(45_000)
})
