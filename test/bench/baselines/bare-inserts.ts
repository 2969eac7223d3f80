import Database from 'better-sqlite3'
import type { BookSlipRow } from '../../../src/db/schema/book.ts'
import { openBook } from '../../../src/operator/book/book.ts'

/**
 * SQLite's own time for the rows of a book: the same rows, tables and transactions of 1,000 rows with the cursor, by
 * prepared statements of 100 rows. Nothing else is downloaded, read or written. A process of its own: `node
 * bare-inserts.ts BOOK COPY` prints the CPU time of the inserts in milliseconds, without its own start.
 */
const [source = '', copy = ''] = process.argv.slice(2)
const columns = ['place', 'slip_id', 'rev', 'month', 'rec_seq', 'name_key', 'settled_at', 'record'] as const
const book = new Database(source, { readonly: true })
const rows = book.prepare<[], BookSlipRow>('select * from book_revisions order by place').all()
book.close()
await (await openBook(copy)).close()

const db = new Database(copy)
db.pragma('journal_mode = wal')
db.pragma('synchronous = full')
db.exec(`insert into book_position (id, cursor, started_from, rows) values ('bets', null, 0, 0)`)
const values = (count: number) =>
  Array.from({ length: count }, () => `(${columns.map(() => '?').join(', ')})`).join(', ')
const insertion = (count: number) =>
  db.prepare(`insert into book_revisions (${columns.join(', ')}) values ${values(count)}
    on conflict (slip_id, rev) do nothing`)
const [hundred, one] = [insertion(100), insertion(1)]
const moveOn = db.prepare(`update book_position set cursor = ?, rows = ? where id = 'bets'`)
const store = db.transaction((page: readonly BookSlipRow[]) => {
  const whole = page.length - (page.length % 100)
  for (let from = 0; from < whole; from += 100)
    hundred.run(...page.slice(from, from + 100).flatMap((row) => columns.map((column) => row[column])))
  for (const row of page.slice(whole)) one.run(...columns.map((column) => row[column]))
  const last = page.at(-1)
  moveOn.run(`${last?.month}.${last?.rec_seq}`, last?.place)
})
const begun = process.cpuUsage()
for (let from = 0; from < rows.length; from += 1000) store.immediate(rows.slice(from, from + 1000))
const { user, system } = process.cpuUsage(begun)
db.close()
process.stdout.write(JSON.stringify({ rows: rows.length, cpuMs: (user + system) / 1000 }))
