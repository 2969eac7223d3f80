import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Tx } from '../../src/db/store.ts'
import { dayStart } from '../../src/domain/time/day.ts'
import { createClient } from '../../src/http/client/client.ts'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { inProcess, signed, type Transport } from '../../src/http/client/transport.ts'
import type { Client } from '../../src/http/contract/contract.ts'
import { type Book, claimBook, openBook } from '../../src/operator/book/book.ts'
import { reconcileDay, type Tenancy } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import { createTenant, sandboxCode } from '../../src/services/casino/admin/index.ts'
import { casino as casinoContract } from '../../src/services/casino/api/contract.ts'
import type { BetRecord, SummaryItem } from '../../src/services/casino/api/schemas/index.ts'
import { dealExactly, type ExactRound } from '../../src/services/casino/simulator/index.ts'
import { openWorld } from '../../src/world/world.ts'
import { insertRows, toRow } from './book-rows.ts'
import { decimal, tenThousandths } from './reconcile-fake.ts'

type CasinoClient = Client<typeof casinoContract>

/** Changes a response; `undefined` leaves it unchanged. */
export type Tamper = (path: string, data: Record<string, unknown>) => Record<string, unknown> | undefined

export interface RoomOptions {
  readonly timezone?: string
  readonly plan?: 'free' | 'paid'
  readonly environment?: 'live' | 'sandbox'
  readonly start: string
}

/** A casino with one tenant and a book next to it, on one manual clock. */
export async function aCountRoom(options: RoomOptions) {
  let at = Date.parse(options.start)
  const timezone = options.timezone ?? 'Asia/Taipei'
  const environment = options.environment ?? 'live'
  const world = await openWorld({ db: ':memory:', seed: 'reconcile', machineNow: () => at, rateLimits: false })
  const book = await openBook(':memory:', () => at)
  onTestFinished(async () => {
    await book.close()
    await world.close()
  })
  const tenant = await createTenant(world.casino, {
    code: 'ACME',
    plan: options.plan ?? 'paid',
    timezone,
    currency: 'USD',
    currencies: ['EUR'],
  })
  const code = environment === 'live' ? 'ACME' : sandboxCode('ACME')
  const random = (size: number) => new Uint8Array(randomBytes(size))
  const key = environment === 'live' ? tenant.live : tenant.sandbox
  let tamper: Tamper | undefined
  let calls: string[] = []
  const late: BetRecord[] = []
  let before: ((path: string) => Promise<unknown> | unknown) | undefined
  const straight = signed(inProcess(world.server), tenantSigner({ ...key, now: () => at, random }))
  const proxied: Transport = async (request) => {
    calls.push(request.path)
    await before?.(request.path)
    const reply = await straight(request)
    const body = JSON.parse(reply.body)
    if (!body.ok) return reply
    const data = withLate(request.path, body.data, late)
    return { ...reply, body: JSON.stringify({ ok: true, data: tamper?.(request.path, data) ?? data }) }
  }
  const client = createClient(casinoContract, proxied)
  for (const tableId of ['BAC-01', 'DT-01']) await client.enableTable({ body: { tableId } })
  const access = { companyCode: 'ACME', environment, timezone }

  const room = {
    world,
    book,
    client,
    /** Transport of requests, signed. */
    transport: proxied,
    access,
    now: () => at,
    /** Requests to the platform since the last call. */
    calls() {
      const all = calls
      calls = []
      return all
    },
    goTo(moment: string | number) {
      at = typeof moment === 'number' ? moment : Date.parse(moment)
    },
    /**
     * Corrects a player's first slip, which was lost, to one that doubled its stake: written now, as the last record.
     */
    async correct(username: string) {
      const { items, nextCursor } = await client.bets({ query: { from: '2026-03-01T00:00:00.000Z', limit: 1000 } })
      const first = items.find((item) => item.username === username)
      if (!first) throw new Error(`${username} has no slip`)
      late.push(corrected(first, Number(nextCursor.slice(7)) + 1, new Date(at).toISOString()))
    },
    /** Sets a function that runs before each response from now on. */
    beforeEach(what: typeof before) {
      before = what
    },
    /** Sets a function that changes responses from now on. */
    tamperWith(by: Tamper | undefined) {
      tamper = by
    },
    async fund(...players: string[]) {
      for (const username of players)
        await client.deposit({
          body: { username, txnId: `fund-${username.replaceAll('@', '.')}`, amount: '100000', currency: 'USD' },
        })
    },
    deal: (round: Partial<ExactRound> & Pick<ExactRound, 'slips'>) =>
      dealExactly(world.casino, code, { tableId: 'BAC-01', variant: 'classic', cardInfo: 'QD3D4C3SAH--', ...round }),
    /** A round of baccarat in which each of these players bets an amount on the player's hand. */
    bet: (bets: Record<string, string>, then: ExactRound['then'] = []) =>
      room.deal({ slips: Object.entries(bets).map(([username, amount]) => ({ username, bets: { P: amount } })), then }),
    sync: (from?: string) => fillBook(book, client, access, () => at, from),
    async reconcile(date: string, order: { trace?: boolean; tracePages?: number; tenant?: Partial<Tenancy> } = {}) {
      const { trace = true, tracePages = 50, tenant = {} } = order
      const work = { platform: client, book, now: () => at }
      return reconcileDay(work, { date, tenant: { ...access, ...tenant }, trace, tracePages })
    },
    /** Changes rows of the book by hand, as no sync would. */
    spoil: (change: (q: Tx['q']) => Promise<unknown>) => book.store.write(({ q }) => change(q)),
    dayStart: (date: string) => dayStart(date, timezone),
  }
  return room
}

