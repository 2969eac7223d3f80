import type { SchemaScript } from '../src/db/engines/sqlite/schema-script.ts'

/** Returns the script of each kind of database, made from the migrations of the sources. */
export function schemaScripts(root: string): Promise<[of: 'world' | 'book', script: SchemaScript][]>
