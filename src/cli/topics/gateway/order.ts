import { realSleep } from '../../../http/client/sleep.ts'
import type { Input, Reply } from '../../../http/contract/contract.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { letters } from '../../../kit/ids.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import { findOrderFor } from '../../../operator/gateway-orders/journal.ts'
import { type OrderName, type OrderOutcome, placeOrder } from '../../../operator/gateway-orders/place.ts'
import type { gateway as gatewayContract } from '../../../services/gateway/api/contract.ts'
import { openBookHere } from '../../../world/clients/book-location.ts'
import type { GatewayClients } from '../../../world/clients/gateway.ts'
import { attemptsOf } from '../../../world/config/http-options.ts'
import type { MoneyMove } from '../../context/confirm-money.ts'
import type { CommandContext } from '../../context/context.ts'
import { targetFlags } from '../../context/suggested-command.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { type PlannedRequest, plannedText } from '../../outcome/dry-run.ts'
import { retryText } from '../../outcome/request-log.ts'
import { plannedCall } from './planned-call.ts'

type Endpoints = typeof gatewayContract.endpoints

interface OrderFlags {
  readonly key?: string | undefined
}

interface OrderPlan {
  /** Description in the imperative: `Pay out 10 trx to T…`. */
  readonly action: string
  /** Money that leaves the account. Confirmed again on a live profile, and on any terminal. */
  readonly pays?: Omit<MoneyMove, 'action'>
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

/**
 * Creates something at the gateway. An order is written to the book with its Idempotency-Key before it is sent, and is
 * done once for any number of attempts. A run always ends with a result or with the command that finds it.
 */
export async function order<Name extends OrderName>(
  context: CommandContext,
  name: Name,
  input: Input<Endpoints[Name]>,
  flags: OrderFlags,
  plan: OrderPlan,
): Promise<Ordered<Name>> {
  checkKey(flags.key)
  const clients = await context.services.gateway()
  if (context.isDryRun) return planned(context, name, input, flags, plan, await plan.rehearse?.(clients))
  const { random } = realAmbient()
  const key = flags.key ?? `cr-${letters(24, random)}`
  const book = await openBookHere(context.settings, context.profile)
  context.closeLater(() => book.close())
  const { target } = clients
  if (plan.pays) {
    const known = await findOrderFor(book, { key, endpoint: name, target, input: input as object })
    if (known?.state !== 'done') await confirmPayment(context, plan.action, plan.pays)
  }
  const end = await send(context, { book, clients, name, key, input })
  if (end.kind !== 'done') throw undone(context, end, plan, key)
  if (end.unrecorded)
    context.warn(
      `Done, but the result could not be saved in the book (${end.unrecorded.code}). To save it, run the same command again`,
    )
  if (end.isEarlier) context.note(`Already done with the key ${key}; nothing was sent.`)
  return { reply: end.reply, order: { idempotencyKey: key, earlier: end.isEarlier, dryRun: false, request: null } }
}

function planned<Name extends OrderName>(
  context: CommandContext,
  name: Name,
  input: Input<Endpoints[Name]>,
  flags: OrderFlags,
  plan: OrderPlan,
  validation = 'Valid',
): Ordered<Name> {
  const request = plannedCall(name, input)
  context.log(plannedText(request))
  context.footnote(`${validation}; nothing was sent. Without --dry-run: ${plan.action}.`)
  return { reply: undefined, order: { idempotencyKey: flags.key ?? null, earlier: false, dryRun: true, request } }
}

/** Confirms money that leaves the account: typed again on a live profile, yes or no on other terminals. */
async function confirmPayment(context: CommandContext, action: string, pays: Omit<MoneyMove, 'action'>): Promise<void> {
  const { profile } = context.profile
  const isLive = profile.kind === 'remote' && profile.environment === 'live'
  if (isLive) await context.confirmMoney({ action, ...pays })
  else if (context.screen.canAsk && !context.screen.isJson) await context.confirmDanger(action)
}

interface Sending<Name extends OrderName> {
  readonly book: Book
  readonly clients: GatewayClients
  readonly name: Name
  readonly key: string
  readonly input: Input<Endpoints[Name]>
}

function send<Name extends OrderName>(
  context: CommandContext,
  { book, clients, name, key, input }: Sending<Name>,
): Promise<OrderOutcome<Name>> {
  const retryOptions = {
    sleep: (ms: number) => realSleep(ms, context.stop),
    now: Date.now,
    random: Math.random,
    observe: (retry: Parameters<typeof retryText>[0]) => context.note(retryText(retry)),
    ...attemptsOf(context.settings),
  }
  const transport = clients.transportFor(name)
  return placeOrder({ book, transport, retryOptions, platformNow: clients.now }, name, key, clients.target, input)
}

function undone<Name extends OrderName>(
  context: CommandContext,
  { kind, problem }: Exclude<OrderOutcome<Name>, { kind: 'done' }>,
  plan: OrderPlan,
  key: string,
): Problem {
  if (kind === 'refused' || kind === 'stale')
    return new Problem(problem.code, problem.message, { ...problem.detail, key }, { cause: problem })
  const again = typedCommand(context.words, plan.again.args, {
    ...plan.again.flags,
    key,
    ...targetFlags(context.settings),
  })
  if (kind === 'unsent') {
    const message = `${problem.message}. Nothing was carried out. To continue this order: ${again}`
    return new Problem(problem.code, message, { ...problem.detail, key, next: [again] }, { cause: problem })
  }
  return new Problem(
    'MONEY_UNKNOWN',
    `Unknown outcome: ${plan.action}, key ${key}. To find out and finish it: ${again}. Never send it with another key`,
    { key, reason: problem.code, next: [again] },
    { cause: problem },
  )
}

function checkKey(key: string | undefined): void {
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Problem('INVALID_USAGE', '--key must have 1 to 255 visible ASCII characters, without spaces')
}
