import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandEntry } from '../../src/cli/framework/manifest.ts'
import { categories } from '../../src/cli/outcome/exit-codes.ts'
import type { Tables } from '../../src/db/schema/index.ts'
import type { FaultKind } from '../../src/domain/faults.ts'
import { overHttp } from '../../src/http/client/transport.ts'
import { ensureDemoWorld } from '../../src/world/demo-data.ts'
import { gatewayOn } from '../../src/world/library/connect.ts'
import { readyDocument } from '../../src/world/ready-file.ts'
import { openWorld, type World } from '../../src/world/world.ts'
import { aHome, envelopeOf, type Home, run } from '../support/program/cli.ts'
import { commands } from '../support/program/command-line.ts'
import { examining, optimalAction } from '../support/program/right-call.ts'

/**
 * Runs every command that calls a platform against a silent platform, and against connections that close before or
 * after the work. A new command is included automatically.
 */

const ends: (() => void)[] = []
const worlds: World[] = []
afterAll(async () => {
  for (const world of worlds) await world.close()
  for (const end of ends) end()
})

/** The timeout for a response that never arrives. It is as short as a healthy response allows. */
const shortest = { COUNTROOM_ATTEMPTS: '1', COUNTROOM_TIMEOUT: '150ms' }
const once = { COUNTROOM_ATTEMPTS: '1' }

interface Platform {
  readonly world: World
  readonly keys: Awaited<ReturnType<typeof readyDocument>>
  readonly home: Home
}

/** A world served in this process, and a home whose profile reaches its sandbox. */
async function aPlatform(): Promise<Platform> {
  const world = await openWorld({ db: ':memory:', rateLimits: false })
  worlds.push(world)
  await ensureDemoWorld(world)
  const { url } = await world.server.listen()
  const keys = await readyDocument(world, url, ':memory:')
  const home = aHome((clean) => ends.push(clean))
  const file = home.write('keys.json', JSON.stringify(keys))
  const added = await run(['profiles', 'add', 'box', '--environment', 'sandbox', '--from', file], { home })
  if (added.code !== 0) throw new Error(added.stderr)
  return { world, keys, home: { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'box' } } }
}

/** Several run concurrently, because they mostly wait. */
async function sideBySide<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const next = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

const wordsOf = ({ id }: CommandEntry) => id.split(':')
const movesMoney = ({ id, exits }: CommandEntry) =>
  // Commands of the helpdesk look up their own writes and have their own tests. Decisions in the merchant's console
  // write to a database directly: test/cli/topics/merchants/decide.test.ts covers their lost commits.
  !/^(tickets|console):/.test(id) && (exits?.includes('unknown-outcome') ?? false)

/** Commands that run until they are stopped, and commands that call no platform. */
const isAsking = ({ id }: CommandEntry) =>
  !/(^|:)(serve|listen|demo|watch)$/.test(id) && !/^(console|sim|config|completion|schema|profiles|book)(:|$)/.test(id)
const asking = commands.filter((command) => isAsking(command) && !movesMoney(command))

const known = { id: '5000000001', network: 'trx', room: '1', ticket: '1' }

const troubles = ['hang', 'cut-before', 'cut-after'] as const satisfies readonly FaultKind[]

test.each(troubles.map((kind, index) => [kind, index] as const))(
  'a third of the commands gets "%s" from every endpoint and fails as retryable',
  async (kind, index) => {
    const { world, home } = await aPlatform()
    await world.faults.set({ kind })
    const wrong: string[] = []
    let met = 0
    await sideBySide(
      asking.filter((_, i) => i % troubles.length === index),
      4,
      async (command) => {
        const words = [...wordsOf(command), ...optimalAction(command, known)]
        const result = await run([...words, '--json', '--verbose'], { home, env: shortest })
        const { error } = envelopeOf(result)
        const hasSentRequest = / {2}REMOTE_\w+ in \d+ ms/.test(result.stderr)
        if (hasSentRequest) met += 1
        if (!hasSentRequest || examining.has(command.id)) return
        if (result.code !== categories.temporary.exit || !error.retryable)
          wrong.push(`${words.join(' ')}: ${result.code} ${error?.code} ${error?.message}`)
      },
    )
    expect(wrong).toEqual([])
    expect(met).toBeGreaterThan(12)
  },
)

