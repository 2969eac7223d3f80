import { basename, resolve } from 'node:path'
import { databaseKind } from '../../db/engines/database-name.ts'
import { tryLock } from '../../db/engines/lock.ts'
import type { SnapshotDraft } from '../../db/engines/snapshot-storage.ts'
import { world as worldMigrations } from '../../db/migrations/world/index.ts'
import { openStore, type Store, type Tx } from '../../db/store.ts'
import type { Timeline } from '../../db/timeline.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { letters } from '../../kit/ids.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { releaseAllLeases } from '../../outbox/queries.ts'
import { playerCount, slipCount } from '../../services/casino/queries/audit.ts'
import { renewVersions } from '../../services/casino/queries/live.ts'
import { readFiles, storeFiles } from '../../services/chat/media/portable-files.ts'
import { renewLife } from '../../services/chat/queries/events.ts'
import type { Chat } from '../../services/chat/service.ts'
import { saveMerchant, sealedSecrets } from '../../services/gateway/queries/merchants.ts'
import type { Signer } from '../../services/gateway/signer/signer.ts'
import { saveWorld, worldItself } from '../clock.ts'
import { dropContent, readInfo, readSnapshotFiles, type SnapshotInfo, writeContent } from './content.ts'
import { compareCopies, type SnapshotDiff } from './diff.ts'
import { copyFromFile, saveFileOf } from './files.ts'
import { endInterruptedLoad, type InterruptedLoad, type RunningLoad, saveRunningLoad } from './interrupted.ts'

/** A saved snapshot. */
export interface Snapshot extends Omit<SnapshotInfo, 'transportKey'> {
  /** Address of its content, which is only read. */
  readonly url: string
}

/** The load that the content of a world comes from. */
export interface SnapshotLoad {
  /** Name of the snapshot, or of the portable file. */
  readonly name: string
  /** Machine time of the load. */
  readonly at: number
}

/** Dependencies on the world. */
export interface SnapshotDependencies {
  readonly db: string
  readonly store: Store
  readonly timeline: Timeline
  readonly machineNow: () => number
  readonly signer: Signer
  /** Path of its key file; null if the key ends with the process. */
  readonly signerKey: string | null
  readonly mediaFolder: Chat['config']['mediaFolder']
}

/** Name of a timeline that a load began: random letters, the machine time, and the name of the snapshot. */
const timelineName = /^[^:]+:(\d{1,16}):(.+)$/s

/** Name of a snapshot; other text is the path of a portable file. */
export const snapshotName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/

/**
 * Snapshots of a world: copies of all its rows and files. They are saved and loaded while processes serve the world.
 * Loading replaces the content in one transaction. Every process notices it at its next transaction, and runs earlier
 * requests again.
 */
export class Snapshots {
  readonly #dependencies: SnapshotDependencies

  constructor(dependencies: SnapshotDependencies) {
    this.#dependencies = dependencies
  }

  /** Lists snapshots, newest first, and the names of those that cannot be read. */
  async list(): Promise<{ readonly snapshots: Snapshot[]; readonly unreadable: string[] }> {
    const snapshots: Snapshot[] = []
    const unreadable: string[] = []
    for (const { name, url } of await this.#dependencies.store.snapshots.list()) {
      try {
        snapshots.push(await readSnapshot(name, url))
      } catch (error) {
        if (!isProblem(error, 'INVALID_FILE')) throw error
        unreadable.push(name)
      }
    }
    snapshots.sort((a, b) => b.savedAt - a.savedAt || (a.name < b.name ? -1 : 1))
    return { snapshots, unreadable: unreadable.sort() }
  }

  /**
   * Returns the load that the content of the world comes from; null if it comes from none. A load that was killed has
   * no effect here.
   */
  async lastLoad(): Promise<SnapshotLoad | null> {
    const { timeline } = await this.#dependencies.store.read(worldItself)
    const [, at, name] = timelineName.exec(timeline ?? '') ?? []
    return at === undefined || name === undefined ? null : { name, at: Number(at) }
  }

