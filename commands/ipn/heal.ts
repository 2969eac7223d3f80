import { momentFrom } from '../../src/cli/arguments/moments.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { exchangeText, retryText } from '../../src/cli/outcome/request-log.ts'
import { bookFlag, CallbackCommand, forwardUrl, secretFlag } from '../../src/cli/topics/callbacks/command.ts'
import { ipnMail } from '../../src/cli/topics/callbacks/kinds.ts'
import { healableKinds } from '../../src/domain/reconcile/callback-evidence.ts'
import type { Healed } from '../../src/operator/callbacks/heal.ts'

export default class IpnHeal extends CallbackCommand {
  static override summary =
    'Make up for callbacks that never came: fetch the payment or payout, build, sign and deliver it'
  static override description =
    'Reads the payments and the payouts of the gateway and compares each with the callbacks in the book. Where the latest status or sum was never told, the callback is built of what the gateway answers, byte for byte as it sends it, signed, kept in the book as healed, and handed on to your shop. Done again it finds nothing to do. Callbacks about subscriptions, conversions and transfers are not rebuilt: the lists of the API show how those stand.'
  static override examples = [
    'countroom ipn heal --to http://127.0.0.1:3000/ipn',
    { command: 'countroom ipn heal --since 2026-03-01 --dry-run', description: 'Which callbacks never came' },
    'countroom ipn heal 4384100001 --to https://shop.example.com/ipn',
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'partial', 'inconclusive', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = {
    ids: Args.string({ multiple: true, description: 'Ids of payments, payouts or batches, instead of all' }),
  }
  static override flags = {
    to: Flags.string({
      summary: 'Where to send; else where the listener last handed callbacks on to, or nowhere',
      helpValue: 'URL',
    }),
    kind: Flags.string({ summary: 'Only payments, or only payouts', options: [...healableKinds] }),
    since: Flags.string({ summary: 'Only what was created since', helpValue: 'ISO' }),
    'min-age': Flags.integer({
      summary: 'Leave alone what changed within so many seconds: it may be on its way',
      default: 60,
      min: 0,
      max: 86_400,
      helpValue: 'S',
    }),
    ...dryRunFlag,
    ...secretFlag,
    ...bookFlag,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    const row = Type.Object({
      kind: Type.Enum([...healableKinds]),
      subject: Type.String({ description: 'The id of the payment or payout' }),
      paymentId: text,
      status: Type.String(),
      because: Type.Enum(['missing', 'stale'], { description: 'Nothing came, or only older news' }),
      id: text,
      answered: Type.Union([Type.Integer(), Type.Null()]),
      error: text,
    })
    return Type.Object({
      to: text,
      checked: Type.Integer(),
      recent: Type.Integer({
        description: 'Left alone because they changed within --min-age: their callbacks may be on their way',
      }),
      againAt: Type.Union([Type.String(), Type.Null()], {
        description: "When all of these are old enough to be checked, by the platform's time",
      }),
      complete: Type.Boolean({
        description: 'Whether everything that was asked for was checked; false also where payouts could not be read',
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
        this.warn(`Payouts were not checked: ${message}. --kind payment leaves them out`)
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
      this.note('Nothing was handed on: say where with --to. "countroom ipn replay --unforwarded" sends what is kept.')
    const failed = callbacks.filter((row) => row.error !== null)
    if (failed.length > 0)
      this.endWith(
        failed.length < callbacks.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
        `${failed.length} of ${callbacks.length} were not taken; they are in the book`,
        { failed: failed.length },
      )
    else if (unsteady !== undefined)
      this.endWith(
        'CANNOT_CONCLUDE',
        `The gateway counts ${unsteady.total} payments and its list gave ${unsteady.listed}: it changed while it was read; run again`,
        unsteady,
      )
    const healed = callbacks.filter((row) => row.id !== null).length
    const delivered = callbacks.filter((row) => row.answered !== null && row.error === null).length
    const counts = { checked, recent: recent.length, againAt, complete: isComplete, healed, delivered }
    return { to: to ?? null, ...counts, callbacks }
  }
}

/** The line in place of an empty list: all was told only where all of it was checked. */
function verdictOf(run: { checked: number; isPaymentsOnly: boolean; isComplete: boolean; recent: number }): string {
  const { checked, isPaymentsOnly, isComplete, recent } = run
  if (recent > 0 || !(isComplete || isPaymentsOnly))
    return `${checked - recent} checked, none missed; that is not all of them.`
  return isPaymentsOnly
    ? 'Nothing was missed of the payments; payouts were not checked.'
    : 'Nothing was missed: the latest of each was told.'
}

function rowOf({ kind, subject, status, because, id, handedOn }: Healed) {
  const paymentId = kind === 'payment' ? subject : null
  const [answered, error] = [handedOn?.status ?? null, handedOn?.error ?? null]
  return { kind, subject, paymentId, status, because, id, answered, error }
}