/** A command that moves money. */
interface Mover {
  readonly words: readonly string[]
  /** The endpoint that moves it. */
  readonly endpoint: string
  /** Number of objects that it creates. */
  count(): Promise<number>
  /**
   * Exit codes without a response: with the work not done, and with the work done. A transfer that can be looked up
   * exits 0 in the second case; a batch whose status is unverified exits 7.
   */
  readonly undone?: number
  readonly lost?: number
}

const nameOf = ({ id }: CommandEntry) => id.replaceAll(':', ' ')

describe('every command that moves money', () => {
  let platform: Platform
  let movers: Readonly<Record<string, Mover>>
  beforeAll(async () => {
    platform = await aPlatform()
    movers = await moversOn(platform)
  })

  test('is in this table', () => {
    expect(Object.keys(movers).sort()).toEqual(commands.filter(movesMoney).map(nameOf).sort())
  })

  test('reports an unknown outcome; the same command then looks it up and completes it, and money moves once', async () => {
    const { world, home } = platform
    const wrong: string[] = []
    const tried = async ([name, mover]: [string, Mover]) => {
      const seen: (readonly [exit: number, made: number])[] = []
      const attempt = async (env: Record<string, string>) => {
        const result = await run([...name.split(' '), ...mover.words, '--yes', '--json'], { home, env })
        seen.push([result.code, await mover.count()])
        return result
      }
      for (const kind of troubles) {
        const { id } = await world.faults.set({ kind, endpoint: mover.endpoint })
        const hits = async () => (await world.faults.list()).find((fault) => fault.id === id)?.hits ?? 0
        // Only silence is detected by its duration; closed connections get a long timeout.
        if (kind !== 'hang') await attempt(once)
        // On a busy machine the requests before the silent one may take longer than a short timeout.
        for (let ms = 1_500; kind === 'hang' && (await hits()) === 0; ms *= 2) {
          seen.length = 0
          await attempt({ ...once, COUNTROOM_TIMEOUT: `${ms}ms` })
        }
        await world.faults.clear([id])
      }
      const last = await attempt({})
      const { undone = 10, lost = 10 } = mover
      // After silence or an early close nothing is done. After a late close the work is done, once.
      const expected = [
        [undone, 0],
        [undone, 0],
        [lost, 1],
        [0, 1],
      ]
      if (JSON.stringify(seen) !== JSON.stringify(expected))
        wrong.push(`${name}: ${JSON.stringify(seen)} ${last.stdout}${last.stderr}`)
    }
    // A fault of an endpoint affects all its callers, so these cases run one after another.
    const groups = Map.groupBy(Object.entries(movers), ([, { endpoint }]) => endpoint)
    await sideBySide([...groups.values()], 4, async (group) => {
      for (const mover of group) await tried(mover)
    })
    expect(wrong).toEqual([])
  })
})

