import { healableKinds } from '../../../domain/reconcile/callback-evidence.ts'
import { secondText } from '../../../kit/moment.ts'
import { typedCommand } from '../../../kit/shell-quote.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import { type Healed, healCallbacks } from '../../../operator/callbacks/heal.ts'
import { lastForwardedTo } from '../../../operator/callbacks/inbox.ts'
import { momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { forwarderTo, forwardUrl, receivingBook, signingSecret } from './sources.ts'
import { ipnTopic } from './topics.ts'

interface HealFlags {
  readonly to?: string | undefined
  readonly kind?: string | undefined
  readonly since?: string | undefined
  readonly 'min-age': number
  readonly 'secret-file'?: string | undefined
}

/** Counts of a run: what it has checked and what it could not check. */
interface Coverage {
  checked: number
  /** Times of the changes that are too recent to be checked. */
  readonly recent: number[]
  isPaymentsOnly: boolean
  unsteady: { readonly listed: number; readonly total: number } | undefined
}

/** Rebuilds and delivers IPNs that never arrived: those named, or all. */
export async function healMissing(context: CommandContext, named: readonly string[] | undefined, flags: HealFlags) {
  const target = flags.to === undefined ? undefined : forwardUrl(flags.to, '--to')
  const from = flags.since === undefined ? undefined : new Date(momentFrom(flags.since)).toISOString()
  const ids = named && named.length > 0 ? named : undefined
  const secret = await signingSecret(context, ipnTopic, flags['secret-file'])
  const book = context.isDryRun ? await context.services.bookIfThere() : await receivingBook(context, ipnTopic)
  const to = target ?? (book && (await lastForwardedTo(book, 'merchant-ipn')))
  const clients = await context.services.gateway()
  const forwarder = to === undefined || context.isDryRun ? undefined : forwarderTo(context, to)
  const progress = context.progress('Checking payments and payouts')
  const minAgeMs = flags['min-age'] * 1000
  const covered: Coverage = { checked: 0, recent: [], isPaymentsOnly: false, unsteady: undefined }
  const healing = healCallbacks({
    source: clients.gateway,
    book,
    secret,
    forwarder,
    before: (await clients.now()) - minAgeMs,
    kind: healableKinds.find((kind) => kind === flags.kind),
    ids,
    range: { from },
    isDryRun: context.isDryRun,
    ...observers(context, covered, (count) => progress.update(count)),
  })
  const callbacks: ReturnType<typeof rowOf>[] = []
  for await (const healed of healing) {
    callbacks.push(rowOf(healed))
    if (context.stop.aborted) break
  }
  progress.end(`${covered.checked} checked`)
  const { recent, checked } = covered
  const nextRunAt = recent.length === 0 ? null : new Date(Math.max(...recent) + minAgeMs).toISOString()
  const complete = !covered.isPaymentsOnly && covered.unsteady === undefined && !context.stop.aborted
  show(context, { callbacks, covered, nextRunAt, complete, to, minAge: flags['min-age'] })
  conclude(context, callbacks, covered, to)
  const healed = callbacks.filter((row) => row.id !== null).length
  const delivered = callbacks.filter((row) => row.answered !== null && row.error === null).length
  return { to: to ?? null, checked, recent: recent.length, nextRunAt, complete, healed, delivered, callbacks }
}

function observers(context: CommandContext, covered: Coverage, update: (count: number) => void) {
  return {
    onChecked: (count: number) => {
      covered.checked = count
      update(count)
    },
    onRecent: (changedAt: number) => void covered.recent.push(changedAt),
    onUnsteady: (counts: NonNullable<Coverage['unsteady']>) => {
      covered.unsteady = counts
    },
    onBarred: ({ message }: { readonly message: string }) => {
      covered.isPaymentsOnly = true
      context.warn(`Payouts were not checked: ${message}. To skip them, use --kind payment`)
    },
  }
}

interface HealReport {
  readonly callbacks: readonly ReturnType<typeof rowOf>[]
  readonly covered: Coverage
  readonly nextRunAt: string | null
  readonly complete: boolean
  readonly to: string | undefined
  readonly minAge: number
}

function show(context: CommandContext, { callbacks, covered, nextRunAt, complete, to, minAge }: HealReport): void {
  const columns = ['kind', 'subject', 'status', 'because', { key: 'id', whole: true }, 'answered', 'error']
  context.table(callbacks, columns, verdictOf(covered, complete))
  const { length: recent } = covered.recent
  if (nextRunAt !== null)
    context.note(
      `${countText(recent, 'was', 'were')} not checked: changed within ${minAge} s, so the callback may be on its way. Run again after ${secondText(nextRunAt)}`,
    )
  if (callbacks.length > 0 && to === undefined)
    context.footnote(
      context.isDryRun
        ? 'No target is known. To forward them, pass the URL of your endpoint with --to'
        : `Nothing was forwarded: no target is known. If your endpoint is ${exampleTarget}: ${replayOf(callbacks, { to: exampleTarget })}`,
    )
}

/** Target of a suggested command while none is known: on this machine, so that pasting it sends nothing to others. */
const exampleTarget = 'http://127.0.0.1:3000/ipn'

/** Maximum number of callbacks that a suggested command names. */
const maxNamed = 20

/** Returns the command that sends stored callbacks again: these, or all that no target accepted if these are many. */
function replayOf(callbacks: readonly ReturnType<typeof rowOf>[], flags: Parameters<typeof typedCommand>[2]): string {
  const ids = callbacks.flatMap(({ id }) => id ?? [])
  const isNamed = ids.length > 0 && ids.length <= maxNamed
  return typedCommand('ipn replay', isNamed ? ids : [], { ...flags, ...(isNamed ? {} : { unforwarded: true }) })
}

function conclude(
  context: CommandContext,
  callbacks: readonly ReturnType<typeof rowOf>[],
  { unsteady }: Coverage,
  to: string | undefined,
): void {
  const refused = callbacks.filter((row) => row.error !== null)
  const { length: failed } = refused
  if (failed > 0)
    context.endWith(
      failed < callbacks.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
      `The target did not accept ${partText(failed, callbacks.length, 'callback')}; they are stored in the book. To send them again: ${replayOf(refused, { to, retries: '3' })}`,
      { failed },
    )
  else if (unsteady !== undefined)
    context.endWith(
      'CANNOT_CONCLUDE',
      `The gateway counts ${unsteady.total} payments but listed ${unsteady.listed}, because the list changed during the read. Run the command again`,
      unsteady,
    )
}

/** Returns the line for an empty list. It claims "none missing" only if everything was checked. */
function verdictOf({ checked, recent, isPaymentsOnly }: Coverage, isComplete: boolean): string {
  if (recent.length > 0 || !(isComplete || isPaymentsOnly))
    return `${checked - recent.length} checked, none missing; ${recent.length} not checked.`
  return isPaymentsOnly ? 'No IPN of a payment is missing. Payouts were not checked.' : 'No IPN is missing.'
}

function rowOf({ kind, subject, status, because, id, forwarded }: Healed) {
  const paymentId = kind === 'payment' ? subject : null
  const [answered, error] = [forwarded?.status ?? null, forwarded?.error ?? null]
  return { kind, subject, paymentId, status, because, id, answered, error }
}
