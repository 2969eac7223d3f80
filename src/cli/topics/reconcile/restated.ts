import type { BreakReason } from '../../../domain/reconcile/breaks.ts'
import { dayAfter, dayOf } from '../../../domain/time/day.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { bookState } from '../../../operator/bets/slips-by-day.ts'
import { platformTime } from '../../../operator/book/cursor-position.ts'
import { applyToBreaks } from '../../../operator/reconcile/breaks/actions.ts'
import { type DayRange, findRestated, type Restated, readRestated } from '../../../operator/reconcile/restated.ts'
import type { CommandContext } from '../../context/context.ts'
import { personHere } from '../../context/operator-name.ts'
import { checkDay, dayFrom } from '../../framework/day.ts'
import { checkedNote } from './breaks/arguments.ts'
import { notifyingOfBreaks } from './notify-of-breaks.ts'
import { restatedPeriods } from './periods/restated-periods.ts'
import { printRestated } from './restated-view.ts'

interface RestatedFlags {
  readonly since: string | undefined
  readonly days: number | undefined
  readonly day: string[] | undefined
  readonly per: string
  readonly accept: boolean
  readonly reason: string | undefined
  readonly note: string | undefined
  readonly csv: boolean
  readonly columns?: string | undefined
}

/** Finds the days whose figures changed after they were reconciled, and with --accept accepts the current figures. */
export async function reconcileRestated(context: CommandContext, flags: RestatedFlags) {
  const { isDryRun } = context
  for (const text of [flags.since, ...(flags.day ?? [])]) if (text !== undefined) checkDay(text)
  const operatorName = personHere(context.settings).name
  const { reason, note } = acceptance(flags)
  const { book } = await context.services.book()
  const { owner, position } = await book.store.read(bookState)
  const range = rangeFrom(flags, platformTime(position, Date.now()), owner?.timezone ?? 'UTC')
  const result = isDryRun
    ? await readRestated(book, range)
    : await notifyingOfBreaks(context, book, () =>
        findRestated(book, { id: realAmbient().id(), who: context.words }, range),
      )
  const { days, restated } = result
  const periods = isDryRun ? [] : await restatedPeriods(context, book)
  printRestated(context, result, flags)
  const ids = restated.flatMap(({ breakId }) => breakId ?? [])
  if (flags.accept && ids.length > 0 && !isDryRun)
    await applyToBreaks(book, ids, operatorName, { what: 'closed', reason, note })
  const dates = restated.map(({ date }) => date)
  conclude(context, result, range)
  if (dates.length > 0) concludeRestated(context, dates, flags.accept)
  return { days, restated, accepted: flags.accept && !isDryRun ? dates : [], periods, dryRun: isDryRun }
}

function acceptance({ accept, reason: named, note: text }: RestatedFlags): {
  reason: BreakReason
  note: string | null
} {
  const note = checkedNote(text)
  // oclif checked it against the flag's options.
  const reason = (named ?? 'late-correction') as BreakReason
  if (accept && reason === 'other' && note === null)
    throw new Problem('INVALID_USAGE', 'The reason "other" requires --note')
  return { reason, note }
}

function rangeFrom({ since, days, day }: RestatedFlags, now: number, zone: string): DayRange {
  const first =
    since !== undefined ? dayFrom(since, now, zone) : days === undefined ? undefined : dayAfter(dayOf(now, zone), -days)
  return { since: first, dates: day?.map((text) => dayFrom(text, now, zone)) }
}

/** Sets the exit code by the days that could not be checked, and notes which named days were. */
function conclude(context: CommandContext, { days, unreconciled, restated }: Restated, { dates }: DayRange): void {
  const next = 'Run first: countroom reconcile daily'
  if (unreconciled.length > 0)
    context.endWith('CANNOT_CONCLUDE', `Not reconciled with this book: ${unreconciled.join(', ')}. ${next}`)
  else if (days === 0)
    context.endWith(
      'CANNOT_CONCLUDE',
      `No day in this range was reconciled with this book, so none was checked. ${next}`,
    )
  const checked = (dates ?? []).filter((date) => !unreconciled.includes(date))
  if (checked.length > 0 && restated.length === 0)
    context.note(`Only ${checked.join(', ')} ${checked.length === 1 ? 'was' : 'were'} checked.`)
}

/** Sets the exit code of restated days, which wins over days that could not be checked: they are differences until they are accepted. */
function concludeRestated(context: CommandContext, dates: readonly string[], isAccepting: boolean): void {
  if (isAccepting) {
    context.footnote(`${context.isDryRun ? 'Would accept' : 'Accepted'}: ${dates.join(', ')}`)
    return
  }
  context.endWith(
    'RESTATED',
    `${countText(dates.length, 'day')} changed after reconciliation: ${dates.slice(0, 5).join(', ')}${dates.length > 5 ? ' and more' : ''}. Accept the new figures: countroom reconcile restated --accept`,
    { category: 'differences', dates },
  )
}
