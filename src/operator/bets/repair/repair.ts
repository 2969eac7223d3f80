import type { BookHolderRow, BookRepairRow } from '../../../db/schema/book.ts'
import { cursorOf } from '../../../domain/bets/cursor.ts'
import { type Day, dayEnd, dayStart } from '../../../domain/time/day.ts'
import type { Sleep } from '../../../http/client/sleep.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../book/book.ts'
import { bookPosition } from '../../book/cursor-position.ts'
import { lockBook, type Me } from '../../book/lock.ts'
import { saveExports } from '../export-state.ts'
import type { Disk } from '../files/disk.ts'
import { refuseAnothersFolder, writeManifest } from '../files/manifest.ts'
import { openBetFiles } from '../files/month-files.ts'
import { betsLock } from '../sync/sync.ts'
import { applyRepair } from './apply.ts'
import { isEmptyPlan, planRepair, type RepairPlan } from './plan.ts'
import { type ReadDay, readDay } from './read-day.ts'

/** Repair of a day: the platform's records are read again, and the book and its files are made equal to them. */

export interface RepairDependencies {
  readonly book: Book
  readonly bookUrl: string
  readonly disk: Disk
  readonly transport: Transport
  readonly now: () => number
  readonly sleep: Sleep
  readonly signal: AbortSignal
  readonly me: Me
  readonly runId: string
  /** Person who runs it. */
  readonly who: string
  readonly tool: string
  readonly report: {
    step(text: string): void
    warn(text: string): void
    waiting(holder: BookHolderRow | undefined): void
  }
}

export interface RepairOptions {
  readonly date: Day
  readonly timezone: string
  readonly out: string
  readonly maxPages: number
  readonly waitMs: number
  readonly force: boolean
  readonly isDryRun: boolean
}

export interface Repaired {
  readonly plan: RepairPlan
  /** Number of records after the book's cursor, left to the next sync. */
  readonly newer: number
  readonly pages: number
  readonly repair: BookRepairRow | null
  readonly out: string | null
  readonly files: readonly {
    readonly file: string
    readonly rows: number
    readonly bytes: number
    readonly sha256: string
  }[]
}

/** Repairs a day. Each step can be repeated: a run that is killed is finished by the next repair or sync. */
export async function repairDay(dependencies: RepairDependencies, options: RepairOptions): Promise<Repaired> {
  const { book, bookUrl, me, sleep, signal, report } = dependencies
  const lock = await lockBook(book, {
    ...{ url: bookUrl, job: betsLock, me, waitMs: options.waitMs, sleep, signal },
    onWait: report.waiting,
  })
  try {
    return await repairLocked(dependencies, options)
  } finally {
    await lock.release()
  }
}

async function repairLocked(dependencies: RepairDependencies, options: RepairOptions): Promise<Repaired> {
  const { book, transport, now, signal, report, runId, who } = dependencies
  const { date, timezone, maxPages, isDryRun } = options
  const span = { from: dayStart(date, timezone), to: dayEnd(date, timezone) }
  const position = await book.store.read(bookPosition)
  const cursor = cursorOf(position?.cursor ?? '')
  if (!position || !cursor)
    throw new Problem('BOOK_EMPTY', 'The book has no bets to repair. Run first: countroom bets sync --out bets', {
      category: 'inconclusive',
    })
  report.step('reading the day again')
  const onPage = (pages: number, records: number) =>
    report.step(`reading the day again: ${pages} pages, ${records} records`)
  const read = await readDay({ transport, now, signal, cursor, maxPages, onPage }, span)
  const plan = withoutEarlier(await book.store.read((reader) => planRepair(reader, span, read)), position.started_from)
  if (isDryRun) return ended(plan, read, null, { out: null, files: [] })
  const row = isEmptyPlan(plan)
    ? null
    : await book.store.write((tx) => applyRepair(tx, plan, { id: runId, date, timezone, who }, position))
  report.step('writing the files')
  return ended(plan, read, row, await rebuildFiles(dependencies, options))
}

/** The book does not have what was settled before its start, so that is not missing. */
function withoutEarlier(plan: RepairPlan, startedFrom: number): RepairPlan {
  return { ...plan, added: plan.added.filter((record) => record.settled_at >= startedFrom) }
}

function ended(plan: RepairPlan, { newer, pages }: ReadDay, repair: BookRepairRow | null, rest: Files): Repaired {
  return { plan, newer, pages, repair, ...rest }
}

type Files = Pick<Repaired, 'out' | 'files'>

/** Brings the files of the folder and their manifest in step with the book, as a sync would. */
async function rebuildFiles(
  { book, disk, tool, report }: RepairDependencies,
  { out, force }: RepairOptions,
): Promise<Files> {
  const owner = await book.store.read(({ q }) => q.selectFrom('book_owner').selectAll().executeTakeFirstOrThrow())
  const files = await openBetFiles({ book, disk, folder: out, force, warn: report.warn })
  try {
    await refuseAnothersFolder(disk, files.folder, owner)
    await files.recover()
    const settled = await files.settle()
    await book.store.write((tx) => saveExports(tx, settled))
    await writeManifest({ book, disk, tool }, files.folder, files.states())
    const states = files.states().map(({ file, rows, bytes, sha256 }) => ({ file, rows, bytes, sha256 }))
    return { out: files.folder, files: states }
  } finally {
    await files.close()
  }
}
