import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { inspectDatabase } from '../db/inspect.ts'
import type { Migrations } from '../db/migrate.ts'
import type { BookRunRow } from '../db/schema/book.ts'
import type { Reader } from '../db/store.ts'
import { secondText } from '../kit/moment.ts'
import { isProblem, type Problem } from '../kit/problem.ts'
import { quoted } from '../kit/shell-quote.ts'
import { countText } from '../kit/text/count-text.ts'
import { type Book, openBook } from './book/book.ts'
import { lockHolder } from './book/lock.ts'
import { unfinishedBatches } from './transfers/apply-batch.ts'

/** One check. IDs are stable for scripts. */
export interface Check {
  readonly id: string
  readonly title: string
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** Fix; null if none is needed. */
  readonly fix: string | null
  /** Problem code of a failure, as commands report it; null otherwise. */
  readonly code: string | null
}

export type CheckResult = Omit<Check, 'id' | 'title'>

export const pass = (message: string): CheckResult => ({ status: 'pass', message, fix: null, code: null })
export const warn = (message: string, fix: string): CheckResult => ({ status: 'warn', message, fix, code: null })
export const skip = (message: string): CheckResult => ({ status: 'skip', message, fix: null, code: null })
export const fail = (code: string, message: string, fix: string): CheckResult => ({
  status: 'fail',
  message,
  fix,
  code,
})

/** Returns the failure for a problem. */
export function failure(id: string, title: string, problem: Problem, fix: string): Check {
  return { id, title, ...fail(problem.code, problem.message, fix) }
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const isSupported = major > 22 || (major === 22 && minor >= 12)
  const finding = isSupported
    ? pass(version)
    : fail('BAD_CONFIGURATION', `${version} is too old`, 'Install Node 22.12 or newer')
  return { id: 'node', title: 'Node', ...finding }
}

/** Lists the files and variables that the settings come from. They were already validated at start. */
export function settingsCheck(sources: readonly string[]): Check {
  return { id: 'settings', title: 'Settings', ...pass(sources.length === 0 ? 'all defaults' : sources.join(', ')) }
}

/** Checks that each folder is writable or can be created. */
export function foldersCheck(folders: Readonly<Record<string, string>>): Check {
  const shut = Object.entries(folders).filter(([, folder]) => !isWritable(nearestExisting(folder)))
  const finding =
    shut.length === 0
      ? pass('settings, state, cache and data are writable')
      : fail(
          'BAD_CONFIGURATION',
          `not writable: ${shut.map(([, folder]) => folder).join(', ')}`,
          `Grant this user access, or set ${shut.map(([name]) => `XDG_${name.toUpperCase()}_HOME`).join(', ')}`,
        )
  return { id: 'folders', title: 'Folders', ...finding }
}

const scarceBytes = 1024 ** 3
const emptyBytes = 100 * 1024 ** 2

/** Checks the free disk space. */
export function diskCheck(folder: string): Check {
  const { bavail, bsize } = statfsSync(nearestExisting(folder))
  return { id: 'disk', title: 'Disk', ...diskFinding(bavail * bsize, folder) }
}

export function diskFinding(free: number, folder: string): CheckResult {
  const space = `${(free / 1024 ** 3).toFixed(1)} GB free for ${folder}`
  const fix = 'Free disk space: a transfer that cannot be recorded is not sent'
  if (free < emptyBytes) return fail('STORE_UNAVAILABLE', space, fix)
  return free < scarceBytes ? warn(space, fix) : pass(space)
}

