import assert from 'node:assert/strict'
import { retrying } from '../../../http/client/retry.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import { realDisk } from '../../../operator/bets/files/disk.ts'
import { type Repaired, repairDay as repair } from '../../../operator/bets/repair/repair.ts'
import type { RepairResult } from '../../../operator/bets/repair/schema.ts'
import { keepDays } from '../../../operator/reconcile/breaks/record.ts'
import { type Reconciled, reconcileDay } from '../../../operator/reconcile/daily/reconcile-day.ts'
import { verdictCategories, verdictOfDays } from '../../../operator/reconcile/daily/verdict.ts'
import { bookUrlOf, openBookIfThere } from '../../../world/clients/book-location.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { attemptsOf } from '../../../world/config/http-options.ts'
import { durationOf } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { noBook } from '../../context/no-book.ts'
import { personHere } from '../../context/operator-name.ts'
import { checkDay, dayFrom } from '../../framework/day.ts'
import { exitOf } from '../../outcome/exit-codes.ts'
import { retryText } from '../../outcome/request-log.ts'
import { outFolder } from '../../terminal/out-file.ts'

interface RepairFlags {
  readonly out: string
  readonly wait: string | undefined
  readonly 'max-pages': number
  readonly force: boolean
}

const changesShown = 1000

/** Repairs a day of the book, writes its files again, and reconciles the day. */
export async function repairDay(context: CommandContext, date: string, flags: RepairFlags): Promise<RepairResult> {
  checkDay(date)
  const out = outFolder(flags.out)
  const waitMs = durationOf('wait', flags.wait) ?? 0
  const { settings, profile } = context
  const clients = await context.services.casino()
  const bookUrl = bookUrlOf(settings, profile)
  const book = await openBookIfThere(settings, profile, clients.casinoAccess)
  if (!book) throw noBook('BOOK_NOT_FOUND', bookUrl, settings)
  context.closeLater(() => book.close())
  const { timezone } = clients.casinoAccess
  const now = await clients.now()
  const day = dayFrom(date, now, timezone)
  const options = { date: day, tenant: clients.casinoAccess, trace: false, tracePages: 1 }
  const work = { platform: clients.casino, book, now: () => now, signal: context.stop }
  const state: { before?: Reconciled; done?: Repaired; after?: Reconciled } = {}
  await context.screen.steps(
    [
      {
        title: 'reconciling',
        run: async () => {
          state.before = await reconcileDay(work, options)
          refuseUnprovable(state.before)
        },
      },
      {
        title: 'repairing the book and the files',
        run: async (report) => {
          const { force, 'max-pages': maxPages } = flags
          state.done = await repair(dependenciesOf(context, { book, bookUrl, clients, report }), {
            ...{ date: day, timezone, out, waitMs, force, maxPages, isDryRun: context.isDryRun },
          })
        },
      },
      {
        title: 'reconciling again',
        run: async () => {
          if (context.isDryRun) return 'skipped'
          state.after = await reconcileDay(work, { ...options, trace: true, tracePages: 200 })
          await record(context, book, state.after)
        },
      },
    ],
    { label: `Repairing ${day}`, summary: () => (state.done ? countsText(state.done) : '') },
  )
  const { before, done, after } = state
  assert(before && done)
  return concluded(context, { day, timezone, done, before, after })
}

interface RepairRun {
  readonly book: Parameters<typeof keepDays>[0]
  readonly bookUrl: string
  readonly clients: Clients
  readonly report: (text: string) => void
}

function dependenciesOf(
  context: CommandContext,
  { book, bookUrl, clients, report }: RepairRun,
): Parameters<typeof repair>[0] {
  const { settings } = context
  return {
    ...{ book, bookUrl, disk: realDisk, sleep: realSleep, signal: context.stop, runId: realAmbient().id() },
    transport: retrying(clients.casinoTransport, {
      ...{ sleep: realSleep, random: Math.random, now: Date.now, ...attemptsOf(settings) },
      observe: (each) => context.note(retryText(each)),
    }),
    now: Date.now,
    me: lockHolder(context),
    who: personHere(settings).name,
    tool: context.tool,
    report: {
      step: report,
      warn: (text) => void context.warn(text),
      waiting: () => context.note('Waiting for another run to finish'),
    },
  }
}

