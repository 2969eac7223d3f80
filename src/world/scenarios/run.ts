import { createClient } from '../../http/client/client.ts'
import { keyInHeader, tenantSigner } from '../../http/client/signers.ts'
import { realSleep } from '../../http/client/sleep.ts'
import { inProcess, retrying, signed, type Transport } from '../../http/client/transport.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { durationMs } from '../../kit/duration.ts'
import { Problem } from '../../kit/problem.ts'
import { countText } from '../../kit/text/count-text.ts'
import { unacknowledged } from '../../outbox/queries.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import { play } from '../../services/casino/simulator/index.ts'
import { agent as agentContract, chat as chatContract } from '../../services/chat/api/contract.ts'
import { depositTo } from '../../services/gateway/admin/platform.ts'
import { gateway as gatewayContract } from '../../services/gateway/api/contract.ts'
import { confirmDeposits } from '../../services/gateway/simulator/chain-control.ts'
import { unservedUrl } from '../clock.ts'
import { demoCode } from '../demo-data.ts'
import { faultAt } from '../fault-file.ts'
import { checkInvariants } from '../invariants.ts'
import type { CasinoClient, ChatClient, GatewayClient } from '../library/connect.ts'
import { readyDocument } from '../ready-file.ts'
import type { World } from '../world.ts'
import type { Fields, Figure } from './actions.ts'
import { isFigure } from './check-reader.ts'
import { difference, holds, shareOf } from './compare.ts'
import { type CallbackReceiver, openCallbackReceiver } from './receiver.ts'
import type { Scenario, Step } from './scenario-file.ts'
import { newestStatement, statementPeriods } from './statements.ts'

/** Result of one step. */
export interface StepResult {
  readonly line: number
  readonly action: Step['action']
  /** World time at which it ended. */
  readonly at: number
  readonly status: 'done' | 'passed' | 'failed'
  readonly detail: string
}

/** Currency and coin, where a step names none. */
const defaults = { currency: 'USD', coin: 'usdttrc20', players: 4, share: 100 } as const

/** Maximum time to wait for a callback that is being sent, and the interval between two checks. */
const arrivalMs = 3_000
const lookMs = 50

/** Plays a scenario on a world, step by step. A failed check does not end it. Faults that it has set are removed at the end. */
export async function* runScenario(world: World, scenario: Scenario): AsyncGenerator<StepResult> {
  const run = await ScenarioRun.on(world, scenario)
  try {
    for (const step of scenario.steps) {
      const outcome = step.action === 'fault' ? await run.setFault(step.fault) : await run.act(step.action, step.fields)
      yield { line: step.line, action: step.action, at: await world.clock.now(), ...outcome }
    }
  } finally {
    await run.end()
  }
}

type Outcome = Pick<StepResult, 'status' | 'detail'>

interface Line {
  readonly casino: CasinoClient
  readonly gateway: GatewayClient
  readonly bot: ChatClient
  readonly agent: ReturnType<typeof agentOf>
}

const agentOf = (transport: Transport) => createClient(agentContract, transport)

class ScenarioRun {
  readonly #world: World
  readonly #line: Line
  /** Distinguishes the transfers, orders and messages of this run from those of another. */
  readonly #id: string
  #count = 0
  readonly #payments = new Map<string, number>()
  readonly #startBalances = new Map<string, string>()
  readonly #faultIds: number[] = []
  /** Hits of removed faults, by kind. */
  readonly #faultHits = new Map<string, number>()
  #receiver: CallbackReceiver | undefined
  /** Callbacks of the world that were given up before this run. */
  #failedBefore: ReadonlySet<string> = new Set()
  #startStatements: readonly string[] = []
  readonly #totals = { slips: 0, corrected: 0, voided: 0, messages: 0 }

  private constructor(world: World, line: Line, id: string) {
    this.#world = world
    this.#line = line
    this.#id = id
  }

  static async on(world: World, { name, steps }: Scenario): Promise<ScenarioRun> {
    const run = new ScenarioRun(world, await linesTo(world), `${name}-${world.casino.id().slice(-12)}`)
    for (const step of steps)
      if (step.action === 'check' && step.fields['that'] === 'balance-change') {
        const user = step.fields['of'] ?? ''
        run.#startBalances.set(user, await run.#balance(user))
      }
    run.#startStatements = await statementPeriods(run.#line.casino)
    run.#failedBefore = new Set(await failedCallbacks(world))
    return run
  }

