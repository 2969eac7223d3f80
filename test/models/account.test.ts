import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setPlan, setTenantState, topUp } from '../../src/services/casino/admin/index.ts'
import { enableWebhook, eventsFrom, setWebhook } from '../../src/services/casino/admin/webhook-settings.ts'
import { aTenant, refuses, type TestTenant } from '../support/worlds/people.ts'
import { aClock, type TestWorld, testWorld } from '../support/worlds/world.ts'

/**
 * A model of the account: FREE, PAID, GRACE, DOWNGRADED, SUSPENDED and CLOSED, with top-ups, plan changes, daily
 * charges and the clock. It follows 1-tenant-api ("Account state", "Table", "Billing"). docs/decisions.md defines the 7
 * days of grace, the tables that a downgrade keeps, and the effects of a suspension. After every step it is compared
 * with GET /account, /account/usage, /tables and the queued webhooks. `MODEL_RUNS=10000` tries that many histories,
 * another `MODEL_SEED` different ones.
 */

const dayMs = 86_400_000
const start = Date.parse('2026-03-10T12:00:00.000Z')
const midnight = (at: number) => at - (at % dayMs)
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const tables = ['BAC-01', 'DT-01', 'HE-01', 'NN-01'] as const

type State = 'FREE' | 'PAID' | 'GRACE' | 'DOWNGRADED'

interface Model {
  state: State
  /** Set while the platform's staff has suspended or closed the account. */
  shut: 'SUSPENDED' | 'CLOSED' | null
  /** Millionths of a dollar. */
  credit: number
  graceUntil: number | null
  /** The day on which the platform ended the paid plan: it still counts. */
  paidDay: number | null
  /** Longest enabled first. */
  enabled: string[]
  /** Tables that were enabled at any time of the current day. */
  today: Set<string>
  now: number
  /** Table-days by day. */
  readonly usage: Map<string, number>
  readonly events: string[]
}

interface Real {
  readonly world: TestWorld
  readonly tenant: TestTenant
  readonly visited: Set<string>
  count: number
}

type Command = fc.AsyncCommand<Model, Real>

/** USD 100 a month, day by day: the amount due by the end of the day minus the amount due before. */
function tableFee(at: number): number {
  const date = new Date(at)
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const due = (day: number) => Math.floor((100_000_000 * day) / days)
  return due(date.getUTCDate()) - due(date.getUTCDate() - 1)
}

