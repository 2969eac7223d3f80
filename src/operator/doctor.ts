import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { inspectDatabase } from '../db/inspect.ts'
import type { Migrations } from '../db/migrate.ts'
import { isProblem, type Problem } from '../kit/problem.ts'
import type { Book } from './book/book.ts'
import { lockHolder } from './book/lock.ts'
import { unfinishedPlans } from './transfers/apply-batch.ts'

/** One thing that was looked at. The ids are stable: a script may branch on them. */
export interface Check {
  readonly id: string
  readonly title: string
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  /** What to do about it; null where nothing is to be done. */
  readonly fix: string | null
  /** Of a failure: the code a command would end in for this reason. */
  readonly code: string | null
}

export type Finding = Omit<Check, 'id' | 'title'>

export const pass = (message: string): Finding => ({ status: 'pass', message, fix: null, code: null })
export const warn = (message: string, fix: string): Finding => ({ status: 'warn', message, fix, code: null })
export const skip = (message: string): Finding => ({ status: 'skip', message, fix: null, code: null })
export const fail = (code: string, message: string, fix: string): Finding => ({ status: 'fail', message, fix, code })

/** The failure of a check by a refusal that came up in it. */
export function failure(id: string, title: string, problem: Problem, fix: string): Check {
  return { id, title, ...fail(problem.code, problem.message, fix) }
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const fits = major > 22 || (major === 22 && minor >= 12)
  const found = fits ? pass(version) : fail('BAD_CONFIGURATION', `${version} is too old`, 'install Node 22.12 or newer')
  return { id: 'node', title: 'Node', ...found }
}

/** Whether each folder can be written to, or made. */
export function foldersCheck(folders: Readonly<Record<string, string>>): Check {
  const shut = Object.entries(folders).filter(([, folder]) => !isWritable(standing(folder)))
  const found =
    shut.length === 0
      ? pass('settings, state, cache and data can be written')
      : fail(
          'BAD_CONFIGURATION',
          `cannot be written: ${shut.map(([, folder]) => folder).join(', ')}`,
          `give this user the right to, or set ${shut.map(([name]) => `XDG_${name.toUpperCase()}_HOME`).join(', ')}`,
        )
  return { id: 'folders', title: 'Folders', ...found }
}

const scarceBytes = 1024 ** 3
const emptyBytes = 100 * 1024 ** 2

/** Whether there is room for what will be written down. */
export function diskCheck(folder: string): Check {
  const { bavail, bsize } = statfsSync(standing(folder))
  return { id: 'disk', title: 'Disk', ...diskFinding(bavail * bsize, folder) }
}

export function diskFinding(free: number, folder: string): Finding {
  const said = `${(free / 1024 ** 3).toFixed(1)} GB free for ${folder}`
  const fix = 'make room: a transfer that cannot be written down is not sent'
  if (free < emptyBytes) return fail('STORE_UNAVAILABLE', said, fix)
  return free < scarceBytes ? warn(said, fix) : pass(said)
}

/** The folder itself, or the nearest one above it that is there. */
function standing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : standing(dirname(folder))
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
 * Whether a database can be opened, is sound, and is one that this program understands. It is not changed; `isReady` says
 * whether it could be used without changing it.
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
): Promise<Finding & { isReady: boolean }> {
  const bad = (code: string, message: string, fix: string) => ({ ...fail(code, message, fix), isReady: false })
  try {
    const { damage, isOurs, unknown, pending } = await inspectDatabase(url, migrations)
    if (damage.length > 0)
      return bad(
        'STORE_UNAVAILABLE',
        `${shown} is damaged: ${damage.join('; ')}`,
        'put it aside and restore it from a backup; do not write to it',
      )
    if (!isOurs) return bad('STORE_FOREIGN', `${shown} is no ${migrations.of}`, 'name another database')
    if (unknown.length > 0)
      return bad(
        'STORE_NEWER',
        `${shown} was made by a newer countroom (${unknown.at(-1)})`,
        'use that version, or another database',
      )
    const steps = pending.length === 1 ? 'one step' : `${pending.length} steps`
    const said = `${shown} is sound${pending.length > 0 ? `; its schema takes ${steps} when it is next used` : ''}`
    return { ...pass(said), isReady: pending.length === 0 }
  } catch (error) {
    if (!isProblem(error)) throw error
    return bad(error.code, error.message, 'see that the file or server is there and may be used by this user')
  }
}

