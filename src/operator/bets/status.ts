import { join } from 'node:path'
import type { BookExportRow, BookHolderRow } from '../../db/schema/book.ts'
import { monthOfFile } from '../../domain/bets/csv.ts'
import { formatUnits, parseAmount, playerScale, sum } from '../../domain/money.ts'
import { momentText } from '../../kit/moment.ts'
import type { BetRecord } from '../../services/casino/api/schemas/index.ts'
import { alarmsAbout, bookAlarms } from '../book/alarms.ts'
import type { Book } from '../book/book.ts'
import { bookPosition, platformTime } from '../book/cursor-position.ts'
import { lockHolder } from '../book/lock.ts'
import { latestRuns } from '../book/runs.ts'
import { shownMonth } from './alarms.ts'
import { allExports } from './export-state.ts'
import { hashOfFile } from './files/csv-file.ts'
import type { Disk } from './files/disk.ts'
import { readManifest } from './files/manifest.ts'
import type { BetStatus, FileStatus, SlipDetails } from './schema.ts'
import { bookMonths, latestSlip, revisionsOf } from './slip-rows.ts'
import { betsLock, syncJob } from './sync/sync.ts'

/** Dependencies of the status. */
export interface StatusDependencies {
  readonly book: Book
  readonly bookUrl: string
  readonly disk: Disk
  /** The machine's time. */
  readonly now: () => number
}

const maxRuns = 10
const maxAlarms = 20

/** Returns the status of the book. `verify` reads all its files and compares them with the book and their manifest. */
export async function betStatus(
  dependencies: StatusDependencies,
  { verify }: { readonly verify: boolean },
): Promise<BetStatus> {
  const { book, bookUrl, now } = dependencies
  const holder = await lockHolder(book, bookUrl, betsLock)
  const state = await book.store.read(async (reader) => ({
    owner: await reader.q.selectFrom('book_owner').selectAll().executeTakeFirst(),
    position: await bookPosition(reader),
    latest: await latestSlip(reader),
    months: await bookMonths(reader),
    alarms: await bookAlarms(reader, maxAlarms),
    runs: await latestRuns(reader, { job: syncJob, limit: maxRuns }),
    exports: await allExports(reader),
  }))
  const { owner, position, latest, months, alarms, runs, exports } = state
  const caughtUpAt = position?.caught_up_at ?? null
  return {
    owner: owner ? { companyCode: owner.company_code, environment: owner.environment, timezone: owner.timezone } : null,
    cursor: position?.cursor ?? null,
    startedFrom: position ? momentText(position.started_from) : null,
    rows: position?.rows ?? 0,
    caughtUpAt: caughtUpAt === null ? null : momentText(caughtUpAt),
    lagMs: caughtUpAt === null ? null : Math.max(0, platformTime(position, now()) - caughtUpAt),
    latestSettledAt: latest ? momentText(latest.settled_at) : null,
    ahead: isAhead(runs.find((run) => run.ended_at !== null)?.summary),
    months: months.map(({ month, rows }) => ({ month: shownMonth(month), rows })),
    alarmCount: alarms.count,
    alarms: alarms.alarms.map(({ kind, found_at, slip_id, rev, message }) => ({
      kind,
      foundAt: momentText(found_at),
      slipId: slip_id,
      rev,
      message,
    })),
    holder: toHolder(holder),
    runs: runs.map((run, i) => ({
      startedAt: momentText(run.started_at),
      endedAt: run.ended_at === null ? null : momentText(run.ended_at),
      exit: run.exit,
      state: run.ended_at !== null ? 'ended' : i === 0 && holder !== 'nobody' ? 'running' : 'interrupted',
      summary: JSON.parse(run.summary),
    })),
    folders: await foldersOf(dependencies.disk, exports, verify),
  }
}

/** Returns the files that a check found missing or damaged. */
export function damagedFiles({ folders }: Pick<BetStatus, 'folders'>) {
  return folders.flatMap(({ folder, files }) =>
    files
      .filter(({ state }) => state !== 'intact' && state !== 'not checked')
      .map(({ file, state }) => ({ folder, file, state })),
  )
}

/** Returns whether a run ended because the book is ahead of the platform. */
function isAhead(summary: string | undefined): boolean {
  return summary !== undefined && JSON.parse(summary)?.error?.code === 'BOOK_AHEAD'
}

function toHolder(holder: BookHolderRow | 'nobody' | 'unknown'): BetStatus['holder'] {
  if (holder === 'nobody') return null
  if (holder === 'unknown') return { pid: 0, host: 'unknown', command: 'unknown', startedAt: momentText(0) }
  const { pid, host, command, started_at } = holder
  return { pid, host, command, startedAt: momentText(started_at) }
}

async function foldersOf(
  disk: Disk,
  exports: readonly BookExportRow[],
  verify: boolean,
): Promise<BetStatus['folders']> {
  const folders: BetStatus['folders'] = []
  for (const folder of new Set(exports.map((row) => row.folder))) {
    const rows = exports.filter((row) => row.folder === folder && row.rows > 0)
    const manifest = verify ? await manifestOf(disk, folder) : new Map<string, string>()
    const files: FileStatus[] = []
    for (const row of rows) {
      const { file, rows, bytes, sha256 } = row
      const state = verify ? await stateOf(disk, row, manifest) : 'not checked'
      files.push({ file, rows, bytes, sha256, state })
    }
    folders.push({ folder, files })
  }
  return folders
}

/** Returns the hashes of the folder's manifest; empty if there is no readable one. */
async function manifestOf(disk: Disk, folder: string): Promise<Map<string, string>> {
  try {
    const manifest = await readManifest(disk, folder)
    return new Map(manifest?.files.map(({ file, sha256 }) => [file, sha256]))
  } catch {
    return new Map()
  }
}

async function stateOf(
  disk: Disk,
  row: BookExportRow,
  manifest: ReadonlyMap<string, string>,
): Promise<FileStatus['state']> {
  const fileHash = await hashOfFile(disk, join(row.folder, row.file), row.bytes)
  if (!fileHash) return 'missing'
  if (fileHash.sha256 !== row.sha256) return 'changed'
  // A killed or running sync has written more than it has recorded.
  if (fileHash.bytes > row.bytes) return 'unfinished'
  // The manifest is about the CSV files, which a sync appends to.
  if (monthOfFile(row.file) === null) return 'intact'
  return manifest.get(row.file) === row.sha256 ? 'intact' : 'not in the manifest'
}

/** Returns a slip with all its revisions, or undefined. */
export async function slipDetails(book: Book, slipId: string): Promise<SlipDetails | undefined> {
  const { rows, alarms } = await book.store.read(async (reader) => ({
    rows: await revisionsOf(reader, slipId),
    alarms: await alarmsAbout(reader, slipId),
  }))
  const revisions = rows.map((row): BetRecord => JSON.parse(row.record))
  const latest = revisions.at(-1)
  if (!latest) return undefined
  const { username, currency, game, tableId, roundId } = latest
  return {
    slipId,
    username,
    currency,
    game,
    tableId,
    roundId,
    paid: formatUnits(sum(revisions.map(({ delta }) => parseAmount(delta))), playerScale),
    revisions,
    alarms: alarms.map(({ kind, message, detail }) => ({ kind, message, detail: JSON.parse(detail) })),
  }
}
