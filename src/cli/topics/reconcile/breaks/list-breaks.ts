import { foldUsername } from '../../../../domain/players/player.ts'
import { ageText, type BreakKind, type BreakState } from '../../../../domain/reconcile/breaks.ts'
import { isDay } from '../../../../domain/time/calendar.ts'
import { usernameFault } from '../../../../domain/wallet/transfer-faults.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { Problem } from '../../../../kit/problem.ts'
import { countText, partText } from '../../../../kit/text/count-text.ts'
import type { Book } from '../../../../operator/book/book.ts'
import { platformNow } from '../../../../operator/book/cursor-position.ts'
import { openOlderThan } from '../../../../operator/reconcile/breaks/ages.ts'
import { toBreakView } from '../../../../operator/reconcile/breaks/record.ts'
import { type BreakQuery, listBreaks as queryBreaks } from '../../../../operator/reconcile/breaks/store.ts'
import { durationOf } from '../../../arguments/moments.ts'
import { refuseFaults } from '../../../arguments/validate.ts'
import type { CommandContext } from '../../../context/context.ts'
import type { Column } from '../../../terminal/table.ts'
import { listByAge } from './list-by-age.ts'

const untilText = (at: unknown) => (at === null ? '' : minuteText(String(at)))

interface ListFlags {
  readonly state: string
  readonly kind: string[] | undefined
  readonly player: string | undefined
  readonly date: string | undefined
  readonly owner: string | undefined
  readonly older: string | undefined
  readonly 'fail-if-older': string | undefined
  readonly limit: number
  readonly snoozed: boolean
  readonly aged: boolean
  readonly csv: boolean
  readonly columns?: string | undefined
}

/** Prints the breaks that match the flags, and fails if one has been open for longer than allowed. */
export async function listBreaks(context: CommandContext, flags: ListFlags) {
  const { queryAt, limitMs } = checkedFlags(flags)
  const book = await context.services.bookIfThere()
  const now = book ? await platformNow(book) : Date.now()
  const query = queryAt(now)
  if (flags.aged) return listByAge(context, book, query, now)
  const { rows, count } = book ? await queryBreaks(book, query) : { rows: [], count: 0 }
  const breaks = rows.map((row) => toBreakView(row, now))
  const shown = breaks.map((each) => ({ ...each, age: each.ageMs === null ? '' : ageText(each.ageMs) }))
  const isForPrograms = flags.csv || flags.columns !== undefined
  const columns = breakColumns(isForPrograms, context.screen.tableWidth(), flags.snoozed)
  const isDated = shown.some(({ date }) => date !== null)
  context.table(
    shown,
    isForPrograms ? columns : columns.filter(({ key }) => key !== 'date' || isDated),
    flags.state === 'open' ? 'No open breaks.' : 'No breaks match.',
  )
  if (count > breaks.length)
    context.footnote(`Showing ${partText(breaks.length, count, 'break')}. To see more, raise --limit`)
  const { oldestMs, ids } = openOlderThan(breaks, limitMs)
  if (ids.length > 0)
    context.endWith(
      'BREAKS_OLD',
      `${countText(ids.length, 'break has', 'breaks have')} been open for longer than ${flags['fail-if-older']}, the oldest for ${ageText(oldestMs ?? 0)}: ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ' and more' : ''}`,
      { category: 'differences', breaks: ids },
    )
  const snoozed = book && flags.state === 'open' && !flags.snoozed ? await countSnoozed(book, query, now) : 0
  if (snoozed > 0) noteSnoozed(context, snoozed)
  return { breaks, count, oldestMs, snoozed }
}

/** Returns the number of breaks that match the filters and were omitted because they are snoozed. */
async function countSnoozed(book: Book, query: BreakQuery, now: number): Promise<number> {
  return (await queryBreaks(book, { ...query, snoozed: { at: now, only: true }, limit: 0 })).count
}

function noteSnoozed(context: CommandContext, count: number): void {
  context.footnote(
    `${countText(count, 'snoozed break is', 'snoozed breaks are')} not listed. To list: countroom reconcile breaks list --snoozed`,
  )
}

function checkedFlags(flags: ListFlags): { queryAt: (now: number) => BreakQuery; limitMs: number | undefined } {
  const { state, kind, player, date, owner, limit } = flags
  refuseFaults([player === undefined ? undefined : usernameFault(player)])
  if (date !== undefined && !isDay(date) && !/^\d{4}-\d{2}$/.test(date))
    throw new Problem(
      'INVALID_USAGE',
      `"${date.slice(0, 40)}" is not a day; expected YYYY-MM-DD, or YYYY-MM for a bill`,
    )
  if ((flags.snoozed || flags.aged) && state !== 'open')
    throw new Problem('INVALID_USAGE', `--${flags.snoozed ? 'snoozed' : 'aged'} lists open breaks; omit --state`)
  const older = durationOf('older', flags.older)
  return {
    queryAt: (now) => ({
      // oclif checked both against the flag's options.
      states: state === 'all' ? undefined : [state as BreakState],
      kinds: kind as BreakKind[] | undefined,
      player: player === undefined ? undefined : foldUsername(player),
      owner: owner === 'nobody' ? null : owner,
      date,
      snoozed: state === 'open' ? { at: now, only: flags.snoozed } : undefined,
      openedBy: older === undefined ? undefined : now - older,
      limit,
    }),
    limitMs: durationOf('fail-if-older', flags['fail-if-older']),
  }
}

/** Columns of the list. The message is included only on wide screens. */
const breakColumns = (isForPrograms: boolean, width: number, isSnoozed: boolean): Column[] => [
  { key: 'id', whole: true },
  { key: 'date', whole: true },
  { key: 'player' },
  { key: 'amount', kind: 'amount' },
  { key: 'currency', title: 'cur' },
  { key: 'age', whole: true },
  { key: 'owner' },
  ...(isSnoozed ? [{ key: 'snoozedUntil', title: 'snoozed until', whole: true, show: untilText }] : []),
  { key: 'state', tint: (state) => (state === 'open' ? 'red' : state === 'cleared' ? 'green' : undefined) },
  ...(isForPrograms
    ? ['kind', 'subject', 'reason', 'snoozedUntil', 'foundAt', 'openedAt', 'seenAt', 'times', 'runId'].map((key) => ({
        key,
      }))
    : []),
  ...(isForPrograms || width >= 140 ? [{ key: 'message' }] : []),
]
