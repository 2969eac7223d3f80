import { Type } from 'typebox'
import type { RoundRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader } from '../../../db/store.ts'
import { dayMs, isDay, startOfUtcDay, utcDayOf } from '../../../domain/time/calendar.ts'
import { dayEnd, dayOf, dayStart } from '../../../domain/time/day.ts'
import { listStatements, readAccount, readUsage } from '../../../services/casino/account/read.ts'
import { theTenant } from '../../../services/casino/account/tenants.ts'
import { toRound } from '../../../services/casino/api/views.ts'
import { readSummary } from '../../../services/casino/bets/summary.ts'
import { isPlayerOnline, thePlayer } from '../../../services/casino/players/players.ts'
import { recordsOfRound, slipsOfRound, slipsSettledIn } from '../../../services/casino/queries/bets.ts'
import { creditEntries } from '../../../services/casino/queries/credit.ts'
import { allTables, latestSlips, liveTables } from '../../../services/casino/queries/live.ts'
import { playersNamed } from '../../../services/casino/queries/players.ts'
import { latestRoundsAt } from '../../../services/casino/queries/rounds.ts'
import { tablesOf } from '../../../services/casino/queries/tables.ts'
import { transfersOf } from '../../../services/casino/queries/transfers.ts'
import { theRound } from '../../../services/casino/rounds/rounds.ts'
import { casinoEnvironment, maybeText, tenant, text, user } from '../actions/fields.ts'
import { maxRows, upTo, view } from './view.ts'

const momentText = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const playerViews = {
  'casino.players': view(Type.Object({ tenant, name: maybeText('Name') }), ({ world }, { tenant: code, name = '' }) =>
    world.store.read(async (reader) => {
      const owner = await theTenant(reader, code)
      const found = upTo(await playersNamed(reader, owner.code, { beginning: name, limit: maxRows + 1 }))
      const players = []
      for (const row of found.rows)
        players.push({
          username: row.username,
          nickname: row.nickname,
          status: row.status,
          balance: row.balance,
          currency: row.currency,
          online: await isPlayerOnline(reader, row.id),
          lastLoginAt: momentText(row.last_login_at),
        })
      return { players, more: found.more }
    }),
  ),
  /** A transfer by its ID: the platform keeps transfers by ID only, and does not list those of a player. */
  'casino.transfer': view(
    Type.Object({ tenant, user, txn: text('Transfer ID') }),
    ({ world }, { tenant: code, user: name, txn }) =>
      world.store.read(async (reader) => {
        const player = await thePlayer(reader, await theTenant(reader, code), name)
        const found = await transfersOf(reader, player.tenant, txn)
        return {
          transfers: found
            .filter((row) => row.player_id === player.id)
            .map(({ txn_id, dir, amount, balance, at }) => ({ txn: txn_id, dir, amount, balance, at: momentText(at) })),
        }
      }),
  ),
  'casino.player': view(Type.Object({ tenant, user }), ({ world }, input) =>
    world.store.read(async (reader) => {
      const row = await thePlayer(reader, await theTenant(reader, input.tenant), input.user)
      const slips = await latestSlips(reader, row.id, 20)
      return {
        username: row.username,
        status: row.status,
        balance: row.balance,
        currency: row.currency,
        online: await isPlayerOnline(reader, row.id),
        createdAt: momentText(row.created_at),
        lastLoginAt: momentText(row.last_login_at),
        slips: slips.map(toSlip),
      }
    }),
  ),
}