/** Returns the folder, or its nearest existing parent. */
function nearestExisting(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestExisting(dirname(folder))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Checks that a database can be opened, is intact, and has a known schema. It is not changed; `isReady` is true if it can be used
 * without a migration.
 */
export async function databaseCheck(
  at: { readonly id: string; readonly title: string; readonly url: string; readonly shown: string },
  migrations: Migrations,
): Promise<{ check: Check; isReady: boolean }> {
  const { isReady, ...finding } = await databaseFinding(at, migrations)
  return { check: { id: at.id, title: at.title, ...finding }, isReady }
}

async function databaseFinding(
  { url, shown }: { url: string; shown: string },
  migrations: Migrations,
): Promise<CheckResult & { isReady: boolean }> {
  const bad = (code: string, message: string, fix: string) => ({ ...fail(code, message, fix), isReady: false })
  try {
    const { damage, isOurs, unknown, pending } = await inspectDatabase(url, migrations)
    if (damage.length > 0)
      return bad(
        'STORE_UNAVAILABLE',
        `${shown} is damaged: ${damage.join('; ')}`,
        'Restore it from a backup, and do not write to it',
      )
    if (!isOurs) return bad('STORE_FOREIGN', `${shown} is not a ${migrations.of}`, 'Name another database')
    if (unknown.length > 0)
      return bad(
        'STORE_NEWER',
        `${shown} was created by a newer countroom (${unknown.at(-1)})`,
        'Use that version, or another database',
      )
    const steps = countText(pending.length, 'migration')
    const text = `${shown} is intact${pending.length > 0 ? `; ${steps} will run at its next use` : ''}`
    return { ...pass(text), isReady: pending.length === 0 }
  } catch (error) {
    if (!isProblem(error)) throw error
    return bad(error.code, error.message, 'Check that the file or server exists and this user has access')
  }
}

/** Checks the open work in a book: transfers and jobs. */
export async function bookChecks(url: string): Promise<Check[]> {
  const book = await openBook(url)
  try {
    return [await transfersCheck(book), await runsCheck(book, url)]
  } finally {
    await book.close()
  }
}

/** Checks for running and interrupted jobs: the latest run of a job has a start but no end. */
export async function runsCheck(book: Book, url: string): Promise<Check> {
  // An interrupted run that was followed by another is history: the next run continued its work.
  const latest = await book.store.read(latestOfEachJob)
  const open = latest.filter(({ ended_at }) => ended_at === null)
  const [running, cutOff]: [string[], string[]] = [[], []]
  for (const { job, started_at } of open) {
    const since = `since ${secondText(started_at)}`
    // A lock ends with its process, so it distinguishes a running job from a killed one.
    const holder = await lockHolder(book, url, job)
    if (holder === 'nobody') cutOff.push(`${job}, ${since}`)
    else if (holder === 'unknown') running.push(`${job} in another process, ${since}`)
    else running.push(`${job} in process ${holder.pid} on ${holder.host}, ${since}`)
  }
  const text = running.length === 0 ? 'no job is running' : `running: ${running.join('; ')}`
  const finding =
    cutOff.length === 0
      ? pass(text)
      : warn(`${text}; interrupted: ${cutOff.join('; ')}`, 'No action needed: the next run continues it')
  return { id: 'lock', title: 'Jobs', ...finding }
}

/** Returns the latest run of each job, however long ago. IDs of runs sort by creation. */
function latestOfEachJob({ q }: Reader): Promise<BookRunRow[]> {
  const latest = q
    .selectFrom('book_runs')
    .select(({ fn }) => fn.max('id').as('id'))
    .groupBy('job')
  return q.selectFrom('book_runs').selectAll().where('id', 'in', latest).orderBy('id', 'desc').execute()
}

/** Checks for transfers with unknown outcome and unfinished batches. */
export async function transfersCheck(book: Book): Promise<Check> {
  const about = { id: 'transfers', title: 'Transfers' }
  const open = await book.store.read(({ q }) =>
    q.selectFrom('book_transfers').select('txn_id').where('state', '=', 'unknown').orderBy('made_at').execute(),
  )
  if (open.length > 0)
    return {
      ...about,
      ...warn(
        `${countText(open.length, 'transfer has', 'transfers have')} an unknown outcome, the first ${open[0]?.txn_id}`,
        `List them: countroom wallet journal --state unknown. Look up the first: countroom wallet transfer ${quoted(open[0]?.txn_id ?? '')}`,
      ),
    }
  const plans = await unfinishedBatches(book)
  if (plans.length === 0) return { ...about, ...pass('the outcome of every transfer is known') }
  return {
    ...about,
    ...warn(
      `${countText(plans.length, 'batch is', 'batches are')} unfinished, the first ${plans[0]?.id}`,
      `Continue: countroom wallet resume. Cancel the rest of the first: countroom wallet cancel ${plans[0]?.id}`,
    ),
  }
}

/** Checks that keys may be sent to a URL. */
export function addressCheck(id: string, title: string, baseUrl: string, trustsAnything: boolean): Check {
  const { protocol, host } = new URL(baseUrl)
  if (protocol !== 'https:') return { id, title, ...pass(`${baseUrl}: plain http, to this machine only`) }
  if (trustsAnything)
    return {
      id,
      title,
      ...fail(
        'REMOTE_INSECURE',
        `${host}: certificates are not verified`,
        'Unset NODE_TLS_REJECT_UNAUTHORIZED; to trust your own certificate, use NODE_EXTRA_CA_CERTS',
      ),
    }
  return { id, title, ...pass(`${baseUrl}: https`) }
}
