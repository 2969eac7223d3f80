import { Problem } from '../../../../kit/problem.ts'
import { openDayLines } from '../../../../operator/reconcile/periods/open-days.ts'
import {
  approvalOf,
  approvePeriod,
  closePeriod,
  type PeriodChanged,
  periodNamed,
  reopenPeriod,
} from '../../../../operator/reconcile/periods/periods.ts'
import type { CommandContext } from '../../../context/context.ts'
import { decidingPerson } from '../../../context/deciding-person.ts'
import { personHere } from '../../../context/operator-name.ts'
import { printable } from '../../../terminal/text.ts'
import { openPeriods } from './work.ts'

/** Closes a period, or says day by day why it cannot be closed. */
export async function closePeriodNamed(context: CommandContext, name: string, passphraseFile: string | undefined) {
  const work = await openPeriods(context)
  const by = await decidingPerson(context, work.book, passphraseFile)
  const ordered = await closePeriod(work, periodNamed(name, work.timezone), by, context.isDryRun)
  if (ordered.open.length === 0 && !context.isDryRun)
    context.footnote(`Another person must approve it. ${(await approvalOf(work, ordered.shown)).text}`)
  return conclude(context, ordered, 'closed')
}

/** Approves a closed period. */
export async function approvePeriodNamed(context: CommandContext, name: string, passphraseFile: string | undefined) {
  const work = await openPeriods(context)
  const by = await decidingPerson(context, work.book, passphraseFile)
  return conclude(
    context,
    await approvePeriod(work, periodNamed(name, work.timezone), by, context.isDryRun),
    'approved',
  )
}

/** Reopens a period with a reason. */
export async function reopenPeriodNamed(context: CommandContext, name: string, reason: string) {
  if (reason.trim() === '' || reason.length > 2000)
    throw new Problem('INVALID_USAGE', 'A reason must have 1 to 2,000 characters')
  const by = personHere(context.settings)
  const work = await openPeriods(context)
  const period = periodNamed(name, work.timezone)
  return conclude(context, await reopenPeriod(work, period, by, reason, context.isDryRun), 'reopened')
}

function conclude(context: CommandContext, ordered: PeriodChanged, done: string) {
  const { shown, open, lines } = context.screen.complete({ ...ordered, lines: openDayLines(ordered.open) })
  const { isDryRun: dryRun } = context
  const { period } = shown
  if (open.length > 0) {
    context.log(`Period ${period} cannot be ${done}:`)
    for (const line of lines) context.log(`- ${printable(line)}`)
    const days =
      open.length === 1 ? `1 day is open: ${open[0]?.date}` : `${open.length} days are open, the first ${open[0]?.date}`
    context.endWith('PERIOD_OPEN', `Period ${period} was not ${done}: ${days}`, { category: 'differences', days: open })
  } else {
    context.log(
      dryRun ? `Period ${period} would be ${done} (dry run: nothing was changed).` : `Period ${period} is ${done}.`,
    )
  }
  return {
    ...shown,
    openDays: open.map(({ date, reasons }) => ({ date, reasons: [...reasons] })),
    done: open.length === 0 && !dryRun,
    dryRun,
  }
}