  /** Returns whether a snapshot of this name exists, also one that cannot be read. */
  async has(name: string): Promise<boolean> {
    return (await this.#dependencies.store.snapshots.list()).some((each) => each.name === name)
  }

  /** Returns a snapshot, or throws NOT_FOUND. */
  async named(name: string): Promise<Snapshot> {
    return readSnapshot(name, (await this.find(name)).url)
  }

  /** Returns the address of a snapshot, also of one that cannot be read, or throws NOT_FOUND. */
  async find(name: string): Promise<{ readonly url: string }> {
    const all = await this.#dependencies.store.snapshots.list()
    const snapshot = all.find((each) => each.name === name)
    if (snapshot) return snapshot
    const names = all.map((each) => each.name).join(', ')
    throw new Problem(
      'NOT_FOUND',
      `There is no snapshot ${JSON.stringify(name)}${names === '' ? `. To create it: countroom sim snapshot save ${name}` : `; there are ${names}`}`,
    )
  }

  /** Saves the world as it is now. Throws CONFLICT when the name is taken. */
  async save(name: string): Promise<Snapshot> {
    if (!snapshotName.test(name)) throw wrongName(name)
    return this.#alone(async () => {
      if (await this.has(name)) throw taken(name)
      const draft = await this.#complete(name)
      try {
        if (!(await draft.publish(name))) throw taken(name)
      } catch (error) {
        await draft.discard()
        throw error
      }
      return this.named(name)
    })
  }

  /** Writes a portable file of a snapshot, or of the world as it is now. */
  async export(file: string, name?: string, replaces = false): Promise<void> {
    if (name !== undefined) return saveFileOf((await this.named(name)).url, file, replaces)
    await this.#alone(async () => {
      const draft = await this.#complete('exported')
      try {
        await saveFileOf(draft.url, file, replaces)
      } finally {
        await draft.discard()
      }
    })
  }

  /** Loads a snapshot by its name, or from a portable file. Returns its description. */
  load(source: { readonly name: string } | { readonly file: string }): Promise<Omit<SnapshotInfo, 'transportKey'>> {
    const { store, timeline, machineNow } = this.#dependencies
    return this.#alone(async () => {
      const shown = 'name' in source ? (await this.named(source.name)).name : resolve(source.file)
      const at = machineNow()
      const line = [letters(16, realAmbient(machineNow).random), at, basename(shown)].join(':')
      const running = { source: shown, at, line }
      await store.write((tx) => saveRunningLoad(tx, running))
      let draft: SnapshotDraft | undefined
      try {
        draft =
          'name' in source ? await store.snapshots.copySnapshot(shown) : await copyFromFile(store.snapshots, shown)
        const { transportKey: _, ...info } = await this.#prepare(draft, shown, running)
        await draft.load()
        await timeline.run(() => store.write((tx) => saveRunningLoad(tx, null)))
        await timeline.adopted()
        return info
      } catch (error) {
        await draft?.discard()
        // If the database cannot be reached now, the next run reports that the load was interrupted.
        await timeline.run(() => store.write((tx) => saveRunningLoad(tx, null))).catch(() => {})
        throw error
      }
    })
  }

  /**
   * Removes what killed runs left, unless the next step does so. Returns the snapshot load that was interrupted; null
   * if none was, or if another run saves or loads now.
   */
  async recover({ sweeps = true } = {}): Promise<InterruptedLoad | null> {
    const { db, store, mediaFolder } = this.#dependencies
    if (databaseKind(db) === 'memory') return null
    const lock = await tryLock(db, 'snapshots')
    if (lock === undefined) return null
    try {
      if (sweeps) await store.snapshots.sweep()
      return await endInterruptedLoad(store, mediaFolder)
    } finally {
      await lock.release()
    }
  }

  /** Deletes a snapshot, or throws NOT_FOUND. */
  delete(name: string): Promise<void> {
    return this.#alone(async () => {
      await this.find(name)
      await this.#dependencies.store.snapshots.remove(name)
    })
  }

  /** Returns the description in a portable file. */
  async inFile(file: string): Promise<Omit<SnapshotInfo, 'transportKey'>> {
    const { transportKey: _, ...info } = await readInfo(file, file)
    return info
  }

  /** Compares two snapshots, or one with the world as it is now. */
  async diff(from: string, to?: string): Promise<SnapshotDiff> {
    const { store } = this.#dependencies
    const before = await this.named(from)
    if (to !== undefined) return compareCopies(store.snapshots, before.url, (await this.named(to)).url)
    return this.#alone(async () => {
      const draft = await store.snapshots.copyLive()
      try {
        return await compareCopies(store.snapshots, before.url, draft.url)
      } finally {
        await draft.discard()
      }
    })
  }

  /** Copies the world, with its files and a description. */
  async #complete(name: string): Promise<SnapshotDraft> {
    const { store, machineNow, mediaFolder, signer } = this.#dependencies
    const savedAt = machineNow()
    const draft = await store.snapshots.copyLive()
    try {
      await onCopy(draft.url, async (copy) => {
        const transportKey = Buffer.from(realAmbient().random(32)).toString('base64')
        const secrets = await copy.read(sealedSecrets)
        const wrapped: { id: string; sealed: string }[] = []
        for (const { id, sealed } of secrets)
          wrapped.push({ id, sealed: await signer.wrap(sealed, transportKey).catch(this.#explainKey(id)) })
        await copy.write(async (tx) => {
          const { clock_offset } = await worldItself(tx)
          for (const { id, sealed } of wrapped) await saveMerchant(tx, id, { totp_sealed: sealed })
          const info = {
            name,
            savedAt,
            worldTime: savedAt + clock_offset,
            slips: await slipCount(tx),
            players: await playerCount(tx),
            migrations: worldMigrations.steps.length,
            transportKey,
          }
          await writeContent(tx.q as never, info, await readFiles(mediaFolder, tx))
        })
      })
      return draft
    } catch (error) {
      await draft.discard()
      throw error
    }
  }

  /** Makes a copy of a snapshot the content of this world: its clock, its files, its secrets, and marks of a new timeline. */
  async #prepare(draft: SnapshotDraft, shown: string, running: RunningLoad): Promise<SnapshotInfo> {
    const { store, machineNow, mediaFolder, signer } = this.#dependencies
    const info = await readInfo(draft.url, shown)
    const ambient = realAmbient(machineNow)
    await onCopy(draft.url, async (copy) => {
      const secrets = await copy.read(sealedSecrets)
      const sealed: { id: string; sealed: string }[] = []
      for (const { id, sealed: wrapped } of secrets)
        sealed.push({ id, sealed: await signer.unwrap(wrapped, info.transportKey) })
      const here = await store.read(worldItself)
      await copy.write(
        async (tx) => {
          await storeFiles(mediaFolder, tx, await readSnapshotFiles(tx.q as never))
          await dropContent(tx.q as never)
          for (const { id, sealed: own } of sealed) await saveMerchant(tx, id, { totp_sealed: own })
          await releaseAllLeases(tx)
          await renewVersions(tx, machineNow())
          await renewLife(tx, ambient.id())
          await keepServing(tx, here, info.worldTime - machineNow(), running.line)
          await saveRunningLoad(tx, running)
        },
        { at: info.worldTime },
      )
    })
    return info
  }

  /** Explains why a two-factor secret cannot be read. A snapshot without it would lock its merchant out. */
  #explainKey(merchant: string): (cause: unknown) => never {
    const { signerKey } = this.#dependencies
    const where = signerKey === null ? 'This process has no key file' : `The key file here is ${signerKey}`
    return (cause) => {
      throw new Problem(
        'BAD_CONFIGURATION',
        `Cannot save the two-factor secret of the merchant ${merchant}: it was encrypted with another key of the signing service; nothing was saved. ${where}. Copy the key file of the machine that created the merchant to it`,
        { merchant, signerKey },
        { cause },
      )
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const { db, store } = this.#dependencies
    const lock = databaseKind(db) === 'memory' ? undefined : await tryLock(db, 'snapshots')
    if (lock === undefined && databaseKind(db) !== 'memory')
      throw new Problem(
        'LOCKED_BY_ANOTHER',
        'Another run is saving or loading a snapshot of this world. Try again when it has ended',
      )
    try {
      await store.snapshots.sweep()
      return await work()
    } finally {
      await lock?.release()
    }
  }
}