/** Reasons for which the platform's records of the day prove nothing. */
const unprovable: ReadonlySet<string> = new Set([
  'BOOK_OF_ANOTHER',
  'SUMMARY_OF_ANOTHER_DAY',
  'OTHER_TIMEZONE',
  'BOOK_AHEAD',
  'RETENTION',
])

function refuseUnprovable({ result }: Reconciled): void {
  const reason = result.reasons.find(({ code }) => unprovable.has(code))
  if (reason)
    throw new Problem('CANNOT_CONCLUDE', `${result.date} cannot be repaired: ${reason.message}. Nothing was changed`, {
      reason: reason.code,
    })
}

async function record(context: CommandContext, book: Parameters<typeof keepDays>[0], after: Reconciled): Promise<void> {
  const { verdict } = verdictOfDays([after.result])
  await keepDays(book, { id: realAmbient().id(), who: context.words, exit: exitOf(verdictCategories[verdict]) }, [
    after,
  ])
}

function countsText({ plan: { added, replaced, removed } }: Repaired): string {
  return `${added.length} added, ${replaced.length} replaced, ${removed.length} removed`
}

interface Ended {
  readonly day: string
  readonly timezone: string
  readonly done: Repaired
  readonly before: Reconciled
  readonly after: Reconciled | undefined
}

function concluded(context: CommandContext, { day, timezone, done, before, after }: Ended): RepairResult {
  const { plan, newer, pages, repair: row, out, files } = done
  const changes = changesOf(done)
  const verdict = after?.result.verdict ?? null
  const reasons = after?.result.reasons.map(({ message }) => message) ?? []
  const counts = { added: plan.added.length, replaced: plan.replaced.length, removed: plan.removed.length }
  context.fields({ date: day, timezone, ...counts, newer, before: before.result.verdict, verdict, out })
  if (changes.length > 0) {
    context.log()
    context.table(changes, [{ key: 'slipId', title: 'slip', whole: true }, 'rev', 'change', 'player', 'place'])
  }
  if (newer > 0) context.footnote(`${newer} newer records are left to the next run of: countroom bets sync --out bets`)
  const next = `countroom reconcile daily ${day}`
  if (after?.result.stale)
    context.endWith('STALE', `The book is out of date for ${day}. Run: countroom bets sync --out bets`)
  else if (verdict === 'differences')
    context.endWith('DIFFERENCES', `The book has what the platform has, but ${day} still differs. See: ${next}`)
  else if (verdict === 'cannot-conclude')
    context.endWith('CANNOT_CONCLUDE', `${day} was repaired, but is inconclusive: ${reasons.join('; ')}`)
  return {
    ...{ date: day, timezone, repairId: row?.id ?? null, ...counts, newer, pages },
    changes: changes.slice(0, changesShown),
    ...{ before: before.result.verdict, verdict, reasons, out, files: [...files] },
  }
}

function changesOf({ plan }: Repaired): RepairResult['changes'] {
  return [
    ...plan.added.map((is) => ({
      slipId: is.slip_id,
      rev: is.rev,
      change: 'added' as const,
      player: is.name_key,
      place: null,
    })),
    ...plan.replaced.map(({ was }) => ({
      ...{ slipId: was.slip_id, rev: was.rev, change: 'replaced' as const, player: was.name_key, place: was.place },
    })),
    ...plan.removed.map((was) => ({
      ...{ slipId: was.slip_id, rev: was.rev, change: 'removed' as const, player: was.name_key, place: was.place },
    })),
  ]
}