/** A valid call of every command that moves money, with its prerequisites created. */
async function moversOn({ world, keys, home }: Platform): Promise<Record<string, Mover>> {
  const access = keys.gateway?.sandbox
  if (access === undefined) throw new Error('the demo world has a merchant')
  const http = overHttp(keys.sandboxBaseUrl)
  ends.push(() => void http.close())
  const client = gatewayOn(http, access.apiKey)
  const payouts = gatewayOn(http, access.payoutApiKey)
  const { token } = await client.auth({ body: { email: access.email, password: access.password } })
  const signedIn = { headers: { authorization: `Bearer ${token}` } }
  const coin = 'usdttrc20'
  const address = access.whitelisted[coin] ?? ''
  const subaccount = async (name: string) => {
    const { id } = (await client.createSubaccount({ body: { name } }, signedIn)).result
    await client.depositToSub({ body: { currency: coin, amount: '500', sub_partner_id: id } }, signedIn)
    return id
  }
  const [one, two] = [await subaccount('one'), await subaccount('two')]
  const invoice = await client.createInvoice({ body: { price_amount: '61', price_currency: 'usd' } })
  const batch = await payouts.createPayouts(
    { body: { withdrawals: [{ address, currency: coin, amount: '62' }] } },
    signedIn,
  )
  const terms = { title: 'Silver', interval_day: 30, amount: '63', currency: coin }
  const plan = (await client.createPlan({ body: terms }, signedIn)).result
  await world.settle()
  const aPlan = async (id: string, amount: string, ...words: string[]) => {
    const file = home.write(`${id}.csv`, `username,amount,currency\nbob,${amount},USD\n`)
    for (const call of [['plan', file, '--id', id], ['approve', id], ...(words.length > 0 ? [words] : [])]) {
      const { code, stderr } = await run(['wallet', ...call], { home, env: { COUNTROOM_ATTEMPTS: '1' } })
      if (code !== 0 && call !== words) throw new Error(stderr)
    }
  }
  await aPlan('f-plan', '52')
  // The batch has started, and its one row is known to be not sent.
  const [refusing] = [await world.faults.set({ kind: 'status', status: 503, endpoint: 'deposit' })]
  await aPlan('f-begun', '53', 'apply', 'f-begun')
  await world.faults.clear([refusing.id])

  const rows =
    (table: keyof Tables, column: string, value: string, and = 'true') =>
    async () => {
      const { rows } = await world.store.read(({ q }) =>
        sql<{
          n: number
        }>`select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} = ${value} and ${sql.raw(and)}`.execute(
          q,
        ),
      )
      return Number(rows[0]?.n)
    }
  const key = (name: string) => ['--key', `faults-${name}`]
  const resolvedWhenLost = { lost: 0 }
  return {
    'wallet deposit': {
      words: ['amy', '41', 'USD', '--txn', 'f-in'],
      endpoint: 'deposit',
      count: rows('casino_transfers', 'txn_id', 'f-in'),
      ...resolvedWhenLost,
    },
    'wallet withdraw': {
      words: ['amy', '42', 'USD', '--txn', 'f-out'],
      endpoint: 'withdraw',
      count: rows('casino_transfers', 'txn_id', 'f-out'),
      ...resolvedWhenLost,
    },
    'wallet apply': {
      words: ['f-plan'],
      endpoint: 'deposit',
      count: rows('casino_transfers', 'txn_id', 'f-plan-0001'),
      ...resolvedWhenLost,
    },
    'wallet resume': {
      words: ['f-begun'],
      endpoint: 'deposit',
      count: rows('casino_transfers', 'txn_id', 'f-begun-0001'),
      ...resolvedWhenLost,
    },
    'payments create': {
      words: ['43', 'usd', coin, '--order', 'f-pay', ...key('pay')],
      endpoint: 'createPayment',
      count: rows('gateway_payments', 'order_id', 'f-pay'),
    },
    'invoices create': {
      words: ['44', 'usd', '--order', 'f-inv', ...key('inv')],
      endpoint: 'createInvoice',
      count: rows('gateway_invoices', 'order_id', 'f-inv'),
    },
    'invoices pay': {
      words: [invoice.id, coin, ...key('ipay')],
      endpoint: 'createInvoicePayment',
      count: rows('gateway_payments', 'price_amount', '61'),
    },
    'payouts create': {
      words: [address, '45', coin, ...key('out')],
      endpoint: 'createPayouts',
      count: rows('gateway_payouts', 'amount', '45'),
    },
    'payouts verify': {
      words: [batch.id],
      endpoint: 'verifyPayouts',
      count: rows('gateway_batches', 'id', batch.id, 'verified_at is not null'),
      undone: 7,
      lost: 0,
    },
    'conversions create': {
      words: ['0.0046', 'btc', coin, ...key('conv')],
      endpoint: 'createConversion',
      count: rows('gateway_conversions', 'from_amount', '0.0046'),
    },
    'subaccounts create': {
      words: ['f-sub', ...key('sub')],
      endpoint: 'createSubaccount',
      count: rows('gateway_subaccounts', 'name', 'f-sub'),
    },
    'subaccounts deposit': {
      words: [one, '47', coin, ...key('subin')],
      endpoint: 'depositToSub',
      count: rows('gateway_sub_transfers', 'amount', '47'),
    },
    'subaccounts withdraw': {
      words: [one, '48', coin, ...key('subout')],
      endpoint: 'writeOffSub',
      count: rows('gateway_sub_transfers', 'amount', '48'),
    },
    'subaccounts transfer': {
      words: [one, two, '49', coin, ...key('subsub')],
      endpoint: 'createSubTransfer',
      count: rows('gateway_sub_transfers', 'amount', '49'),
    },
    'subaccounts pay': {
      words: [one, '51', coin, ...key('subpay')],
      endpoint: 'createSubPayment',
      count: rows('gateway_payments', 'subaccount', one),
    },
    'subscriptions create': {
      words: [plan.id, '--subaccount', two, ...key('subscr')],
      endpoint: 'createSubscription',
      count: rows('gateway_subscriptions', 'plan', plan.id),
    },
    'subscriptions plans create': {
      words: ['f-plan', '52', coin, ...key('plan')],
      endpoint: 'createPlan',
      count: rows('gateway_plans', 'title', 'f-plan'),
    },
  }
}