  async act(action: Exclude<Step['action'], 'fault'>, fields: Fields): Promise<Outcome> {
    if (action === 'check') return this.#check(fields)
    return { status: 'done', detail: await this.#do(action, fields) }
  }

  async setFault(fault: Parameters<typeof faultAt>[0]): Promise<Outcome> {
    const { faults, clock } = this.#world
    const set = await faults.set(faultAt(fault, await clock.now()))
    this.#faultIds.push(set.id)
    await faults.activation(set.id)
    return { status: 'done', detail: `${set.kind} is set` }
  }

  async end(): Promise<void> {
    await this.clearFaults()
    await this.#receiver?.close()
  }

  async clearFaults(): Promise<number> {
    const ids = this.#faultIds.splice(0)
    const there = new Map((await this.#world.faults.list()).map((fault) => [fault.id, fault]))
    const left = ids.filter((id) => there.has(id))
    for (const { kind, hits } of left.flatMap((id) => there.get(id) ?? []))
      this.#faultHits.set(kind, (this.#faultHits.get(kind) ?? 0) + hits)
    return left.length === 0 ? 0 : this.#world.faults.clear(left)
  }

  #do(action: Exclude<Step['action'], 'fault' | 'check'>, fields: Fields): Promise<string> {
    if (action === 'deposit' || action === 'withdraw') return this.#move(action, fields)
    if (action === 'play') return this.#play(fields)
    if (action === 'payment') return this.#pay(fields)
    if (action === 'chat') return this.#chat(fields)
    if (action === 'advance') return this.#advance(fields)
    if (action === 'receive-callbacks') return this.#receive()
    return this.clearFaults().then((count) => `${count} removed`)
  }

  async #move(action: 'deposit' | 'withdraw', { user = '', amount = '', currency = defaults.currency }: Fields) {
    const body = { username: user, txnId: this.#next(), amount, currency }
    const { balance } = await this.#line.casino[action]({ body })
    return `${user} has ${balance} ${currency}`
  }

  async #play({ rounds = '1', players, tables = 'all', days = '0', corrected = '0', voided = '0' }: Fields) {
    const options = {
      tenant: demoCode,
      tables: tables === 'all' ? [] : tables.split(',').map((id) => id.trim()),
      rounds: Number(rounds),
      players: Number(players ?? defaults.players),
      days: Number(days),
      corrected: Number(corrected),
      voided: Number(voided),
    }
    let played = { rounds: 0, slips: 0, corrected: 0, voided: 0 }
    for await (const totals of play(this.#world.casino, options)) played = totals
    this.#totals.slips += played.slips
    this.#totals.corrected += played.corrected
    this.#totals.voided += played.voided
    return `${played.rounds} rounds, ${played.slips} slips, ${played.corrected} corrected, ${played.voided} voided`
  }

  async #pay({ order = '', price = '', currency = 'usd', coin = defaults.coin, share, confirm = 'true' }: Fields) {
    const callback = this.#receiver && { ipn_callback_url: this.#receiver.url }
    const order_id = this.#orderId(order)
    const body = { price_amount: price, price_currency: currency, pay_currency: coin, order_id, ...callback }
    const headers = { 'idempotency-key': this.#next() }
    const created = await this.#line.gateway.createPayment({ body: body as never, headers } as never)
    const id = Number(created.payment_id)
    this.#payments.set(order, id)
    const percent = Number(share ?? defaults.share)
    if (percent === 0) return `payment ${id} waits`
    const part = percent === defaults.share ? {} : { amount: shareOf(String(created.pay_amount), percent) }
    await depositTo(this.#world.gateway, id, part)
    if (confirm === 'true') await confirmDeposits(this.#world.gateway, id)
    await this.#world.settle()
    return `payment ${id}: ${percent}% of ${created.pay_amount} ${coin} sent`
  }

  async #chat({ customer = '', messages = '1', 'answer-every': every }: Fields) {
    const { bot, agent } = this.#line
    const { roomId } = await bot.openRoom({ body: { customerAccount: customer } })
    let answers = 0
    for (let n = 1; n <= Number(messages); n++) {
      const params = { roomId }
      await bot.sendCustomerText({ params, body: { text: `Message ${n}`, clientMessageId: this.#next() } })
      if (every === undefined || n % Number(every) !== 0) continue
      await agent.reply({ params, body: { text: `Answer to message ${n}`, clientMessageId: this.#next() } })
      answers++
    }
    this.#totals.messages += Number(messages) + answers
    return `${customer}: ${countText(Number(messages), 'message')}, ${countText(answers, 'answer')}`
  }

  async #receive(): Promise<string> {
    if (!this.#world.gateway.config.loopbackCallbacks())
      throw new Problem(
        'CONFLICT',
        'This scenario receives callbacks on this machine, and this world sends them to public addresses only. To play it on a fresh world: countroom help serve exec',
      )
    this.#receiver ??= await openCallbackReceiver()
    return `callbacks go to ${this.#receiver.url}`
  }

  #orderId(order: string): string {
    return `${this.#id}-${order}`
  }

  async #advance({ by = '' }: Fields) {
    const { clock } = this.#world
    const to = (await clock.now()) + (durationMs(by) ?? 0)
    await clock.advance(to)
    return new Date(to).toISOString()
  }

  async #check({ that = '', of = '', is, 'at-least': atLeast, 'at-most': atMost }: Fields): Promise<Outcome> {
    // The reader of the file accepts no other.
    if (!isFigure(that)) throw new Error(`no figure ${that}`)
    const figure = that
    const wanted = { is, atLeast, atMost }
    let actual = await this.#figure(figure, of)
    // The process that serves the world may be sending a callback at this moment.
    for (
      let waitedMs = 0;
      figure === 'callbacks' && waitedMs < arrivalMs && !holds(actual, wanted);
      waitedMs += lookMs
    ) {
      await realSleep(lookMs)
      actual = await this.#figure(figure, of)
    }
    const isGood = holds(actual, wanted)
    const text = [
      ...(is === undefined ? [] : [`is ${is}`]),
      ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
      ...(atMost === undefined ? [] : [`at most ${atMost}`]),
    ].join(', ')
    const subject = of === '' ? figure : `${figure} of ${of}`
    return isGood
      ? { status: 'passed', detail: `${subject}: ${actual}` }
      : { status: 'failed', detail: `${subject}: expected ${text}; found ${actual}` }
  }

  async #figure(figure: Figure, of: string): Promise<string> {
    if (figure === 'balance') return this.#balance(of)
    if (figure === 'balance-change') return difference(await this.#balance(of), this.#startBalances.get(of) ?? '0')
    if (figure === 'payment') {
      const params = { payment_id: String(this.#payments.get(of)) }
      return String((await this.#line.gateway.payment({ params } as never)).payment_status)
    }
    if (figure === 'invariants') {
      const failed = (await checkInvariants(this.#world)).filter(({ status }) => status === 'fail')
      return failed.length === 0 ? 'pass' : failed.map(({ name, detail }) => `${name}: ${detail}`).join('; ')
    }
    if (figure === 'failed-callbacks') {
      const failed = await failedCallbacks(this.#world)
      return String(failed.filter((id) => !this.#failedBefore.has(id)).length)
    }
    if (figure === 'fault-hits') {
      const mine = (await this.#world.faults.list()).filter(({ id }) => this.#faultIds.includes(id))
      const all = [...this.#faultHits, ...mine.map(({ kind, hits }) => [kind, hits] as const)]
      return String(all.reduce((total, [kind, hits]) => total + (of === '' || of === kind ? hits : 0), 0))
    }
    if (figure === 'callbacks') {
      const [order = '', status] = of.split('/')
      return String(this.#receiver?.count(order === '' ? undefined : this.#orderId(order), status))
    }
    if (figure === 'statements') {
      const periods = await statementPeriods(this.#line.casino)
      return String(periods.filter((period) => !this.#startStatements.includes(period)).length)
    }
    if (figure === 'statement') return newestStatement(this.#line.casino, this.#world.clock.now)
    return String(this.#totals[figure])
  }

  async #balance(username: string): Promise<string> {
    try {
      return String((await this.#line.casino.balance({ query: { username } })).balance)
    } catch (error) {
      if (error instanceof Problem && error.code === 'PLAYER_NOT_FOUND') return '0'
      throw error
    }
  }

  #next(): string {
    this.#count += 1
    return `${this.#id}-${this.#count}`
  }
}

/** Returns the IDs of the callbacks that were given up. */
async function failedCallbacks({ store }: World): Promise<string[]> {
  return (await store.read(unacknowledged)).failed.map(({ id }) => id)
}

/**
 * Opens clients of the demo data in this process. They retry, as an integration should, because the scenario's faults
 * apply to them.
 */
async function linesTo(world: World): Promise<Line> {
  const { casino, gateway, chat } = await readyDocument(world, unservedUrl, '')
  if (!casino || !gateway || !chat)
    throw new Problem(
      'CONFLICT',
      'A scenario needs the demo world; this world has other tenants. To play it on a fresh demo world: countroom help serve exec',
      {},
    )
  const { now, random } = realAmbient()
  const bare = inProcess(world.server, { timeoutMs: 5_000 })
  const line = (sign: Parameters<typeof signed>[1], isRepeatable: boolean) =>
    retrying(signed(bare, sign), {
      ...{ sleep: realSleep, now, random: Math.random, attempts: 8 },
      ...(isRepeatable ? { repeatable: () => true } : {}),
    })
  const { apiKey, secret } = casino.live
  return {
    casino: createClient(casinoContract, line(tenantSigner({ apiKey, secret, now, random }), true)),
    gateway: createClient(gatewayContract, line(keyInHeader('x-api-key', gateway.production.apiKey), false)),
    bot: createClient(chatContract, line(keyInHeader('x-chat-apikey', chat.apiKey), true)),
    agent: agentOf(line(keyInHeader('x-chat-agenttoken', chat.agentToken), true)),
  }
}