export type CountRoom = Awaited<ReturnType<typeof aCountRoom>>

/** Reads GET /bets to its end and stores the records, as the sync does. */
export async function fillBook(
  book: Book,
  client: Pick<CasinoClient, 'bets'>,
  owner: { companyCode: string; environment: 'live' | 'sandbox'; timezone: string },
  now: () => number,
  from?: string,
): Promise<void> {
  await claimBook(book, {
    company_code: owner.companyCode,
    environment: owner.environment,
    timezone: owner.timezone,
  })
  const known = await book.store.read(({ q }) => q.selectFrom('book_position').selectAll().executeTakeFirst())
  const beginning =
    from === undefined ? Date.UTC(new Date(now()).getUTCFullYear(), new Date(now()).getUTCMonth(), 1) : Date.parse(from)
  let cursor = known?.cursor ?? undefined
  let place = known?.rows ?? 0
  for (;;) {
    const requestedAt = now()
    const query = { limit: 1000, ...(cursor === undefined ? (from === undefined ? {} : { from }) : { cursor }) }
    const page = await client.bets({ query })
    await book.store.write(async (tx) => {
      const { q } = tx
      await insertRows(
        tx,
        page.items.map((item, i) => toRow(item, place + i + 1)),
      )
      place += page.items.length
      const row = {
        cursor: page.nextCursor,
        started_from: known?.started_from ?? beginning,
        caught_up_at: page.hasMore ? (known?.caught_up_at ?? null) : requestedAt,
        rows: place,
      }
      await q
        .insertInto('book_position')
        .values({ id: 'bets', ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
    })
    cursor = page.nextCursor
    if (!page.hasMore) return
  }
}

/** A slip that was lost, corrected to double its stake. */
function corrected(first: BetRecord, recSeq: number, settledAt: string): BetRecord {
  const payout = decimal(2n * tenThousandths(first.stake))
  return {
    ...first,
    recSeq,
    rev: 2,
    status: 'recalculated',
    bets: first.bets.map((leg) => ({ ...leg, return: payout })),
    rolling: '0',
    payout,
    winLoss: first.stake,
    delta: payout,
    settledAt,
  }
}

/** A response with late corrections, each of the player's slip of the tenth of March. */
function withLate(path: string, data: Record<string, unknown>, late: readonly BetRecord[]): Record<string, unknown> {
  if (late.length === 0) return data
  if (path.includes('/bets/summary')) {
    const players = (data['players'] as SummaryItem[]).map((player) => {
      const own = late.filter(({ username }) => username === player.username && path.endsWith('2026-03-10'))
      const stakes = own.reduce((sum, { stake }) => sum + tenThousandths(stake), 0n)
      const more = (text: string, by: bigint) => decimal(tenThousandths(text) + by)
      return {
        ...player,
        rolling: more(player.rolling, -stakes),
        payout: more(player.payout, 2n * stakes),
        winLoss: more(player.winLoss, 2n * stakes),
      }
    })
    return { ...data, players }
  }
  const read = Number(/cursor=\d{6}\.(\d+)/.exec(path)?.[1] ?? 0)
  const newer = late.filter(({ recSeq }) => recSeq > read)
  const last = newer.at(-1)
  if (!/[/]bets([?]|$)/.test(path) || !last || data['hasMore'] === true) return data
  return { ...data, items: [...(data['items'] as BetRecord[]), ...newer], nextCursor: `202603.${last.recSeq}` }
}

/** Changes the records of the pages of GET /bets. */
export function inBets(change: (items: BetRecord[]) => BetRecord[]): Tamper {
  return (path, data) =>
    /[/]bets([?]|$)/.test(path) ? { ...data, items: change(data['items'] as BetRecord[]) } : undefined
}

/** Changes the players of GET /bets/summary. */
export function inSummary(change: (players: Record<string, unknown>[]) => Record<string, unknown>[]): Tamper {
  return (path, data) =>
    path.includes('/bets/summary')
      ? { ...data, players: change(data['players'] as Record<string, unknown>[]) }
      : undefined
}
