import { isBreakId } from '../../../../domain/reconcile/breaks.ts'
import { isDay } from '../../../../domain/time/calendar.ts'
import { usernameFault } from '../../../../domain/wallet/transfer-faults.ts'
import { Problem } from '../../../../kit/problem.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import { type Explaining, explainDay, explainSlip, tenancyOf } from '../../../../operator/reconcile/explain/explain.ts'
import { explainBreak } from '../../../../operator/reconcile/explain/explain-break.ts'
import type { Explained } from '../../../../operator/reconcile/explain/schema.ts'
import type { Clients } from '../../../../world/clients/casino.ts'
import { refuseFaults } from '../../../arguments/validate.ts'
import { warnOfClock } from '../../../context/clock-warning.ts'
import type { CommandContext } from '../../../context/context.ts'
import { checkDay, dayFrom, isRelativeDay } from '../../../framework/day.ts'
import { endedAfter } from '../../../terminal/progress.ts'
import { openBookToReconcile } from '../book-job.ts'
import { printSummary } from './explain-summary.ts'
import { printExplained } from './explain-view.ts'

interface ExplainFlags {
  readonly player: string | undefined
  readonly offline: boolean
  readonly all: boolean
  readonly 'trace-pages': number
}

type SubjectKind = 'day' | 'slip' | 'break'

/** Explains a day, a slip or a break, and prints the explanation. */
export async function explainSubject(context: CommandContext, subject: string, flags: ExplainFlags) {
  const kind = kindOf(subject)
  checkFlags(kind, flags)
  const { clients, work } = await openExplaining(context, flags.offline)
  const progress = context.progress(`Analyzing ${subject.slice(0, 40)}`)
  const onStep = (step: string) => progress.update(0, step)
  const explanation = await endedAfter(progress, explain({ ...work, onStep }, kind, subject, flags))
  const explained = context.screen.complete(explanation)
  if (clients && kind === 'day') warnOfClock(context, clients, [subject])
  if (flags.all) printExplained(context, explained)
  else printSummary(context, explained)
  endWithMissing(context, explained)
  return explained
}

/** Ends the run as inconclusive if the platform failed to answer a part. */
export function endWithMissing(context: CommandContext, { missing }: Pick<Explained, 'missing'>): void {
  for (const each of missing) context.warn(each)
  if (missing.length > 0)
    context.endWith(
      'CANNOT_CONCLUDE',
      `${countText(missing.length, 'part')} of the explanation could not be read. Try again later`,
      { missing },
    )
}

/** Opens what an explanation reads: the book, and the platform unless offline. */
export async function openExplaining(
  context: CommandContext,
  isOffline: boolean,
): Promise<{ readonly clients: Clients | undefined; readonly work: Explaining }> {
  const clients = isOffline ? undefined : await context.services.casino()
  const { book } = clients ? await openBookToReconcile(context, clients) : await context.services.book()
  const now = clients ? await clients.now() : Date.now()
  return {
    clients,
    work: {
      platform: clients?.casino,
      book,
      tenant: clients?.casinoAccess ?? (await tenancyOf(book)),
      now: () => now,
      here: Date.now,
      signal: context.stop,
      missing: [],
    },
  }
}

function explain(work: Explaining, kind: SubjectKind, subject: string, flags: ExplainFlags): Promise<Explained> {
  const options = { player: flags.player, tracePages: flags['trace-pages'] }
  if (kind === 'day') return explainDay(work, dayFrom(subject, work.now(), work.tenant.timezone), options)
  return kind === 'slip' ? explainSlip(work, subject) : explainBreak(work, subject.toLowerCase(), options)
}

function checkFlags(kind: SubjectKind, { player, offline }: ExplainFlags): void {
  refuseFaults([player === undefined ? undefined : usernameFault(player)])
  if (player !== undefined && kind !== 'day')
    throw new Problem(
      'INVALID_USAGE',
      '--player requires a day, such as: countroom reconcile explain yesterday --player amy',
    )
  if (offline && kind === 'day')
    throw new Problem(
      'INVALID_USAGE',
      'A day cannot be explained with --offline, because its summary is at the platform; omit the flag',
    )
}

/** Returns the kind of a subject by its format. */
function kindOf(subject: string): SubjectKind {
  if (isDay(subject) || isRelativeDay(subject)) return 'day'
  if (isBreakId(subject.toLowerCase())) return 'break'
  if (/^\d{4}-/.test(subject)) checkDay(subject)
  if (/^[A-Za-z0-9_.:-]{1,64}$/.test(subject)) return 'slip'
  throw new Problem(
    'INVALID_USAGE',
    `${JSON.stringify(subject.slice(0, 60))} is not a day, slip ID or break ID. To list the breaks: countroom reconcile breaks list`,
  )
}
