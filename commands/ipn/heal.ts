import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { Args, bookFlag, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { exchangeText, retryText } from '../../src/cli/outcome/request-log.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { CallbackCommand, forwardUrl, secretFlag } from '../../src/cli/topics/callbacks/command.ts'
import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { healableKinds } from '../../src/domain/reconcile/callback-evidence.ts'
import type { Healed } from '../../src/operator/callbacks/heal.ts'

export default class IpnHeal extends CallbackCommand {
  static override summary = 'Rebuild and deliver IPNs that never arrived'
  static override description =
    'Reads the payments and payouts of the gateway and compares each with the callbacks in the book. If the latest status or amount was never received, the IPN is built from the response of the gateway, byte for byte as the gateway sends it, signed, stored in the book as healed, and forwarded to your shop. Running it again finds nothing to do. IPNs of subscriptions, conversions and transfers are not rebuilt.'
  static override examples = [
    'countroom ipn heal --to http://127.0.0.1:3000/ipn',
    { command: 'countroom ipn heal --since 2026-03-01 --dry-run', description: 'List missing IPNs' },
    'countroom ipn heal 4384100001 --to https://shop.example.com/ipn',
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'partial', 'inconclusive', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'IDs of payments, payouts or batches (default: all)' }),
  }
  static override flags = {
    to: Flags.string({
      summary: 'Target URL (default: the last --forward of "ipn listen", if any)',
      helpValue: 'URL',
    }),
    kind: Flags.string({ summary: 'Payments only, or payouts only', options: [...healableKinds] }),
    since: Flags.string({ summary: 'Created at or after this time', helpValue: 'ISO' }),
    'min-age': Flags.integer({
      summary: 'Minimum age of the last change in seconds; the IPN of a later change may still be on its way',
      default: 60,
      min: 0,
      max: 86_400,
      helpValue: 'S',
    }),
    ...dryRunFlag,
    ...secretFlag,
    ...bookFlag,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const row = Type.Object({
      kind: Type.Enum([...healableKinds]),
      subject: Type.String({ description: 'ID of the payment or payout' }),
      paymentId: text,
      status: Type.String(),
      because: Type.Enum(['missing', 'stale'], { description: 'No callback arrived, or only older ones.' }),
      id: text,
      answered: Type.Union([Type.Integer(), Type.Null()]),
      error: text,
    })
    return Type.Object({
      to: text,
      checked: Type.Integer(),
      recent: Type.Integer({
        description: 'Number skipped because they changed within --min-age; their callbacks may be on their way.',
      }),
      againAt: Type.Union([Type.String(), Type.Null()], {
        description: 'When all of these are old enough to be checked, by the clock of the platform.',
      }),
      complete: Type.Boolean({
        description: 'True if everything requested was checked. False if payouts could not be read.',
      }),
      healed: Type.Integer(),
      delivered: Type.Integer(),
      callbacks: Type.Array(row),
    })
  }
  protected override readonly mail = ipnMail

  override async run() {
    const { args, flags } = await this.parse(IpnHeal)
    const named = flags.to === undefined ? undefined : forwardUrl(flags.to, '--to')
    const from = flags.since === undefined ? undefined : new Date(momentFrom(flags.since)).toISOString()
    const ids = args.ids && args.ids.length > 0 ? args.ids : undefined
    const secret = await this.secret(flags['secret-file'])
    const [{ openGatewayClients }, { lastForwardedTo }, { openForwarder }, { healCallbacks }] = await Promise.all([
      import('../../src/world/clients/gateway.ts'),
      import('../../src/operator/callbacks/inbox.ts'),
      import('../../src/operator/callbacks/forward.ts'),
      import('../../src/operator/callbacks/heal.ts'),
    ])
    const book = this.isDryRun ? await this.bookIfThere() : await this.book()
    const to = named ?? (book && (await lastForwardedTo(book, 'merchant-ipn')))
    const clients = await openGatewayClients(this.profile, this.settings, {
      onRetry: (retry) => this.note(retryText(retry)),
      onExchange: (exchange) => this.detail(exchangeText(exchange)),
    })
    this.closeLater(() => clients.close())
    const forwarder = to === undefined || this.isDryRun ? undefined : openForwarder(to)
    this.closeLater(() => forwarder?.close())
    const progress = this.progress('Checking payments and payouts')
    let checked = 0
    const callbacks: ReturnType<typeof rowOf>[] = []
    const minAgeMs = flags['min-age'] * 1000
    const recent: number[] = []
    let isPaymentsOnly = false
    let unsteady: { readonly listed: number; readonly total: number } | undefined
    const healing = healCallbacks({
      source: clients.gateway,
      book,
      secret,
      forwarder,
      before: (await clients.now()) - minAgeMs,
      kind: healableKinds.find((kind) => kind === flags.kind),
      ids,
      range: { from },
      isDryRun: this.isDryRun,
      onChecked: (count) => {
        checked = count
        progress.update(count)
      },
      onRecent: (changedAt) => void recent.push(changedAt),
      onUnsteady: (counts) => {
        unsteady = counts
      },
      onBarred: ({ message }) => {
        isPaymentsOnly = true
        this.warn(`Payouts were not checked: ${message}. To skip them, use --kind payment`)
      },
    })
    for await (const healed of healing) {
      callbacks.push(rowOf(healed))
      if (this.stop.aborted) break
    }
    progress.end(`${checked} checked`)
    const againAt = recent.length === 0 ? null : new Date(Math.max(...recent) + minAgeMs).toISOString()
    const columns = ['kind', 'subject', 'status', 'because', 'id', 'answered', 'error']
    const isComplete = !isPaymentsOnly && unsteady === undefined && !this.stop.aborted
    this.table(callbacks, columns, verdictOf({ checked, isPaymentsOnly, isComplete, recent: recent.length }))
    if (againAt !== null)
      this.note(
        `${recent.length} ${recent.length === 1 ? 'was' : 'were'} not checked: changed within ${flags['min-age']} s, so the callback may be on its way. Run again after ${againAt.slice(0, 19).replace('T', ' ')} UTC`,
      )
    if (callbacks.length > 0 && to === undefined)
      this.note(
        'Nothing was forwarded: no target. Pass --to URL, or send stored callbacks: countroom ipn replay --unforwarded --to URL',
      )
    const failed = callbacks.filter((row) => row.error !== null)
    if (failed.length > 0)
      this.endWith(
        failed.length < callbacks.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
        `The target did not accept ${failed.length} of ${callbacks.length} callbacks; they are stored in the book`,
        { failed: failed.length },
      )
    else if (unsteady !== undefined)
      this.endWith(
        'CANNOT_CONCLUDE',
        `The gateway counts ${unsteady.total} payments but listed ${unsteady.listed}, because the list changed during the read. Run the command again`,
        unsteady,
      )
    const healed = callbacks.filter((row) => row.id !== null).length
    const delivered = callbacks.filter((row) => row.answered !== null && row.error === null).length
    const counts = { checked, recent: recent.length, againAt, complete: isComplete, healed, delivered }
    return { to: to ?? null, ...counts, callbacks }
  }
}

/** Returns the line for an empty list. It claims "none missing" only if everything was checked. */
function verdictOf(run: { checked: number; isPaymentsOnly: boolean; isComplete: boolean; recent: number }): string {
  const { checked, isPaymentsOnly, isComplete, recent } = run
  if (recent > 0 || !(isComplete || isPaymentsOnly))
    return `${checked - recent} checked, none missing; ${recent} not checked.`
  return isPaymentsOnly ? 'No IPN of a payment is missing. Payouts were not checked.' : 'No IPN is missing.'
}

function rowOf({ kind, subject, status, because, id, handedOn }: Healed) {
  const paymentId = kind === 'payment' ? subject : null
  const [answered, error] = [handedOn?.status ?? null, handedOn?.error ?? null]
  return { kind, subject, paymentId, status, because, id, answered, error }
}
