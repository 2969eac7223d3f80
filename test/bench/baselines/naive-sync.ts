import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { stringify } from 'csv-stringify/sync'
import { betColumns } from '../../../src/domain/bets/csv.ts'
import { signTenantRequest } from '../../../src/domain/signing.ts'
import type { BetRecord } from '../../../src/services/casino/api/schemas/index.ts'

/**
 * The work of `bets sync` as a short script: fetch, csv-stringify and better-sqlite3, by the rules of their manuals.
 * One prepared statement, one transaction per page, the write-ahead log, `synchronous = normal`. The table has the
 * columns of the book's view, the whole record, and the book's two indexes; the files have the columns of those of
 * `bets sync`. There is no cursor, no resume, no check of a record and no manifest: after a kill, table and files
 * differ. A process of its own:
 * `node naive-sync.ts READY_FILE FROM DATABASE FOLDER`.
 */
const [readyFile = '', from = '', database = '', folder = ''] = process.argv.slice(2)
const { baseUrl, casino } = JSON.parse(readFileSync(readyFile, 'utf8'))
const { apiKey, secret } = casino.live

const columns = [
  'place',
  'slip_id',
  'rev',
  'month',
  'rec_seq',
  'status',
  'username',
  'name_key',
  'currency',
  'game',
  'onsite',
  'stake',
  'hold',
  'valid_stake',
  'rolling',
  'payout',
  'win_loss',
  'rake',
  'settled_at',
  'record',
]
mkdirSync(folder, { recursive: true })
const db = new Database(database)
db.pragma('journal_mode = wal')
db.pragma('synchronous = normal')
db.exec(`create table slips (place integer primary key, ${columns.slice(1).join(', ')}, unique (slip_id, rev))`)
db.exec('create index slips_by_settled_at on slips (settled_at, rev)')
const insert = db.prepare(`insert into slips values (${columns.map(() => '?').join(', ')}) on conflict do nothing`)

let place = 0
const store = db.transaction((items: readonly BetRecord[]) => {
  for (const bet of items)
    insert.run(
      ++place,
      bet.slipId,
      bet.rev,
      bet.settledAt.slice(0, 7),
      bet.recSeq,
      bet.status,
      bet.username,
      bet.username.toLowerCase(),
      bet.currency,
      bet.game,
      bet.onsite ? 1 : 0,
      bet.stake,
      bet.hold ?? '0',
      bet.validStake,
      bet.rolling,
      bet.payout,
      bet.winLoss,
      bet.rake ?? '0',
      Date.parse(bet.settledAt),
      JSON.stringify(bet),
    )
})

function line(bet: BetRecord): unknown[] {
  const { result, bets } = bet
  const own = { ...bet, resultCode: result.code, cardInfo: result.cardInfo, bets: JSON.stringify(bets) }
  const cells: Record<string, unknown> = { ...own, result: JSON.stringify(result) }
  return betColumns.map((column) => cells[column])
}

const begun = new Set<string>()
function append(items: readonly BetRecord[]): void {
  for (const [month, rows = []] of Object.entries(Object.groupBy(items, (bet) => bet.settledAt.slice(0, 7)))) {
    const header = begun.has(month) ? '' : `${betColumns.join(',')}\n`
    begun.add(month)
    appendFileSync(join(folder, `bets-${month}.csv`), header + stringify(rows.map(line), { cast: { boolean: String } }))
  }
}

for (let next = `from=${encodeURIComponent(from)}`, more = true; more; ) {
  const url = `/api/tenant/v1/bets?limit=1000&${next}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = crypto.randomUUID().replaceAll('-', '')
  const signature = signTenantRequest(secret, { method: 'GET', url, timestamp, nonce, body: '' })
  const response = await fetch(baseUrl + url, {
    headers: { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature },
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { data: { items: BetRecord[]; nextCursor: string; hasMore: boolean } }
  store(data.items)
  append(data.items)
  next = `cursor=${data.nextCursor}`
  more = data.hasMore
}
db.close()
process.stdout.write(JSON.stringify({ rows: place }))
