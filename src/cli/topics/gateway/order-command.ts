import { toRequest } from '../../../http/client/client.ts'
import type { Input, Reply } from '../../../http/contract/contract.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { letters } from '../../../kit/ids.ts'
import { Problem } from '../../../kit/problem.ts'
import type { OrderName, Placed } from '../../../operator/gateway-orders/place.ts'
import { gateway as gatewayContract } from '../../../services/gateway/api/contract.ts'
import type { GatewayClients } from '../../../world/clients/gateway.ts'
import type { MoneyMove } from '../../context/confirm-money.ts'
import { placeFlags } from '../../context/suggested-command.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { bookFlag, Flags, moneyFlags } from '../../framework/flags.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { type PlannedRequest, plannedSchema, plannedText } from '../../outcome/dry-run.ts'
import { moneyExits } from '../../outcome/exit-codes.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

type Endpoints = typeof gatewayContract.endpoints

/** Flags of every command that creates something at the gateway. */
export const orderFlags = {
  key: Flags.string({
    summary: 'Idempotency-Key of the order; run again with the same key to resume it',
    helpValue: 'KEY',
  }),
  ...bookFlag,
  ...moneyFlags,
}

interface OrderFlags {
  readonly key?: string | undefined
}

interface OrderPlan {
  /** Description in the imperative: `Pay out 10 trx to T…`. */
  readonly order: string
  /** Money that leaves the account. Confirmed again on a live profile, and on any terminal. */
  readonly pays?: Omit<MoneyMove, 'order'>
  /** For a dry run: checks with the platform what can be checked without creating anything, and describes it. */
  readonly rehearse?: (clients: GatewayClients) => Promise<string>
  /** Arguments and flags that repeat the order, without the key. */
  readonly again: {
    readonly args: readonly string[]
    readonly flags?: Readonly<Record<string, string | true | undefined>>
  }
}

/** Result of an order; without the reply in a dry run. */
export interface Ordered<Name extends OrderName> {
  readonly reply: Reply<Endpoints[Name]> | undefined
  readonly order: OrderFacts
}

export interface OrderFacts {
  readonly idempotencyKey: string | null
  /** True if the book already had the response, so that nothing was sent. */
  readonly earlier: boolean
  readonly dryRun: boolean
  readonly request: PlannedRequest | null
}

/** Schema of a created object and its order. In a dry run the fields of the object are absent. */
export function orderedSchema(shapes: Shapes, shape: import('typebox').TObject) {
  const { Type } = shapes
  return Type.Object({
    ...Type.Partial(shape).properties,
    idempotencyKey: Type.Union([Type.String(), Type.Null()], {
      description: 'Null in a dry run without --key, because the key is created before sending.',
    }),
    earlier: Type.Boolean({ description: 'True if it was done before this run; nothing was sent.' }),
    dryRun: Type.Boolean(),
    request: plannedSchema(shapes),
  })
}

/**
 * Base class of commands that create something at the gateway. An order is written to the book with its Idempotency-Key
 * before it is sent, and is done once however often it is tried. A run always ends with a result or with the command that
 * finds it.
 */
export abstract class OrderCommand extends CountroomCommand {
  static override writes = true
  static override exits = moneyExits
  static override files = ['the book (COUNTROOM_BOOK): every order is written to it before it is sent']

  protected async order<Name extends OrderName>(
    name: Name,
    input: Input<Endpoints[Name]>,
    flags: OrderFlags,
    plan: OrderPlan,
  ): Promise<Ordered<Name>> {
    checkKey(flags.key)
    const clients = await this.services.gateway()
    if (this.isDryRun) return this.#planned(name, input, flags, plan, await plan.rehearse?.(clients))
    const { random } = realAmbient()
    const key = flags.key ?? `cr-${letters(24, random)}`
    const book = await this.#book()
    if (plan.pays) await this.#ask(plan.order, plan.pays, await this.#isKnown(book, clients, name, key, input))
    const end = await this.#place(book, clients, name, key, input)
    if (end.kind !== 'done') throw this.#undone(end, plan, key)
    if (end.unrecorded)
      this.warn(
        `Done, but the result could not be saved in the book (${end.unrecorded.code}). To save it, run the same command again`,
      )
    if (end.isEarlier) this.note(`Already done with the key ${key}; nothing was sent.`)
    return { reply: end.reply, order: { idempotencyKey: key, earlier: end.isEarlier, dryRun: false, request: null } }
  }

  #planned<Name extends OrderName>(
    name: Name,
    input: Input<Endpoints[Name]>,
    flags: OrderFlags,
    plan: OrderPlan,
    found = 'Valid',
  ): Ordered<Name> {
    const request = plannedCall(name, input)
    this.log(plannedText(request))
    this.footnote(`${found}; nothing was sent. Without --dry-run: ${plan.order}.`)
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

  /** Confirms money that leaves the account: typed again on a live profile, yes or no on other terminals. Skipped if already done. */
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
      const message = `${problem.message}. Nothing was carried out. To continue this order: ${again}`
      return new Problem(problem.code, message, { ...problem.detail, key, next: [again] }, { cause: problem })
    }
    return new Problem(
      'MONEY_UNKNOWN',
      `Unknown outcome: ${plan.order}, key ${key}. To find out and finish it: ${again}. Never send it with another key`,
      { key, reason: problem.code, next: [again] },
      { cause: problem },
    )
  }
}

/** Returns the request of a call, built by the code that sends it. */
export function plannedCall<Name extends OrderName>(name: Name, input: Input<Endpoints[Name]>): PlannedRequest {
  const { method, path, body } = toRequest(gatewayContract, name, input)
  return { method, path, body: typeof body === 'string' ? JSON.parse(body) : null }
}

function checkKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Problem('INVALID_USAGE', '--key must have 1 to 255 visible ASCII characters, without spaces')
}
