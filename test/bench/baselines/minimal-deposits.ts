import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Database from 'better-sqlite3'

/**
 * The other baseline of the deposits: the least code that stores a deposit durably, in the tables of a world. It checks
 * the HMAC, the time and the nonce, finds the player, refuses a used txnId, adds the amount and inserts the transfer.
 * Requests of one turn of the event loop share a transaction, and are answered after its commit. It has no validation,
 * no rate limit, no allowlist, no new players, one connection, and one error: 400.
 * A process of its own, which prints its port: `node minimal-deposits.ts WORLD.DB`. The world must not be served.
 */
const [file = ''] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = wal')
db.pragma('synchronous = full')

const keyById = db.prepare<[string], { secret: string; tenant: string }>(
  `select k.secret, k.tenant from casino_keys k join casino_tenants t on t.code = k.tenant
   where k.key_id = ? and k.revoked_at is null and t.disabled = 0`,
)
const insertNonce = db.prepare<[string, string, number, number]>(
  'insert into casino_nonces (key_id, nonce, stamp, expires_at) values (?, ?, ?, ?) on conflict do nothing',
)
const playerByName = db.prepare<[string, string], { id: string; balance: string; currency: string }>(
  'select id, balance, currency from casino_players where tenant = ? and name_key = ?',
)
const transferByTxn = db.prepare<[string, string, string], { balance: string; change: string }>(
  'select balance, change from casino_transfers where tenant = ? and txn_id = ? and player_id = ?',
)
const saveBalance = db.prepare<[string, string]>('update casino_players set balance = ? where id = ?')
const insertTransfer = db.prepare<[string, string, string, string, string, string, string, number]>(
  `insert into casino_transfers (id, tenant, txn_id, player_id, dir, amount, change, balance, at)
   values (?, ?, ?, ?, 'in', ?, ?, ?, ?)`,
)

interface Order {
  readonly username: string
  readonly txnId: string
  readonly amount: string
  readonly currency: string
}

interface Waiting {
  readonly request: IncomingMessage
  readonly body: Buffer
  readonly response: ServerResponse
}

function isSigned(secret: string, { method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const digest = createHash('sha256').update(body).digest('hex')
  const text = [method, url, headers['x-timestamp'], headers['x-nonce'], digest].join('\n')
  const wanted = createHmac('sha256', secret).update(text).digest('hex')
  const given = Buffer.from(String(headers['x-signature']))
  return given.length === wanted.length && timingSafeEqual(Buffer.from(wanted), given)
}

/** Amounts have at most four decimals, as in a world: whole units of 1/10,000. */
function unitsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(4, '0'))
}

function textOf(units: bigint): string {
  const digits = units.toString().padStart(5, '0')
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '')
}

/** Returns the new balance, or undefined for an invalid request. */
function deposit({ request, body }: Waiting, now: number): string | undefined {
  const keyId = String(request.headers['x-api-key'])
  const nonce = String(request.headers['x-nonce'])
  const stamp = Number(request.headers['x-timestamp']) * 1000
  const key = keyById.get(keyId)
  if (!key || !isSigned(key.secret, request, body) || !(Math.abs(stamp - now) <= 300_000)) return undefined
  if (insertNonce.run(keyId, nonce, stamp, now + 600_000).changes === 0) return undefined
  const order: Order = JSON.parse(body.toString())
  const player = playerByName.get(key.tenant, order.username)
  if (!player || player.currency !== order.currency) return undefined
  const known = transferByTxn.get(key.tenant, order.txnId, player.id)
  if (known) return known.change === order.amount ? known.balance : undefined
  const balance = textOf(unitsOf(player.balance) + unitsOf(order.amount))
  saveBalance.run(balance, player.id)
  const id = randomBytes(13).toString('hex')
  insertTransfer.run(id, key.tenant, order.txnId, player.id, order.amount, order.amount, balance, now)
  return balance
}

let waiting: Waiting[] = []

const depositAll = db.transaction((group: readonly Waiting[]) => {
  const now = Date.now()
  return group.map((each) => deposit(each, now))
})

function commit(): void {
  const group = waiting
  waiting = []
  const balances = depositAll.immediate(group)
  for (const [i, { response }] of group.entries()) {
    const balance = balances[i]
    const answer = balance === undefined ? { ok: false } : { ok: true, data: { status: 'done', balance } }
    response.writeHead(answer.ok ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (waiting.push({ request, body: Buffer.concat(chunks), response }) === 1) setImmediate(commit)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})
