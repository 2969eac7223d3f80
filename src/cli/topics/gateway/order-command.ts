import { toRequest } from '../../../http/client/client.ts'
import type { Input, Reply } from '../../../http/contract/contract.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { letters } from '../../../kit/ids.ts'
import { Problem } from '../../../kit/problem.ts'
import type { OrderName, Placed } from '../../../operator/gateway-orders/place.ts'
import { gateway as gatewayContract } from '../../../services/gateway/api/contract.ts'
import type { GatewayClients } from '../../../world/clients/gateway.ts'
import type { MoneyMove } from '../../framework/confirm-money.ts'
import { Flags, moneyFlags } from '../../framework/flags.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { type PlannedRequest, plannedText } from '../../outcome/dry-run.ts'
import { moneyExits } from '../../outcome/exit-codes.ts'
import { bookFlag, placeFlags } from '../wallet/transfer-command.ts'
import { GatewayCommand } from './command.ts'

type Endpoints = typeof gatewayContract.endpoints

/** On every command that creates something at the gateway. */
export const orderFlags = {
  key: Flags.string({
    summary: 'The Idempotency-Key of this order: sends the same one again, or goes on with it',
    helpValue: 'KEY',
  }),
  ...bookFlag,
  ...moneyFlags,
}

interface OrderFlags {
  readonly key?: string | undefined
}

interface OrderPlan {
  /** What would be said of it beforehand, as an order: `Pay 10 trx out to T…`. */
  readonly order: string
  /** What leaves the account; asked about again on a live profile, and on any terminal. */
  readonly pays?: Omit<MoneyMove, 'order'>
  /** For a dry run: asks the platform what can be asked without creating anything, and says what was found well. */
  readonly rehearse?: (clients: GatewayClients) => Promise<string>
  /** The command line that sends it again: arguments and flags as given, without the key. */
  readonly again: {
    readonly args: readonly string[]
    readonly flags?: Readonly<Record<string, string | true | undefined>>
  }
}

/** What every order comes to; in a dry run the reply is missing. */
export interface Ordered<Name extends OrderName> {
  readonly reply: Reply<Endpoints[Name]> | undefined
  readonly order: OrderFacts
}

export interface OrderFacts {
  readonly idempotencyKey: string | null
  /** Whether the book had its answer already; nothing was sent then. */
  readonly earlier: boolean
  readonly dryRun: boolean
  readonly request: PlannedRequest | null
}

/** The schema of a created thing and of the order it came from. The thing's own fields are missing in a dry run. */
export async function orderedSchema(shape: import('typebox').TObject) {
  const [{ Type }, { plannedSchema }] = await Promise.all([import('typebox'), import('../../outcome/dry-run.ts')])
  return Type.Object({
    ...Type.Partial(shape).properties,
    idempotencyKey: Type.Union([Type.String(), Type.Null()], {
      description: 'Null in a dry run without --key: it is made before sending',
    }),
    earlier: Type.Boolean({ description: 'It was done before this run; nothing was sent now' }),
    dryRun: Type.Boolean(),
    request: await plannedSchema(),
  })
}

/**
 * What the commands that create something at the gateway have in common: written into the book under its
 * Idempotency-Key before it is sent, done once however often it is tried, and never ended without a result or the
 * command that finds one.
 */
export abstract class OrderCommand extends GatewayCommand {
  static override writes = true
  static override exits = moneyExits
  static override files = ['the book: every order is in it before it is sent (COUNTROOM_BOOK)']

  protected async order<Name extends OrderName>(
    name: Name,
    input: Input<Endpoints[Name]>,
    flags: OrderFlags,
    plan: OrderPlan,
  ): Promise<Ordered<Name>> {
    checkKey(flags.key)
    const clients = await this.gateway()
    if (this.isDryRun) return this.#planned(name, input, flags, plan, await plan.rehearse?.(clients))
    const { random } = realAmbient()
    const key = flags.key ?? `cr-${letters(24, random)}`
    const book = await this.#book()
    if (plan.pays) await this.#ask(plan.order, plan.pays, await this.#isKnown(book, clients, name, key, input))
    const end = await this.#place(book, clients, name, key, input)
    if (end.kind !== 'done') throw this.#undone(end, plan, key)
    if (end.unrecorded)
      this.warn(`It is done, but the book could not be told (${end.unrecorded.code}): the same command mends that`)
    if (end.isEarlier) this.note(`Done before this, under the key ${key}; nothing was sent now.`)
    return { reply: end.reply, order: { idempotencyKey: key, earlier: end.isEarlier, dryRun: false, request: null } }
  }

