import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { realSleep } from '../../../http/client/sleep.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { keepHeapSmall } from '../../../kit/heap-limits.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, grouped } from '../../../kit/text/count-text.ts'
import { contradictionsIn } from '../../../operator/bets/alarms.ts'
import { realDisk } from '../../../operator/bets/files/disk.ts'
import type { SyncSummary } from '../../../operator/bets/schema.ts'
import { recentUsernames } from '../../../operator/bets/slip-rows.ts'
import { syncBets as syncAll } from '../../../operator/bets/sync/sync.ts'
import type { SyncDependencies, SyncOptions, SyncReport } from '../../../operator/bets/sync/types.ts'
import { unusedPaths } from '../../../operator/bets/sync/unused-paths.ts'
import type { Book } from '../../../operator/book/book.ts'
import { bookUrlOf, openBookOf } from '../../../world/clients/book-location.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { attemptsOf } from '../../../world/config/http-options.ts'
import { durationOf, momentFrom } from '../../arguments/moments.ts'
import { warnOfClock } from '../../context/clock-warning.ts'
import type { CommandContext } from '../../context/context.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { rememberNames } from '../../framework/completion.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { exitOf, problemOf } from '../../outcome/exit-codes.ts'
import { exitCodeFor } from '../../outcome/run-exit.ts'
import { hasTerminal } from '../../terminal/has-terminal.ts'
import { outFolder } from '../../terminal/out-file.ts'
import { openSyncReport } from './sync-report.ts'

/** Polling interval in seconds. The API document asks for 5 to 30. */
const defaultEvery = 10
/** Number of recent players whose names are stored for completion. */
const maxNames = 200

interface SyncFlags {
  readonly out: string
  readonly from: string | undefined
  readonly follow: boolean
  readonly every: number | undefined
  readonly 'rate-share': number
  readonly rate: number | undefined
  readonly wait: string | undefined
  readonly deadline: string | undefined
  readonly force: boolean
}

/** Syncs all bets to the book and to the folder, creating both if needed. */
export async function syncBets(context: CommandContext, flags: SyncFlags): Promise<SyncSummary> {
  const options = optionsFrom(flags)
  const isNew = !existsSync(flags.out)
  const clients = await context.services.casino()
  await refuseFuture(clients, flags.from, options.from)
  const dependencies = await openDependencies(context, clients, flags.out)
  const { report, end } = openSyncReport(context, flags.follow, dependencies.book)
  try {
    const summary = await syncAll({ ...dependencies, report: limitingMemory(report) }, options)
    end(`${countText(summary.added, 'new row')}, ${grouped(summary.rows)} in total`)
    if (summary.added > 0) await rememberPlayers(context, dependencies.book)
    if (isNew && hasTerminal() && existsSync(flags.out)) context.note(`Created the folder ${resolve(flags.out)}`)
    warnOfClock(context, clients)
    conclude(context, summary)
    return summary
  } catch (error) {
    end('stopped; all rows read so far are saved')
    throw error
  }
}

/**
 * Limits the heap with the first bets, or when `--follow` polls again. V8 does not use the cached code of Node's own modules
 * after such a change, so it is made when they are loaded, and not for a run without new bets.
 */
function limitingMemory(report: SyncReport): SyncReport {
  let events = 0
  let isLimited = false
  return {
    ...report,
    progress: (state) => {
      events += 1
      if (!isLimited && (state.added > 0 || events > 1)) {
        keepHeapSmall()
        isLimited = true
      }
      return report.progress(state)
    },
  }
}

function optionsFrom(flags: SyncFlags): SyncOptions {
  return {
    out: outFolder(flags.out),
    from: flags.from === undefined ? undefined : momentFrom(flags.from),
    followEveryMs: flags.follow ? (flags.every ?? defaultEvery) * 1000 : undefined,
    rateShare: flags['rate-share'],
    rate: flags.rate,
    waitMs: durationOf('wait', flags.wait),
    deadlineMs: durationOf('deadline', flags.deadline),
    force: flags.force,
  }
}

async function refuseFuture(clients: Clients, text: string | undefined, from: number | undefined): Promise<void> {
  // The served world's clock may be ahead of this machine's, so only the platform's decides.
  if (from !== undefined && from > Date.now() && from > (await clients.now()))
    throw new Problem('INVALID_USAGE', `--from ${text} is in the future; the book would miss all bets before it`)
}

async function openDependencies(
  context: CommandContext,
  clients: Clients,
  out: string,
): Promise<Omit<SyncDependencies, 'report'>> {
  const { settings, profile } = context
  const { casinoTransport, casinoAccess } = clients
  // A remote platform's time comes with its first response, before the first page.
  const ahead = profile.profile.kind === 'local' ? (await clients.now()) - Date.now() : 0
  const book = await openBookOf(settings, profile, casinoAccess)
  context.closeLater(() => book.close())
  const bookUrl = bookUrlOf(settings, profile)
  const ambient = realAmbient()
  return {
    book,
    bookUrl,
    disk: realDisk,
    transport: casinoTransport,
    tenant: casinoAccess,
    now: ambient.now,
    platformNow: () => ambient.now() + (clients.aheadMs() ?? ahead),
    sleep: realSleep,
    random: Math.random,
    ...attemptsOf(settings),
    runId: ambient.id(),
    me: lockHolder(context),
    newBookCommand: commandForNewBook(context, { out, book: bookUrl }),
    tool: context.tool,
    stop: context.stop,
    exitOf: (end) => ('error' in end ? exitCodeFor(problemOf(end.error)) : exitCodeOfSummary(end.value)),
  }
}

/** Returns the command that reads everything again into a new folder and a new book. */
function commandForNewBook({ profile }: CommandContext, paths: { out: string; book: string }): string {
  return typedCommand('bets sync', [], { ...unusedPaths(paths, existsSync), profile: profile.name })
}

/** Stores the names of recent players for completion. */
async function rememberPlayers({ settings }: CommandContext, book: Book): Promise<void> {
  const names = await book.store.read((reader) => recentUsernames(reader, maxNames))
  rememberNames(settings.paths, 'users', names)
}

function exitCodeOfSummary(summary: SyncSummary): number {
  return contradictionsIn(summary).length > 0 ? exitOf('differences') : exitCodeFor(undefined)
}

/** Prints the result for a person, and sets the exit code. */
function conclude(context: CommandContext, summary: SyncSummary): void {
  if (summary.stoppedBy === 'deadline' && !summary.caughtUp)
    context.warn('Stopped at the deadline before the end of the bets. The next run continues from here')
  const contradictions = contradictionsIn(summary)
  if (contradictions.length > 0)
    context.endWith(
      'BOOK_CONTRADICTED',
      `${countText(contradictions.length, 'revision arrived', 'revisions arrived')} again with different content. The book keeps the first version; the result shows both`,
      { category: 'differences', slips: contradictions.map(({ slipId, rev }) => ({ slipId, rev })) },
    )
  if (!hasTerminal()) return
  const { out, cursor, caughtUp, rows, added, duplicates, files } = summary
  context.fields({ out, cursor, caughtUp, rows, added, ...(duplicates > 0 ? { duplicates } : {}) })
  context.log()
  context.table(files, ['file', 'rows', 'bytes'], 'No bets; no file was written.')
}
