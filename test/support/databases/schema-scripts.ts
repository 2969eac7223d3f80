import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { schemaScripts } from '../../../scripts/schema-scripts.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the scripts that create new SQLite databases in this run. */
    schemaScripts: string
  }
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Writes the scripts that create new SQLite databases, from the migrations of the sources. The sources have no scripts: to
 * run all migrations for each new database takes 200 ms. vitest calls this setup once, before all files.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-schemas-'))
  for (const [name, script] of await schemaScripts(root))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(script))
  project.provide('schemaScripts', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

let isRead = false

/** Lets the sources of this worker read the scripts of a folder where the build has its own, while `isUsed` returns true. */
export function readSchemaScripts(folder: string, isUsed: () => boolean): void {
  if (isRead) return
  isRead = true
  const texts = new Map(
    ['world', 'book'].map((name) => [join(root, `src/db/schemas/${name}.json`), join(folder, `${name}.json`)]),
  )
  const { readFileSync } = fs
  fs.readFileSync = ((path: fs.PathOrFileDescriptor, options: 'utf8') => {
    const given = typeof path === 'string' ? texts.get(path) : undefined
    return readFileSync(given !== undefined && isUsed() ? given : path, options)
  }) as typeof readFileSync
  syncBuiltinESMExports()
}
