import { expect } from 'vitest'
import type { Plan } from '../../../src/domain/account/state.ts'
import type { Card } from '../../../src/domain/games/cards.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { tenantSigner } from '../../../src/http/client/signers.ts'
import { inProcess, signed, type Transport } from '../../../src/http/client/transport.ts'
import type { Client } from '../../../src/http/contract/contract.ts'
import { isProblem, type Problem } from '../../../src/kit/problem.ts'
import { createTenant, type NewKey, theTenant } from '../../../src/services/casino/admin/index.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { thePlayer } from '../../../src/services/casino/players/players.ts'
import { placeSlips, type SlipRequest } from '../../../src/services/casino/rounds/place-bets.ts'
import { openRound, openTable, theRound } from '../../../src/services/casino/rounds/rounds.ts'
import type { Tenant } from '../../../src/services/casino/service.ts'
import { dealExactly, type ExactRound, type ExactSlip } from '../../../src/services/casino/simulator/index.ts'
import type { TestWorld } from './world.ts'

/** The typed client of the tenant API. */
export type CasinoClient = Client<typeof casino>

/** A tenant in one environment, with a client that signs for it. */
export interface TestTenant {
  readonly world: TestWorld
  readonly code: string
  readonly currency: string
  readonly key: NewKey
  readonly client: CasinoClient
}

export interface TestTenantPair extends TestTenant {
  /** The operator's other tenant, which plays with test coins. */
  readonly sandbox: TestTenant
}

/** Creates a tenant with its sandbox. Defaults: paid, UTC, US dollars and a few other currencies, no table enabled. */
export async function aTenant(
  world: TestWorld,
  options: {
    code?: string
    plan?: Plan
    timezone?: string
    currency?: string
    currencies?: readonly string[]
    languages?: readonly string[]
    tables?: readonly string[]
  } = {},
): Promise<TestTenantPair> {
  const { plan = 'paid', timezone = 'UTC', currency = 'USD', currencies = ['TWD', 'EUR'], languages = [] } = options
  const code = options.code ?? `T${world.next()}`
  const made = await createTenant(world.casino, { code, plan, timezone, currency, currencies, languages })
  const tenant = { world, code, currency, key: made.live, client: clientOf(world, made.live) }
  for (const tableId of options.tables ?? []) await tenant.client.enableTable({ body: { tableId } })
  const sandbox = { ...tenant, code: `${code}-SBX`, key: made.sandbox, client: clientOf(world, made.sandbox) }
  return { ...tenant, sandbox }
}

/** A client that signs with a key; in process unless it is given another way. */
export function clientOf(
  world: Pick<TestWorld, 'server' | 'casino'>,
  key: NewKey,
  transport: Transport = inProcess(world.server),
): CasinoClient {
  const { machineNow: now, random } = world.casino
  return createClient(casino, signed(transport, tenantSigner({ ...key, now, random })))
}

/** Returns a tenant in the form that authentication passes to the use cases. */
export async function callerOf({ world, code, key }: TestTenant): Promise<Tenant> {
  const row = await world.store.read((reader) => theTenant(reader, code))
  return { ...row, keyId: key.apiKey }
}

export interface TestPlayer {
  readonly tenant: TestTenant
  readonly username: string
  readonly currency: string
}

/** Creates a player by a first deposit, or by a launch if the player is to have no money. */
export async function aPlayer(
  tenant: TestTenant,
  options: { username?: string; balance?: string; currency?: string } = {},
): Promise<TestPlayer> {
  const { username = `player-${tenant.world.next()}`, balance = '1000', currency = tenant.currency } = options
  if (balance === '0') await tenant.client.launch({ body: { username, currency } })
  else await tenant.client.deposit({ body: { username, txnId: `first-${username}`, amount: balance, currency } })
  return { tenant, username, currency }
}

/** Returns the player's balance as the tenant reads it. */
export async function balanceOf({ tenant, username }: TestPlayer): Promise<string> {
  return (await tenant.client.balance({ query: { username } })).balance
}

/** Changes to a round after its result. */
export type FollowUps = NonNullable<ExactRound['then']>

/** Deals a given round for a tenant. Default: on the baccarat table, the banker wins with nine. */
export function aRound(
  tenant: TestTenant,
  round: Partial<ExactRound> & Pick<ExactRound, 'slips'>,
  ...followUps: FollowUps
) {
  const result = 'cardInfo' in round || 'code' in round || round.void ? {} : { cardInfo: '5H4S3C5D----' }
  const exact = { tableId: 'BAC-01', ...result, ...round }
  return dealExactly(tenant.world.casino, tenant.code, { ...exact, then: followUps })
}

/** Places one player's bets in a round that is dealt at once. */
export function aSlip(player: TestPlayer, bets: Readonly<Record<string, string>> = { B: '10' }) {
  return aRound(player.tenant, { slips: [{ username: player.username, bets }] })
}

/** Opens a round with these bets; returns its id. */
export async function anOpenRound(tenant: TestTenant, tableId: string, slips: readonly ExactSlip[]): Promise<string> {
  const { casino: app, store } = tenant.world
  const { id } = await store.write(async (tx) => {
    const row = await theTenant(tx, tenant.code)
    return openRound(app, tx, await openTable(tx, row.environment, tableId))
  })
  await placeBets(tenant, id, slips)
  return id
}

/** Places bets in an open round. */
export function placeBets(tenant: TestTenant, roundId: string, slips: readonly ExactSlip[]) {
  return tenant.world.store.write(async (tx) => {
    const row = await theTenant(tx, tenant.code)
    const round = await theRound(tx, roundId)
    const table = await openTable(tx, row.environment, round.table_id)
    const slipOrders: SlipRequest[] = []
    for (const { username, variant = 'classic', bets, hole, folded = false } of slips) {
      const hand = hole === undefined ? {} : { hand: { hole: hole.split(' ') as Card[], folded, seat: 1 } }
      slipOrders.push({ player: await thePlayer(tx, row, username), variant, bets, ...hand })
    }
    return placeSlips(tenant.world.casino, tx, { tenant: row, table, round }, slipOrders)
  })
}

/** Reads all records after a position, page by page. */
export async function allBets(
  tenant: TestTenant,
  start: { cursor?: string; from?: string; limit?: number } = {},
): Promise<{ items: BetRecord[]; cursor: string; pages: number }> {
  const items: BetRecord[] = []
  let query = start
  for (let pages = 1; ; pages++) {
    const page = await tenant.client.bets({ query })
    items.push(...page.items)
    query = { cursor: page.nextCursor, ...(start.limit === undefined ? {} : { limit: start.limit }) }
    if (!page.hasMore) return { items, cursor: page.nextCursor, pages }
    if (pages > 10_000) throw new Error('the pages do not come to an end')
  }
}

/** Expects a refusal with this code, and returns it. */
export async function refuses(code: string, refused: Promise<unknown>): Promise<Problem> {
  const outcome = await refused.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('value' in outcome) expect.fail(`it was not refused but answered ${JSON.stringify(outcome.value)}`)
  if (!isProblem(outcome.error)) throw outcome.error
  expect(outcome.error).toMatchObject({ code })
  return outcome.error
}
