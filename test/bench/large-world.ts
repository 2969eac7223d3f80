import { readFileSync } from 'node:fs'
import pg from 'pg'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { median, type Served, served, usageOf, workbench } from '../support/program/processes.ts'
import { count, figure, isLarge, isQuick, log } from './bench.ts'
import { fire, type Shot } from './load.ts'
import { aDatabase } from './postgres.ts'

/** Requests to a world of many slips in 12 months on PostgreSQL, next to the same to an empty one. */

const slipsPerMonth = isQuick ? 5_000 : isLarge ? 833_334 : 83_334
const players = 5_000
const turns = isQuick ? 2 : 9

/** Rows of one month: `m` counts months from the first, `n` its slips. Every 30th slip has a second revision. */
const generator = `
create function large_id(kind text, i bigint) returns text immutable parallel safe language sql as
  $$ select '01' || kind || lpad(i::text, 9, '0') || upper(substr(md5(kind || i), 1, 14)) $$;
create procedure large_month(start bigint, finish bigint, mon text, m int, n bigint) language sql as $$
  insert into casino_slips
    select large_id('S', m * n + k), 'DEMO', large_id('P', p), 'player' || p, 'USD', large_id('R', (m * n + k) / 27), 'BAC-01', 'baccarat',
      'classic', '{"bets":[{"zone":"P","amount":"10.5"},{"zone":"PP","amount":"5"}]}', t - 20000, 1 + (k % 30 = 0)::int,
      case when k % 30 = 0 then 'recalculated' else 'settled' end, '15.5', '0', '15.5', '15.5', '21', '5.5', '0',
      '{"code":"P","cardInfo":"QD3D4C3SAH--"}', 0, t, t
    from (select k, start + (finish - start) * (k - 1) / n as t, (m * n + k) * 7919 % ${players} as p from generate_series(1, n) as k) as s;
  insert into casino_bet_records
    select 'DEMO', mon, k + (k - 1) / 30 + rev - 1, large_id('S', m * n + k), rev, large_id('R', (m * n + k) / 27), t,
      '{"recSeq":' || k + (k - 1) / 30 + rev - 1 || ',"slipId":"' || large_id('S', m * n + k) || '","rev":' || rev || ',"status":"settled","username":"player'
      || (m * n + k) * 7919 % ${players} || '","currency":"USD","tableId":"BAC-01","game":"baccarat","variant":"classic","roundId":"'
      || large_id('R', (m * n + k) / 27) || '","shoe":"1","round":1,"bets":[{"zone":"P","amount":"10.5","return":"21"},{"zone":"PP","amount":"5","return":"0"}],'
      || '"stake":"15.5","validStake":"15.5","rolling":"15.5","payout":"21","winLoss":"5.5","delta":"21","result":{"code":"P","cardInfo":"QD3D4C3SAH--"},'
      || '"placedAt":"2026-01-01T00:00:00.000Z","settledAt":"2026-01-01T00:00:00.000Z"}'
    from (select k, rev, start + (finish - start) * (k - 1) / n as t from generate_series(1, n) as k, generate_series(1, 1 + (k % 30 = 0)::int) as rev) as s;
  insert into casino_bet_minutes
    select tenant, month, settled_at / 60000, min(rec_seq) from casino_bet_records where tenant = 'DEMO' and month = mon group by 1, 2, 3;
  insert into casino_transfers
    select large_id('T', m * n + k), 'DEMO', gen_random_uuid()::text, large_id('P', k % ${players}), 'in', '10.5', '10.5', '1000', start
    from generate_series(20, n, 20) as k;
$$;`

