import { join } from 'node:path'
import type { BookAlarmRow, BookExportRow, BookOwnerRow, BookPositionRow } from '../../../db/schema/book.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { bookAlarms } from '../../book/alarms.ts'
import type { Book } from '../../book/book.ts'
import { bookPosition } from '../../book/cursor-position.ts'
import { translated } from './csv-file.ts'
import type { Disk } from './disk.ts'

/** The manifest next to the CSV files. */
export interface BetManifest {
  readonly manifestVersion: 1
  /** Program that wrote it. */
  readonly tool: string
  readonly companyCode: string
  readonly environment: string
  /** Start of the synced bets. */
  readonly startedFrom: string | null
  /** Position after the last row of these files. */
  readonly cursor: string | null
  readonly rows: number
  readonly files: readonly ManifestFile[]
  /** Number of alarms, and the first hundred of them. */
  readonly alarmCount: number
  readonly alarms: readonly ManifestAlarm[]
}

export interface ManifestFile {
  readonly file: string
  /** Month of the cursor as YYYY-MM, in UTC. */
  readonly month: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** Sums by currency over all rows, including superseded revisions: a checksum for copies. */
  readonly totals: Readonly<Record<string, { readonly rows: number; readonly delta: string }>>
}

export interface ManifestAlarm {
  readonly kind: string
  readonly slipId: string | null
  readonly rev: number | null
  readonly message: string
}

export const manifestName = 'manifest.json'
const alarmsListed = 100

/**
 * Returns the text of the manifest. It has no time or machine of the run: the same bets give the same bytes, however often the
 * sync was interrupted.
 */
export function manifestText(parts: {
  readonly tool: string
  readonly owner: BookOwnerRow
  readonly position: BookPositionRow | undefined
  readonly exports: readonly BookExportRow[]
  readonly alarms: { readonly count: number; readonly alarms: readonly BookAlarmRow[] }
}): string {
  const { tool, owner, position, exports, alarms } = parts
  const manifest: BetManifest = {
    manifestVersion: 1,
    tool,
    companyCode: owner.company_code,
    environment: owner.environment,
    startedFrom: position ? new Date(position.started_from).toISOString() : null,
    cursor: position?.cursor ?? null,
    rows: exports.reduce((sum, row) => sum + row.rows, 0),
    files: exports.map(({ file, month, rows, bytes, sha256, totals }) => ({
      file,
      month: `${month.slice(0, 4)}-${month.slice(4)}`,
      rows,
      bytes,
      sha256,
      totals: JSON.parse(totals),
    })),
    alarmCount: alarms.count,
    alarms: alarms.alarms.map(({ kind, slip_id, rev, message }) => ({ kind, slipId: slip_id, rev, message })),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Writes the manifest last and atomically. An identical one is not touched. */
export async function writeManifest(
  parts: { readonly book: Book; readonly disk: Disk; readonly tool: string },
  folder: string,
  exports: readonly BookExportRow[],
): Promise<void> {
  const { book, disk, tool } = parts
  const path = join(folder, manifestName)
  const { owner, position, alarms } = await book.store.read(async (reader) => ({
    owner: await reader.q.selectFrom('book_owner').selectAll().executeTakeFirstOrThrow(),
    position: await bookPosition(reader),
    alarms: await bookAlarms(reader, alarmsListed),
  }))
  const text = manifestText({ tool, owner, position, exports, alarms })
  if ((await translated(path, disk.read(path))) !== text) await translated(path, disk.writeWhole(path, text))
}

/** Reads the manifest of a folder, or returns undefined. Throws INVALID_FILE for any other file. */
export async function readManifest(disk: Disk, folder: string): Promise<BetManifest | undefined> {
  const path = join(folder, manifestName)
  const text = await translated(path, disk.read(path))
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && 'manifestVersion' in read && 'files' in read)
      return read as BetManifest
  } catch {
    // Reported below, with JSON of another form.
  }
  throw new Problem('INVALID_FILE', `${path} is not a manifest of countroom`, { file: path })
}

/** Rejects a folder with another tenant's files, because mixed files would be useless. */
export async function refuseAnothersFolder(
  disk: Disk,
  folder: string,
  owner: Pick<BookOwnerRow, 'company_code' | 'environment'>,
): Promise<void> {
  const manifest = await readManifest(disk, folder).catch((error) => {
    if (isProblem(error, 'INVALID_FILE'))
      throw new Problem('FILE_EXISTS', `${error.message}; use another folder`, error.detail)
    throw error
  })
  if (!manifest) return
  if (manifest.companyCode === owner.company_code && manifest.environment === owner.environment) return
  throw new Problem(
    'FILE_EXISTS',
    `${folder} has the bets of ${manifest.companyCode} (${manifest.environment}). Use another folder for ${owner.company_code} (${owner.environment})`,
    { folder },
  )
}
