import { readFileSync } from 'node:fs'
import { ownFile } from '../../../kit/module-path.ts'

/**
 * Statements that create in an empty database what all migrations lead to, in a fifth of their time. Written by the build
 * from the migrations.
 */
export interface SchemaScript {
  /** Names of the migrations that it replaces, in order. */
  readonly migrations: readonly string[]
  readonly statements: readonly string[]
}

/** Reads the script for a kind of database. `undefined` while the sources run, which have none. */
export function schemaScript(of: 'world' | 'book'): SchemaScript | undefined {
  try {
    return JSON.parse(readFileSync(ownFile(`db/schemas/${of}.json`), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