/** Writes twelve months of slips, the last of them this month. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(generator)
  const today = new Date()
  const startOf = (months: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 11 + months)
  const nameOf = (months: number) => new Date(startOf(months)).toISOString().slice(0, 7).replace('-', '')
  for (let m = 0; m < 12; m++) {
    log(`writing ${count(slipsPerMonth)} slips of ${nameOf(m)}…`)
    if (m < 11) {
      const name = `casino_bet_records_${nameOf(m)}`
      await client.query(`create table ${name} partition of casino_bet_records
        for values from ('${nameOf(m)}') to ('${nameOf(m + 1)}')`)
    }
    const finish = m < 11 ? startOf(m + 1) : Math.max(startOf(m) + 60_000, Date.now() - 3_600_000)
    await client.query('call large_month($1, $2, $3, $4, $5)', [startOf(m), finish, nameOf(m), m, slipsPerMonth])
  }
  await client.query('analyze')
  await client.end()
}

interface World {
  readonly served: Served
  readonly shot: (method: Shot['method'], path: string, body?: string) => Promise<Shot>
}

async function worldOn(url: string, folder: string, env: NodeJS.ProcessEnv): Promise<World> {
  const world = await served(folder, env, ['--db', url, '--no-rate-limit'])
  const key = JSON.parse(readFileSync(world.readyFile, 'utf8')).casino.live
  const sign = tenantSigner({ ...key, now: Date.now, random: (size) => crypto.getRandomValues(new Uint8Array(size)) })
  return {
    served: world,
    async shot(method, path, body = '') {
      const order = { method, path: `/api/tenant/v1${path}`, body }
      const type: Record<string, string> = method === 'POST' ? { 'content-type': 'application/json' } : {}
      const headers = { ...type, ...(await sign({ ...order, headers: {} })) }
      return method === 'POST' ? { ...order, headers } : { method, path: order.path, headers }
    },
  }
}

const deposit = ({ shot }: World, n: number) =>
  shot(
    'POST',
    '/wallet/deposit',
    JSON.stringify({ username: `p${n % 40}`, txnId: crypto.randomUUID(), amount: '1', currency: 'USD' }),
  )

const seek = ({ shot }: World) => {
  const at = Date.now() - Math.random() * 300 * 86_400_000
  return shot('GET', `/bets?limit=1&from=${new Date(at).toISOString()}`)
}

/** Returns the time of a request over 8 connections, in milliseconds. */
async function timed(world: World, make: (world: World, n: number) => Promise<Shot>, size: number): Promise<Timed> {
  const shots = await Promise.all(Array.from({ length: size }, (_, n) => make(world, n)))
  const before = usageOf(world.served.pid)
  const rate = await fire(world.served.baseUrl, shots, 8)
  const after = usageOf(world.served.pid)
  return { ms: 1000 / rate, cpuUs: before && after ? (after.cpuUs - before.cpuUs) / size : Number.NaN }
}

interface Timed {
  readonly ms: number
  readonly cpuUs: number
}

/** Measures deposits and reads of a large world on PostgreSQL. */
export async function largeWorld(): Promise<void> {
  const { folder, env, done } = workbench('large')
  const [full, empty] = [await aDatabase(), await aDatabase()]
  await (await worldOn(full.url, folder, env)).served.stop()
  await fill(full.url)
  const worlds = [await worldOn(full.url, folder, env), await worldOn(empty.url, folder, env)] as const
  for (const [what, make] of [
    ['deposit', deposit],
    ['GET /bets?from= of the last 300 days', seek],
  ] as const) {
    const runs: (readonly [Timed, Timed])[] = []
    for (let turn = -1; turn < turns; turn++) {
      const run = [await timed(worlds[0], make, 600), await timed(worlds[1], make, 600)] as const
      if (turn >= 0) runs.push(run)
    }
    const medianOf = (of: 0 | 1, value: keyof Timed) => median(runs.map((run) => run[of][value]))
    const ratio = median(runs.map(([large, small]) => large.ms / small.ms))
    figure({
      what: `${what}, PostgreSQL, ${count(slipsPerMonth * 12)} slips`,
      measured: `${medianOf(0, 'ms').toFixed(2)} ms over 8 connections, ${count(medianOf(0, 'cpuUs'))} µs of processor time in \`serve\``,
      baseline: `an empty world ${medianOf(1, 'ms').toFixed(2)} ms, ${count(medianOf(1, 'cpuUs'))} µs`,
      ratio,
      goal: 'at most 1.1×',
      isMet: ratio <= 1.1,
    })
  }
  for (const world of worlds) await world.served.stop()
  for (const database of [full, empty]) await database.stop()
  done()
}