const tableViews = {
  'casino.tables': view(Type.Object({ environment: casinoEnvironment }), ({ world }, { environment }) =>
    world.store.read(async (reader) => {
      const live = new Map((await liveTables(reader)).map((row) => [`${row.environment} ${row.table_id}`, row]))
      return {
        tables: (await allTables(reader))
          .filter((row) => row.environment === environment)
          .map((row) => {
            const state = live.get(`${row.environment} ${row.table_id}`)
            return {
              table: row.table_id,
              game: row.game,
              variants: JSON.parse(row.variants) as string[],
              name: String(JSON.parse(row.names).ENG ?? ''),
              status: row.status,
              owner: row.owner,
              phase: state?.phase ?? 'idle',
              round: state?.round_id ?? null,
            }
          }),
      }
    }),
  ),
  'casino.rounds': view(
    Type.Object({ environment: casinoEnvironment, table: maybeText('Table') }),
    ({ world }, { environment, table }) =>
      world.store.read(async (reader) => {
        const tables = await tablesOf(reader, environment)
        const named = table === undefined ? tables : tables.filter((row) => row.table_id === table)
        const perTable = table === undefined ? 10 : maxRows
        const rounds: RoundRow[] = []
        for (const row of named) rounds.push(...(await latestRoundsAt(reader, row, perTable)))
        return {
          tables: tables.map((row) => row.table_id),
          rounds: rounds
            .toSorted((a, b) => b.opened_at - a.opened_at)
            .slice(0, maxRows)
            .map((row) => ({
              round: row.id,
              table: row.table_id,
              game: row.game,
              status: row.status,
              rev: row.rev,
              code: row.code,
              cards: row.card_info,
              openedAt: momentText(row.opened_at),
            })),
        }
      }),
  ),
  'casino.round': view(Type.Object({ round: text('Round', { maxLength: 40 }) }), ({ world }, { round: id }) =>
    world.store.read(async (reader) => {
      const row = await theRound(reader, id)
      const slips = await slipsOfRound(reader, row.id)
      const records = await recordsFor(reader, row, [...new Set(slips.map((slip) => slip.tenant))])
      return {
        environment: row.environment,
        game: row.game,
        round: row.status === 'open' ? null : toRound({ ...row, status: row.status }),
        table: row.table_id,
        status: row.status,
        openedAt: momentText(row.opened_at),
        slips: slips.map((slip) => ({
          ...toSlip(slip),
          tenant: slip.tenant,
          revisions: records
            .filter((record) => record.slip_id === slip.id)
            .map((record) => ({
              rev: record.rev,
              recSeq: record.rec_seq,
              at: momentText(record.settled_at),
              record: JSON.parse(record.record) as Record<string, unknown>,
            })),
        })),
      }
    }),
  ),
}

/** Maximum time after the first settlement in which a round can be revised, plus a margin. */
const revisedWithinMs = 8 * dayMs

async function recordsFor(reader: Reader, row: RoundRow, tenants: readonly string[]) {
  const from = row.opened_at
  const to = Math.max(row.settled_at ?? from, from) + revisedWithinMs
  const records = []
  for (const code of tenants) records.push(...(await recordsOfRound(reader, code, { roundId: row.id, from, to })))
  return records
}

type SlipRow = Awaited<ReturnType<typeof slipsOfRound>>[number]

function toSlip(slip: SlipRow) {
  return {
    slip: slip.id,
    username: slip.username,
    round: slip.round_id,
    table: slip.table_id,
    variant: slip.variant,
    status: slip.status,
    rev: slip.rev,
    currency: slip.currency,
    stake: slip.stake,
    payout: slip.payout,
    winLoss: slip.win_loss,
    validStake: slip.valid_stake,
    placedAt: momentText(slip.placed_at),
    settledAt: momentText(slip.settled_at),
  }
}

const dayViews = {
  'casino.bets': view(Type.Object({ tenant, date: maybeText('Day') }), async ({ world }, { tenant: code, date }) => {
    const { owner, now } = await owned(world.store.read, code)
    const day = date !== undefined && isDay(date) ? date : dayOf(now, owner.timezone)
    const span = { from: dayStart(day, owner.timezone), to: dayEnd(day, owner.timezone), limit: maxRows + 1 }
    const found = upTo(await world.store.read((reader) => slipsSettledIn(reader, owner.code, span)))
    const { players } = await readSummary(world.casino, { ...owner, keyId: '' }, day)
    return { date: day, timezone: owner.timezone, slips: found.rows.map(toSlip), more: found.more, players }
  }),
  'casino.billing': view(Type.Object({ tenant }), async ({ world }, { tenant: code }) => {
    const { owner, now } = await owned(world.store.read, code)
    const caller = { ...owner, keyId: '' }
    const from = Math.max(startOfUtcDay(now) - 29 * dayMs, startOfUtcDay(owner.created_at))
    const range = { from: utcDayOf(Math.min(from, now)), to: utcDayOf(now) }
    return {
      account: await readAccount(world.casino, caller),
      usage: await readUsage(world.casino, caller, range),
      statements: (await listStatements(world.casino, caller)).statements,
      entries: (await world.store.read((reader) => creditEntries(reader, owner.code)))
        .toReversed()
        .slice(0, maxRows)
        .map((entry) => ({
          kind: entry.kind,
          amountUsd: entry.amount_usd,
          balanceUsd: entry.balance_usd,
          ref: entry.ref,
          at: momentText(entry.at),
        })),
    }
  }),
}

function owned(
  read: <T>(work: (reader: Reader) => Promise<T>) => Promise<T>,
  code: string,
): Promise<{ owner: TenantRow; now: number }> {
  return read(async (reader) => ({ owner: await theTenant(reader, code), now: reader.now }))
}

export const casinoViews = { ...playerViews, ...tableViews, ...dayViews }