  #planned<Name extends OrderName>(
    name: Name,
    input: Input<Endpoints[Name]>,
    flags: OrderFlags,
    plan: OrderPlan,
    found = 'Checked here',
  ): Ordered<Name> {
    const request = plannedCall(name, input)
    this.log(plannedText(request))
    this.footnote(`${found}; nothing was sent. ${plan.order} would follow.`)
    return { reply: undefined, order: { idempotencyKey: flags.key ?? null, earlier: false, dryRun: true, request } }
  }

  async #book() {
    const { openBookHere } = await import('../../../world/clients/book-location.ts')
    const book = await openBookHere(this.settings, this.profile)
    this.closeLater(() => book.close())
    return book
  }

  async #isKnown<Name extends OrderName>(
    book: import('../../../operator/book/book.ts').Book,
    { place }: GatewayClients,
    endpoint: Name,
    key: string,
    input: Input<Endpoints[Name]>,
  ): Promise<boolean> {
    const { findOrderFor } = await import('../../../operator/gateway-orders/journal.ts')
    const row = await findOrderFor(book, { key, endpoint, place, input: input as object })
    return row?.state === 'done'
  }

  /** Money about to leave: typed again on a live profile, a plain yes on any other terminal. What is done already is not asked about. */
  async #ask(order: string, pays: Omit<MoneyMove, 'order'>, isDone: boolean): Promise<void> {
    if (isDone) return
    const { profile } = this.profile
    const isLive = profile.kind === 'remote' && profile.environment === 'live'
    if (isLive) await this.confirmMoney({ order, ...pays })
    else if (this.screen.canAsk && !this.screen.isJson) await this.confirmDanger(order)
  }

  async #place<Name extends OrderName>(
    book: import('../../../operator/book/book.ts').Book,
    clients: GatewayClients,
    name: Name,
    key: string,
    input: Input<Endpoints[Name]>,
  ): Promise<Placed<Name>> {
    const [{ placeOrder }, { realSleep }, { retryText }, { attemptsOf }] = await Promise.all([
      import('../../../operator/gateway-orders/place.ts'),
      import('../../../http/client/sleep.ts'),
      import('../../outcome/request-log.ts'),
      import('../../../world/config/timeouts.ts'),
    ])
    return placeOrder(
      {
        book,
        transport: clients.transportFor(name),
        patience: {
          sleep: (ms) => realSleep(ms, this.stop),
          now: Date.now,
          random: Math.random,
          observe: (retry) => this.note(retryText(retry)),
          ...attemptsOf(this.settings),
        },
        platformNow: clients.now,
      },
      name,
      key,
      clients.place,
      input,
    )
  }

  #undone<Name extends OrderName>(
    { kind, problem }: Exclude<Placed<Name>, { kind: 'done' }>,
    plan: OrderPlan,
    key: string,
  ): Problem {
    if (kind === 'refused' || kind === 'stale')
      return new Problem(problem.code, problem.message, { ...problem.detail, key }, { cause: problem })
    const again = typedCommand((this.id ?? '').replaceAll(':', ' '), plan.again.args, {
      ...plan.again.flags,
      key,
      ...placeFlags(this.settings),
    })
    if (kind === 'unsent') {
      const message = `${problem.message}. Nothing was carried out; "${again}" goes on with this very order`
      return new Problem(problem.code, message, { ...problem.detail, key, next: [again] }, { cause: problem })
    }
    return new Problem(
      'MONEY_UNKNOWN',
      `It is not known whether this was done: ${plan.order}, key ${key}. "${again}" finds out and finishes it; never send it under another key`,
      { key, reason: problem.code, next: [again] },
      { cause: problem },
    )
  }
}

/** What a call would send, made by the same code that sends it. */
export function plannedCall<Name extends OrderName>(name: Name, input: Input<Endpoints[Name]>): PlannedRequest {
  const { method, path, body } = toRequest(gatewayContract, name, input)
  return { method, path, body: typeof body === 'string' ? JSON.parse(body) : null }
}

function checkKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Problem('INVALID_USAGE', '--key is 1 to 255 visible ASCII characters, without spaces')
}
