import { join } from 'node:path'
import type { BookAlarmRow, BookExportRow, BookOwnerRow, BookPositionRow } from '../../../db/schema/book.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { bookAlarms } from '../../book/alarms.ts'
import type { Book } from '../../book/book.ts'
import { bookPosition } from '../../book/cursor-position.ts'
import { translated } from './csv-file.ts'
import type { Disk } from './disk.ts'

/** What lies beside the CSV files and says what is in them. */
export interface BetManifest {
  readonly manifestVersion: 1
  /** The program that wrote it. */
  readonly tool: string
  readonly companyCode: string
  readonly environment: string
  /** From when on bets were read. */
  readonly startedFrom: string | null
  /** The position behind the last row of these files. */
  readonly cursor: string | null
  readonly rows: number
  readonly files: readonly ManifestFile[]
  /** What a person has to look at: how many findings there are, and the first hundred of them. */
  readonly alarmCount: number
  readonly alarms: readonly ManifestAlarm[]
}

export interface ManifestFile {
  readonly file: string
  /** YYYY-MM, in UTC, by the cursor. */
  readonly month: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** By currency, over all rows of the file, superseded revisions included: a sum to check a copy by. */
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
 * The manifest's text. Nothing in it tells of the run that wrote it, neither time nor machine: the same bets give the same
 * bytes, however often the reading was interrupted.
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

/** Writes the manifest of a folder, last of all and whole. One that says the same already is not touched. */
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

/** The manifest of a folder, or nothing where there is none. What is not one of ours is refused with INVALID_FILE. */
export async function readManifest(disk: Disk, folder: string): Promise<BetManifest | undefined> {
  const path = join(folder, manifestName)
  const text = await translated(path, disk.read(path))
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && 'manifestVersion' in read && 'files' in read)
      return read as BetManifest
  } catch {
    // Said below, together with what parses and is something else.
  }
  throw new Problem('INVALID_FILE', `${path} is no manifest of ours`, { file: path })
}

/** Refuses a folder that holds another tenant's files: two of them in one folder would be one nobody can use. */
export async function refuseAnothersFolder(
  disk: Disk,
  folder: string,
  owner: Pick<BookOwnerRow, 'company_code' | 'environment'>,
): Promise<void> {
  const manifest = await readManifest(disk, folder).catch((error) => {
    if (isProblem(error, 'INVALID_FILE'))
      throw new Problem('FILE_EXISTS', `${error.message}: name another folder`, error.detail)
    throw error
  })
  if (!manifest) return
  if (manifest.companyCode === owner.company_code && manifest.environment === owner.environment) return
  throw new Problem(
    'FILE_EXISTS',
    `${folder} holds the bets of ${manifest.companyCode} (${manifest.environment}): name another folder for ${owner.company_code} (${owner.environment})`,
    { folder },
  )
}