/** Keeps the values of the processes that serve the world; all others are those of the snapshot. */
async function keepServing(tx: Tx, here: Awaited<ReturnType<typeof worldItself>>, offset: number, timeline: string) {
  const { runs } = await worldItself(tx)
  const { served_url, public_url, public_callbacks, allows_faults, desk_token } = here
  await saveWorld(tx, {
    ...{ served_url, public_url, public_callbacks, allows_faults, desk_token },
    clock_offset: offset,
    runs: runs + 1,
    timeline,
  })
}

async function onCopy(url: string, work: (copy: Store) => Promise<void>): Promise<void> {
  const copy = await openStore({ url, migrations: worldMigrations, now: Date.now, poolSize: 2 })
  try {
    await work(copy)
  } finally {
    await copy.close()
  }
}

async function readSnapshot(name: string, url: string): Promise<Snapshot> {
  const { transportKey: _, ...info } = await readInfo(url, name)
  // A file that was renamed is a snapshot of its new name.
  return { ...info, name, url }
}

function wrongName(name: string): Problem {
  return new Problem(
    'INVALID_USAGE',
    `A snapshot's name has up to 40 letters, digits, hyphens and underscores; received ${JSON.stringify(name.slice(0, 60))}`,
  )
}

function taken(name: string): Problem {
  return new Problem(
    'CONFLICT',
    `Snapshot ${name} already exists. To replace it, delete it first: countroom sim snapshot delete ${name}`,
    { name },
  )
}
