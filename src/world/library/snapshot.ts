import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World } from '../world.ts'

/** A copy of a whole world, for any database. */
export interface WorldSnapshot {
  /** The world's time in it. */
  readonly worldTime: Date
  /** Content as a portable file, which `countroom sim snapshot load FILE` accepts too. It contains the keys of the world. */
  readonly bytes: Uint8Array
}

export function snapshotOf({ snapshots }: World): Promise<WorldSnapshot> {
  return withFolder(async (folder) => {
    const file = join(folder, 'world.snapshot')
    await snapshots.export(file)
    const { worldTime } = await snapshots.inFile(file)
    return { worldTime: new Date(worldTime), bytes: await readFile(file) }
  })
}

/** Loads a snapshot, or its file. */
export async function loadInto({ snapshots }: World, snapshot: WorldSnapshot | string): Promise<void> {
  if (typeof snapshot === 'string') return void (await snapshots.load({ file: snapshot }))
  await withFolder(async (folder) => {
    const file = join(folder, 'world.snapshot')
    await writeFile(file, snapshot.bytes, { mode: 0o600 })
    await snapshots.load({ file })
  })
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'countroom-snapshot-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
