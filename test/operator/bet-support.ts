import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Transport } from '../../src/http/contract/wire-types.ts'
import { type Disk, type DiskFile, realDisk } from '../../src/operator/bets/files/disk.ts'
import type { SyncSummary } from '../../src/operator/bets/schema.ts'
import { syncBets } from '../../src/operator/bets/sync/sync.ts'
import type { SyncOptions, SyncProgress } from '../../src/operator/bets/sync/types.ts'
import type { Book } from '../../src/operator/book/book.ts'
import type { CountRoom } from './reconcile-support.ts'

export interface Pulling {
  readonly book?: Book
  readonly bookUrl?: string
  readonly disk?: Disk
  readonly transport?: Transport
  readonly stop?: AbortSignal
  readonly options?: Partial<SyncOptions>
  /** Called for every page; returns `false` when the caller stops reading. */
  readonly onProgress?: (state: SyncProgress) => boolean
  /** Called with the duration of each wait, which advances the room's clock instead of waiting. */
  readonly onSleep?: (ms: number) => void
  readonly companyCode?: string
}

export interface Pulled {
  readonly summary: SyncSummary | undefined
  readonly error: unknown
  readonly warnings: readonly string[]
  readonly notes: readonly string[]
}

/** Creates a folder for the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-bets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let runs = 0

/** Runs a sync of the room's bets into a folder, and returns its outcome; a failure is not thrown. */
export async function pull(room: CountRoom, out: string, pulling: Pulling = {}): Promise<Pulled> {
  const { disk = realDisk, options = {}, onProgress = () => true, onSleep = () => {} } = pulling
  const warnings: string[] = []
  const notes: string[] = []
  const parts = {
    book: pulling.book ?? room.book,
    bookUrl: pulling.bookUrl ?? ':memory:',
    disk,
    transport: pulling.transport ?? room.transport,
    tenant: { ...room.access, companyCode: pulling.companyCode ?? room.access.companyCode },
    now: room.now,
    platformNow: room.now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      onSleep(ms)
      signal?.throwIfAborted()
      room.goTo(room.now() + ms)
      // Another turn, as any wait takes at least.
      await new Promise((resolve) => setImmediate(resolve))
    },
    random: () => 0,
    runId: `run-${String(++runs).padStart(6, '0')}`,
    me: { pid: process.pid, host: 'here', command: 'a test' },
    newBookCommand: 'countroom bets sync --out other --book other.db',
    tool: 'countroom test',
    stop: pulling.stop ?? new AbortController().signal,
    report: {
      progress: onProgress,
      retry: () => {},
      waiting: () => {},
      warn: (text: string) => void warnings.push(text),
      note: (text: string) => void notes.push(text),
    },
    exitOf: (end: object) => ('value' in end ? 0 : 1),
  }
  try {
    const summary = await syncBets(parts, { out, rateShare: 100, from: Date.parse('2026-01-01'), ...options })
    return { summary, error: undefined, warnings, notes }
  } catch (error) {
    return { summary: undefined, error, warnings, notes }
  }
}

/** Returns all files of a folder, including drafts, by name. */
export function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

/** Failures of a disk. */
export type Breakdown = { readonly code: 'ENOSPC' | 'EIO' | 'EROFS' | 'EDQUOT'; readonly part: number }

/** A disk that fails after this number of operations. A failing write may leave some of its bytes. */
export function failingDisk(after: number, { code, part }: Breakdown): Disk & { readonly steps: () => number } {
  let steps = 0
  const refuse = () => Object.assign(new Error(`${code}: a disk that fails`), { code, errno: -28, syscall: 'write' })
  const step = () => {
    steps += 1
    if (steps > after) throw refuse()
  }
  const failing = (file: DiskFile): DiskFile => ({
    ...file,
    async write(bytes, at) {
      if (steps >= after && part > 0) await file.write(bytes.subarray(0, Math.floor(bytes.length * part)), at)
      step()
      await file.write(bytes, at)
    },
    async cut(to) {
      step()
      await file.cut(to)
    },
    async sync() {
      step()
      await file.sync()
    },
  })
  return {
    ...realDisk,
    steps: () => steps,
    async open(path) {
      step()
      return failing(await realDisk.open(path))
    },
    async writeWhole(path, text) {
      step()
      await realDisk.writeWhole(path, text)
    },
    async syncFolder(path) {
      step()
      await realDisk.syncFolder(path)
    },
  }
}
