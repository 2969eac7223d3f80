import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/program/processes.ts'
import { applying } from './applying.ts'
import { isQuick, machine, table } from './bench.ts'
import { breaking } from './breaking.ts'
import { holding, pushing, searching, writing } from './chatting.ts'
import { banking, depositing } from './depositing.ts'
import { growing } from './growing.ts'
import { largeWorld } from './large-world.ts'
import { painting } from './pages/desk.ts'
import { opening } from './pages/opening.ts'
import { partitioning } from './partitioning.ts'
import { exporting, reading, reconciling } from './reading.ts'
import { recording } from './recording.ts'
import { scaling } from './scaling.ts'
import { seeking } from './seeking.ts'
import { completing, serving, starts } from './starting.ts'
import { summarizing } from './summarizing.ts'
import { syncing, weighing } from './syncing.ts'

/**
 * `npm run bench`: the figures of docs/benchmarks.md, each next to its baseline from the same run. Takes several
 * minutes.
 * `npm run bench -- quick` measures smaller amounts and writes no file; `npm run bench -- starts syncing` measures
 * these parts; `npm run bench -- growing large-world large` measures the largest books and worlds.
 */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  starts,
  completing,
  serving,
  painting,
  opening,
  syncing,
  weighing,
  depositing,
  banking,
  recording,
  partitioning,
  applying,
  reading,
  reconciling,
  exporting,
  summarizing,
  seeking,
  growing,
  'large-world': largeWorld,
  scaling,
  pushing,
  holding,
  writing,
  searching,
  breaking,
}
const words = process.argv.slice(2).filter((word) => word !== 'quick' && word !== 'large')
const unknown = words.filter((word) => !Object.hasOwn(parts, word))
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}\n`)
  process.exit(2)
}
for (const name of words.length > 0 ? words : Object.keys(parts)) await parts[name]?.()

process.stdout.write(`${table()}\n`)
if (!isQuick && words.length === 0) {
  const file = join(root, 'docs/benchmarks.md')
  const figures = `<!-- figures -->\n\n${machine()}\n\n${table()}\n\n<!-- /figures -->`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<!-- figures -->[\s\S]*<!-- \/figures -->/, figures))
}
