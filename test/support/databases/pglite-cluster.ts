import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'))
const cache = join(root, 'node_modules/.cache/countroom-pglite')
const cached = join(cache, `${version}.tar`)

/** Returns the file of a new, empty cluster of PGlite. Loading it takes a quarter of the CPU time that creating a cluster takes. */
export async function pgliteCluster(): Promise<string> {
  // A process of its own, so that the run's main process can serve its workers during this time.
  if (!existsSync(cached)) await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)])
  return cached
}

/** Writes to a temporary name and renames the file, so that a run never reads an incomplete one. */
async function createCluster(): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'creating-'))
  try {
    // Imported here, because the run's main process needs only the file's name.
    const { PGlite } = await import('@electric-sql/pglite')
    const db = await PGlite.create()
    await db.exec('checkpoint')
    const dump = await db.dumpDataDir('none')
    await db.close()
    const file = join(folder, 'cluster.tar')
    writeFileSync(file, Buffer.from(await dump.arrayBuffer()))
    renameSync(file, cached)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await createCluster()