/** How far back the history of runs is looked at. */
const runsLookedAt = 500

/** Whether a job is under way, or was cut off: the latest run of its kind has a beginning in the book and no end. */
export async function runsCheck(book: Book, url: string): Promise<Check> {
  const runs = await book.store.read(({ q }) =>
    q
      .selectFrom('book_runs')
      .select(['job', 'started_at', 'ended_at'])
      .orderBy('started_at', 'desc')
      .limit(runsLookedAt)
      .execute(),
  )
  // One that was cut off and followed by another is history: the next run has taken up what it left.
  const latest = [...Map.groupBy(runs, ({ job }) => job).values()].flatMap((ofJob) => ofJob.slice(0, 1))
  const open = latest.filter(({ ended_at }) => ended_at === null)
  const [running, cutOff]: [string[], string[]] = [[], []]
  for (const { job, started_at } of open) {
    const since = `since ${new Date(started_at).toISOString()}`
    // The lock goes with its process: whether somebody has it tells a run that goes on from one that was killed.
    const holder = await lockHolder(book, url, job)
    if (holder === 'nobody') cutOff.push(`${job}, ${since}`)
    else if (holder === 'unknown') running.push(`${job} in another process, ${since}`)
    else running.push(`${job} in process ${holder.pid} on ${holder.host}, ${since}`)
  }
  const said = running.length === 0 ? 'no job is under way' : `under way: ${running.join('; ')}`
  const found =
    cutOff.length === 0
      ? pass(said)
      : warn(`${said}; cut off: ${cutOff.join('; ')}`, 'nothing: what was cut off is taken up by its next run')
  return { id: 'lock', title: 'Jobs', ...found }
}

/** What transfers are still open in the book, one by one or of a plan that was left. */
export async function transfersCheck(book: Book): Promise<Check> {
  const about = { id: 'transfers', title: 'Transfers' }
  const open = await book.store.read(({ q }) =>
    q.selectFrom('book_transfers').select('txn_id').where('state', '=', 'unknown').orderBy('made_at').execute(),
  )
  if (open.length > 0)
    return {
      ...about,
      ...warn(
        `${open.length === 1 ? 'one transfer has' : `${open.length} transfers have`} an unknown end, the first ${open[0]?.txn_id}`,
        'countroom wallet journal --state unknown lists them; countroom wallet transfer ID finds out',
      ),
    }
  const plans = await unfinishedPlans(book)
  if (plans.length === 0) return { ...about, ...pass('the end of every transfer is known') }
  return {
    ...about,
    ...warn(
      `${plans.length === 1 ? 'one plan was' : `${plans.length} plans were`} begun and not finished, the first ${plans[0]?.id}`,
      'countroom wallet resume goes on; countroom wallet cancel ends what is left',
    ),
  }
}

/** Whether an address is one that keys may be sent to. */
export function addressCheck(id: string, title: string, baseUrl: string, trustsAnything: boolean): Check {
  const { protocol, host } = new URL(baseUrl)
  if (protocol !== 'https:') return { id, title, ...pass(`${baseUrl}: plain http, to this machine only`) }
  if (trustsAnything)
    return {
      id,
      title,
      ...fail(
        'REMOTE_INSECURE',
        `${host}: certificates are not checked`,
        'unset NODE_TLS_REJECT_UNAUTHORIZED; NODE_EXTRA_CA_CERTS takes a certificate of your own',
      ),
    }
  return { id, title, ...pass(`${baseUrl}: https`) }
}
