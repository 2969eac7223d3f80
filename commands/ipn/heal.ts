import { bookFlag, CallbackCommand, forwardUrl, secretFlag } from '../../src/cli/callback-command.ts'
import { Args, dryRunFlag, Flags } from '../../src/cli/flags.ts'
import { ipnMail } from '../../src/cli/mails.ts'
import { momentFrom } from '../../src/cli/moments.ts'
import { exchangeText, retryText } from '../../src/cli/traffic.ts'
import type { Healed } from '../../src/jobs/ipn-heal.ts'

export default class IpnHeal extends CallbackCommand {
  static override summary = 'Make up for callbacks that never came: fetch the payment, build, sign and deliver it'
  static override description =
    'Reads the payments of the gateway and compares each with the callbacks in the book. Where the latest status or sum was never told, the callback is built of what the gateway answers, byte for byte as it sends it, signed, kept in the book as healed, and handed on to your shop. Done again it finds nothing to do.'
  static override examples = [
    'countroom ipn heal --to http://127.0.0.1:3000/ipn',
    { command: 'countroom ipn heal --since 2026-03-01 --dry-run', description: 'Which callbacks never came' },
    'countroom ipn heal 4384100001 --to https://shop.example.com/ipn',
  ]
  static override exits = ['permission', 'not-found', 'temporary', 'partial', 'configuration'] as const
  static override writes = true
  static override completes = { 'secret-file': 'files', book: 'files' }
  static override args = { ids: Args.string({ multiple: true, description: 'Ids of payments, instead of all' }) }
  static override flags = {
    to: Flags.string({
      summary: 'Where to send; else where the listener last handed callbacks on to, or nowhere',
      helpValue: 'URL',
    }),
    since: Flags.string({ summary: 'Only payments created since', helpValue: 'ISO' }),
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
      paymentId: Type.String(),
      status: Type.String(),
      because: Type.Enum(['missing', 'stale'], { description: 'Nothing came, or only older news' }),
      id: text,
      answered: Type.Union([Type.Integer(), Type.Null()]),
      error: text,
    })
    return Type.Object({
      to: text,
      checked: Type.Integer(),
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
    const [{ openGatewayClients }, { lastForwardedTo }, { openForwarder }, { healPayments }] = await Promise.all([
      import('../../src/world/gateway-clients.ts'),
      import('../../src/book/callbacks.ts'),
      import('../../src/jobs/callback-forward.ts'),
      import('../../src/jobs/ipn-heal.ts'),
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
    const progress = this.progress('Checking payments')
    let checked = 0
    const callbacks: ReturnType<typeof rowOf>[] = []
    const healing = healPayments({
      source: clients.gateway,
      book,
      secret,
      forwarder,
      before: (await clients.now()) - flags['min-age'] * 1000,
      ids,
      range: { from },
      isDryRun: this.isDryRun,
      onChecked: (count) => {
        checked = count
        progress.update(count)
      },
    })
    for await (const healed of healing) {
      callbacks.push(rowOf(healed))
      if (this.stop.aborted) break
    }
    progress.end(`${checked} checked`)
    this.table(callbacks, ['paymentId', 'status', 'because', 'id', 'answered', 'error'], 'Every payment was told of.')
    if (callbacks.length > 0 && to === undefined)
      this.note('Nothing was handed on: say where with --to. "countroom ipn replay --unforwarded" sends what is kept.')
    const failed = callbacks.filter((row) => row.error !== null)
    if (failed.length > 0)
      this.endWith(
        failed.length < callbacks.length ? 'BATCH_PARTLY' : 'REMOTE_UNAVAILABLE',
        `${failed.length} of ${callbacks.length} were not taken; they are in the book`,
        { failed: failed.length },
      )
    const healed = callbacks.filter((row) => row.id !== null).length
    const delivered = callbacks.filter((row) => row.answered !== null && row.error === null).length
    return { to: to ?? null, checked, healed, delivered, callbacks }
  }
}

function rowOf({ paymentId, status, because, id, handedOn }: Healed) {
  return { paymentId, status, because, id, answered: handedOn?.status ?? null, error: handedOn?.error ?? null }
}
