import { randomUUID } from 'node:crypto'
import pg from 'pg'

/**
 * The baseline of the deposits on PostgreSQL: the reads and writes of a deposit, in one transaction each, by the bare
 * driver. It uses as many connections as a served world. No HTTP, no signature, and PostgreSQL's default isolation: row
 * locks replace the store's guarantees. A process of its own, which prints its deposits per second: `node
 * bare-deposits.ts URL COUNT PLAYERS`.
 */
const [url = '', size = '0', players = '1'] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, options: '-c search_path=bare', max: 10 })

await pool.query(`
  create schema if not exists bare;
  create table if not exists bare.nonces (key_id text, nonce text, stamp bigint, expires_at bigint, primary key (key_id, nonce));
  create index if not exists nonces_expire on bare.nonces (expires_at);
  create table if not exists bare.keys (key_id text primary key, secret text);
  create table if not exists bare.players (id text primary key, tenant text, name_key text, balance bigint);
  create unique index if not exists players_named on bare.players (tenant, name_key);
  create table if not exists bare.transfers (id text primary key, tenant text, txn_id text, player_id text, dir text,
    amount text, change text, balance text, at bigint);
  create unique index if not exists transfers_once on bare.transfers (tenant, txn_id, player_id);
  create index if not exists transfers_of on bare.transfers (player_id, at);
  insert into bare.keys values ('key', 'secret') on conflict do nothing;
  insert into bare.players select 'player-' || n, 'DEMO', 'p' || n, 0 from generate_series(0, ${Number(players) - 1}) n
    on conflict do nothing;
`)

async function deposit(n: number): Promise<void> {
  const client = await pool.connect()
  const ask = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
  const now = Date.now()
  const txn = randomUUID()
  await client.query('begin')
  await ask('key', 'select secret from keys where key_id = $1', ['key'])
  await ask('nonce', 'insert into nonces values ($1, $2, $3, $4)', ['key', txn, now, now + 600_000])
  const name = ['DEMO', `p${n % Number(players)}`]
  const named = 'select * from players where tenant = $1 and name_key = $2 for update'
  const { rows } = await ask('player', named, name)
  await ask('known', 'select * from transfers where tenant = $1 and txn_id = $2', ['DEMO', txn])
  const { id, balance } = rows[0] as { id: string; balance: string }
  const after = BigInt(balance) + 1n
  await ask('save', 'update players set balance = $1 where id = $2', [after, id])
  const row = [randomUUID(), 'DEMO', txn, id, 'in', '1', '1', String(after), now]
  await ask('insert', 'insert into transfers values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', row)
  await client.query('commit')
  client.release()
}

let next = 0
const begun = performance.now()
await Promise.all(
  Array.from({ length: 32 }, async () => {
    for (let n = next++; n < Number(size); n = next++) await deposit(n)
  }),
)
process.stdout.write(`${Number(size) / ((performance.now() - begun) / 1000)}\n`)
await pool.end()