function money(units: number): string {
  const whole = Math.floor(Math.abs(units) / 1_000_000)
  const rest = String(Math.abs(units) % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${units < 0 ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`
}

function move(model: Model, visited: Set<string>, to: State, event: string): void {
  visited.add(`${model.state} -> ${to}`)
  model.state = to
  model.events.push(event)
}

const isOnPaidPlan = ({ state }: Model) => state === 'PAID' || state === 'GRACE'
const hasQuota = ({ state }: Model) => state === 'FREE' || state === 'DOWNGRADED'

/** Ends a day: it is charged, then grace is checked. */
function endDay(model: Model, at: number, visited: Set<string>): void {
  const day = midnight(at - 1)
  const isBilled = model.shut === null && (isOnPaidPlan(model) || model.paidDay === day)
  const tableDays = isBilled ? model.today.size : 0
  model.usage.set(dayOf(day), tableDays)
  model.credit -= tableDays * tableFee(day)
  model.today = new Set(model.enabled)
  if (model.shut !== null) return
  // Credit runs out by a charge: an account that was put on the paid plan without credit has none.
  if (model.state === 'PAID' && model.credit <= 0 && tableDays > 0) {
    move(model, visited, 'GRACE', 'account.grace')
    model.graceUntil = at + 7 * dayMs
  }
  endGrace(model, at, visited)
}

function endGrace(model: Model, at: number, visited: Set<string>): void {
  if (model.shut !== null || model.state !== 'GRACE' || model.graceUntil === null || at < model.graceUntil) return
  move(model, visited, 'DOWNGRADED', 'account.downgraded')
  model.graceUntil = null
  model.enabled = model.enabled.slice(0, 2)
}

class Wait implements Command {
  readonly hours: number
  constructor(hours: number) {
    this.hours = hours
  }
  check = () => true
  async run(model: Model, real: Real) {
    const to = model.now + this.hours * 3_600_000
    for (let at = midnight(model.now) + dayMs; at <= to; at += dayMs) endDay(model, at, real.visited)
    model.now = to
    await real.world.clock.advance(to)
    await agree(model, real)
  }
  toString = () => `wait ${this.hours}h`
}

class TopUp implements Command {
  readonly usd: number
  constructor(usd: number) {
    this.usd = usd
  }
  check = () => true
  async run(model: Model, real: Real) {
    const ref = `top-up ${real.count++}`
    await topUp(real.world.casino, real.tenant.code, String(this.usd), ref)
    // A repeated payment counts once.
    expect(await topUp(real.world.casino, real.tenant.code, String(this.usd), ref)).toMatchObject({ duplicate: true })
    model.credit += this.usd * 1_000_000
    // The free plan is no state of arrears: credit alone does not end it.
    if (model.state === 'FREE') real.visited.add('FREE stays, whatever is topped up')
    else if (model.state !== 'PAID' && model.credit > 0) {
      move(model, real.visited, 'PAID', 'account.restored')
      model.graceUntil = null
      // A suspended or closed account is in neither state of the table: its earlier state is restored, and no event
      // reports it.
      if (model.shut) model.events.pop()
    } else if (model.state !== 'PAID') real.visited.add(`${model.state} stays, credit not above 0`)
    await agree(model, real)
  }
  toString = () => `top up ${this.usd}`
}

class Enable implements Command {
  readonly tableId: string
  constructor(tableId: string) {
    this.tableId = tableId
  }
  check = () => true
  async run(model: Model, real: Real) {
    const done = real.tenant.client.enableTable({ body: { tableId: this.tableId } })
    if (model.shut) return void (await refuses('TENANT_SUSPENDED', done))
    const isIn = model.enabled.includes(this.tableId)
    if (!isIn && hasQuota(model) && model.enabled.length >= 2) {
      real.visited.add('QUOTA_EXCEEDED')
      await refuses('QUOTA_EXCEEDED', done)
    } else {
      if (!isIn) model.enabled.push(this.tableId)
      model.today.add(this.tableId)
      const quota = hasQuota(model) ? 2 : null
      expect(await done).toEqual({ tableId: this.tableId, enabled: true, used: model.enabled.length, quota })
    }
    await agree(model, real)
  }
  toString = () => `enable ${this.tableId}`
}

class Disable implements Command {
  readonly tableId: string
  constructor(tableId: string) {
    this.tableId = tableId
  }
  check = () => true
  async run(model: Model, real: Real) {
    const done = real.tenant.client.disableTable({ body: { tableId: this.tableId } })
    if (model.shut) return void (await refuses('TENANT_SUSPENDED', done))
    model.enabled = model.enabled.filter((id) => id !== this.tableId)
    expect(await done).toMatchObject({ enabled: false, used: model.enabled.length })
    await agree(model, real)
  }
  toString = () => `disable ${this.tableId}`
}

class Shut implements Command {
  readonly to: 'SUSPENDED' | 'CLOSED' | 'ENABLED'
  constructor(to: 'SUSPENDED' | 'CLOSED' | 'ENABLED') {
    this.to = to
  }
  check = () => true
  async run(model: Model, real: Real) {
    await setTenantState(real.world.casino, real.tenant.code, this.to)
    real.visited.add(`${model.shut ?? 'open'} -> ${this.to}`)
    model.shut = this.to === 'ENABLED' ? null : this.to
    // Grace that ended during a suspension ends as soon as the account is active again.
    await real.world.settle()
    endGrace(model, model.now, real.visited)
    await agree(model, real)
  }
  toString = () => this.to
}

/** The platform's staff puts the account on a plan, without an event. */
class Plan implements Command {
  readonly to: 'free' | 'paid'
  constructor(to: 'free' | 'paid') {
    this.to = to
  }
  check = () => true
  async run(model: Model, real: Real) {
    await setPlan(real.world.casino, real.tenant.code, this.to)
    const state = this.to === 'free' ? 'FREE' : 'PAID'
    real.visited.add(model.shut ? 'plan while shut' : `${model.state} -> ${state} by plan`)
    if (state === 'FREE') {
      if (model.shut === null && isOnPaidPlan(model)) model.paidDay = midnight(model.now)
      model.enabled = model.enabled.slice(0, 2)
    }
    model.state = state
    model.graceUntil = null
    await agree(model, real)
  }
  toString = () => `plan ${this.to}`
}

/** Compares everything the tenant can read with the model. */
async function agree(model: Model, { tenant, world }: Real): Promise<void> {
  const account = tenant.client.account({})
  if (model.shut) await refuses('TENANT_SUSPENDED', account)
  else {
    expect(await account).toMatchObject({
      // A downgrade is to the free plan.
      plan: hasQuota(model) ? 'free' : 'paid',
      tablesQuota: hasQuota(model) ? 2 : null,
      state: model.state,
      balanceUsd: money(model.credit),
      tablesUsed: model.enabled.length,
      graceUntil: model.graceUntil === null ? null : new Date(model.graceUntil).toISOString(),
    })
    const shown = (await tenant.client.tables({})).tables.filter(({ enabled }) => enabled).map(({ tableId }) => tableId)
    expect(shown.toSorted()).toEqual(model.enabled.toSorted())
    const [from, to] = [dayOf(start), dayOf(midnight(model.now) - dayMs)]
    if (to >= from) {
      const { days } = await tenant.client.usage({ query: { from, to } })
      expect(days.map(({ day, tableDays }) => [day, tableDays])).toEqual([...model.usage])
    }
  }
  const queued = await world.store.read(({ q }) =>
    q.selectFrom('outbox_deliveries').select('event').where('owner', '=', tenant.code).execute(),
  )
  expect(queued.map(({ event }) => event).toSorted()).toEqual(model.events.toSorted())
}

const aTable = fc.constantFrom(...tables)
const commands = [
  fc.constantFrom(5, 24, 24, 72, 168).map((hours) => new Wait(hours)),
  fc.constantFrom(5, 24, 24, 72, 168).map((hours) => new Wait(hours)),
  fc.constantFrom(1, 5, 30).map((usd) => new TopUp(usd)),
  aTable.map((table) => new Enable(table)),
  aTable.map((table) => new Enable(table)),
  aTable.map((table) => new Disable(table)),
  fc.constantFrom('free' as const, 'paid' as const).map((to) => new Plan(to)),
  fc
    .constantFrom('SUSPENDED' as const, 'CLOSED' as const, 'ENABLED' as const, 'ENABLED' as const)
    .map((to) => new Shut(to)),
]

/** Every plan from every state, also during a suspension: random runs would miss some. */
const planning = [
  ...[
    new Plan('paid'),
    new Enable('BAC-01'),
    new Enable('DT-01'),
    new Enable('HE-01'),
    new Plan('free'),
    new Plan('free'),
  ],
  ...[new TopUp(30), new Wait(24), new Plan('paid'), new Shut('SUSPENDED'), new Plan('free'), new Plan('paid')],
  ...[new Plan('free'), new Shut('ENABLED'), new Wait(24), new Plan('paid'), new Enable('NN-01'), new Wait(168)],
  ...[
    new Plan('free'),
    new Plan('paid'),
    new Wait(24),
    new Plan('paid'),
    new Wait(24),
    new Wait(168),
    new Plan('free'),
  ],
  ...[new Plan('paid'), new Wait(24), new Wait(168), new Plan('paid')],
  // A day that left the paid plan, and ended with the account suspended.
  ...[new Plan('free'), new Shut('CLOSED'), new Wait(24), new Shut('ENABLED')],
]

/** Arrears, and every transition out of them. */
const owing = [
  ...[
    ...tables.map((table) => new Enable(table)),
    new Wait(24),
    new TopUp(1),
    new TopUp(5),
    new Wait(24),
    new Wait(168),
  ],
  ...[new TopUp(1), new Enable('HE-01'), ...[30, 30, 30, 30].map((usd) => new TopUp(usd)), new Wait(24)],
]

/** Every suspended or closed state after every other: random runs would miss some. */
const shutting = (
  ['SUSPENDED', 'SUSPENDED', 'CLOSED', 'CLOSED', 'SUSPENDED', 'ENABLED', 'ENABLED', 'CLOSED', 'ENABLED'] as const
).map((to) => new Shut(to))

test('an account agrees with the model after every step', { timeout: 3_600_000 }, async () => {
  const visited = new Set<string>()
  const run = async (steps: Iterable<Command>) => {
    const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
    try {
      const tenant = await aTenant(world)
      await setWebhook(world.casino, tenant.code, {
        url: 'http://127.0.0.1:9/hook',
        events: eventsFrom('account.grace,account.downgraded,account.restored'),
      })
      await enableWebhook(world.casino, tenant.code)
      await topUp(world.casino, tenant.code, '10', 'first')
      await fc.asyncModelRun(() => {
        const model: Model = {
          ...{ state: 'PAID', shut: null, credit: 10_000_000, graceUntil: null, paidDay: null },
          ...{ enabled: [], today: new Set(), now: start, usage: new Map(), events: [] },
        }
        return { model, real: { world, tenant, visited, count: 0 } }
      }, steps)
    } finally {
      await world.close()
    }
  }
  await run(shutting)
  await run(planning)
  await run(owing)
  await fc.assert(fc.asyncProperty(fc.commands(commands, { maxCommands: 24, size: 'max' }), run), {
    numRuns: Number(process.env['MODEL_RUNS'] ?? 16),
    seed: Number(process.env['MODEL_SEED'] ?? 5),
    endOnFailure: true,
  })
  expect([...visited].toSorted()).toEqual([
    'CLOSED -> CLOSED',
    'CLOSED -> ENABLED',
    'CLOSED -> SUSPENDED',
    'DOWNGRADED -> FREE by plan',
    'DOWNGRADED -> PAID',
    'DOWNGRADED -> PAID by plan',
    'DOWNGRADED stays, credit not above 0',
    'FREE -> FREE by plan',
    'FREE -> PAID by plan',
    'FREE stays, whatever is topped up',
    'GRACE -> DOWNGRADED',
    'GRACE -> FREE by plan',
    'GRACE -> PAID',
    'GRACE -> PAID by plan',
    'GRACE stays, credit not above 0',
    'PAID -> FREE by plan',
    'PAID -> GRACE',
    'PAID -> PAID by plan',
    'QUOTA_EXCEEDED',
    'SUSPENDED -> CLOSED',
    'SUSPENDED -> ENABLED',
    'SUSPENDED -> SUSPENDED',
    'open -> CLOSED',
    'open -> ENABLED',
    'open -> SUSPENDED',
    'plan while shut',
  ])
})
