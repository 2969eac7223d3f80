import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/**
 * Books of any size, made from a synced one. Rows of the past and of the future are written directly into the file,
 * before the synced ones in the order of arrival. Half of them were settled before the synced day and half after it.
 * One of thirty is a later revision, and all belong to the synced book's players.
 */

const dayMs = 86_400_000

/** Writes `rows` more rows into a copy of the book, around the day that begins at `day`. */
export function grownBook({
  source,
  target,
  rows,
  day,
}: {
  readonly source: string
  readonly target: string
  readonly rows: number
  readonly day: number
}): void {
  copyFileSync(source, target)
  const db = new Database(target)
  // No process reads the file yet, and after a crash it is written again.
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.pragma('cache_size = -400000')
  moveUp(db, rows)
  const half = rows / 2
  insertRows(db, { first: 1, rows: half, from: day - 200 * dayMs, to: day - 3 * dayMs })
  insertRows(db, { first: half + 1, rows: half, from: day + 3 * dayMs, to: day + 9 * dayMs })
  countMonths(db, rows)
  db.pragma('journal_mode = wal')
  db.close()
}

/** Increases the positions of the synced rows, and all references to them. */
function moveUp(db: Database.Database, rows: number): void {
  for (const [table, columns] of [
    ['book_revisions', ['place']],
    ['book_months', ['first_place', 'last_place']],
    ['book_position', ['rows']],
    ['book_exports', ['place']],
    ['book_wallet_marks', ['place']],
    ['book_reconciled_days', ['place']],
  ] as const)
    for (const column of columns) db.prepare(`update ${table} set ${column} = ${column} + ?`).run(rows)
}

interface Rows {
  readonly first: number
  readonly rows: number
  /** Time of the first settlement, and the end after the last one. */
  readonly from: number
  readonly to: number
}

/** Every 30th row is the second revision of the slip before it. */
function insertRows(db: Database.Database, { first, rows, from, to }: Rows): void {
  db.exec('create temp table names as select distinct name_key from book_revisions')
  const { players } = db.prepare('select count(*) as players from names').get() as { players: number }
  const insert = db.prepare(`
    with recursive numbers (i) as (select @at union all select i + 1 from numbers where i < @last),
    slips as (
      select i, i - (i % 30 = 0) as slip, 1 + (i % 30 = 0) as rev, cast(@from + (i - @first) * @step as integer) as at from numbers
    )
    insert into book_revisions (place, slip_id, rev, month, rec_seq, name_key, settled_at, record)
    select i, printf('g%012d', slip), rev, strftime('%Y%m', at / 1000, 'unixepoch'), i, name_key, at,
      printf('{"recSeq":%d,"slipId":"g%012d","rev":%d,"status":"%s","username":"%s","currency":"USD","tableId":"BAC-01",'
        || '"game":"baccarat","variant":"classic","roundId":"r%012d","shoe":"BAC-01-1","round":1,'
        || '"bets":[{"zone":"P","amount":"10.5","return":"21"},{"zone":"PP","amount":"5","return":"0"}],"stake":"15.5",'
        || '"validStake":"15.5","rolling":"15.5","payout":"21","winLoss":"5.5","delta":"%s",'
        || '"result":{"code":"P","cardInfo":"QD3D4C3SAH--"},"placedAt":"%s","settledAt":"%s.%03dZ"}',
        i, slip, rev, iif(rev = 1, 'settled', 'recalculated'), name_key, slip, iif(rev = 1, '21', '0'),
        strftime('%Y-%m-%dT%H:%M:%S.000Z', at / 1000 - 20, 'unixepoch'),
        strftime('%Y-%m-%dT%H:%M:%S', at / 1000, 'unixepoch'), at % 1000)
    from slips join names on names.rowid = 1 + (slip * 7919) % @players`)
  const step = (to - from) / rows
  const atOnce = 500_000
  for (let at = first; at < first + rows; at += atOnce) {
    const last = Math.min(at + atOnce, first + rows) - 1
    db.transaction(() => insert.run({ at, last, from, first, step, players }))()
  }
  db.exec('drop table names')
}

/** Counts the new rows per month, as the sync does. */
function countMonths(db: Database.Database, upTo: number): void {
  db.prepare(`
    insert into book_months (month, rows, first_place, last_place)
    select month, count(*), min(place), max(place) from book_revisions where place <= ? group by month
    on conflict (month) do update set rows = rows + excluded.rows, first_place = excluded.first_place`).run(upTo)
}

/**
 * Creates the folder of the grown book's CSV files: copies of the synced ones, a stand-in for each month that only the
 * grown book has, and their states, as after an export.
 */
export function standInFiles(book: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  const db = new Database(book)
  const known = db.prepare('select folder, file from book_exports').all() as { folder: string; file: string }[]
  for (const { folder: from, file } of known) {
    copyFileSync(join(from, file), join(folder, file))
    db.prepare('update book_exports set folder = ?, modified_at = ? where file = ?').run(
      folder,
      changedAt(folder, file),
      file,
    )
  }
  const months = db
    .prepare('select month, rows, last_place from book_months where month not in (select month from book_exports)')
    .all() as { month: string; rows: number; last_place: number }[]
  const insert = db.prepare('insert into book_exports values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  for (const { month, rows, last_place } of months) {
    const file = `bets-${month.slice(0, 4)}-${month.slice(4)}.csv`
    writeFileSync(join(folder, file), 'stand-in\n')
    const { size } = statSync(join(folder, file))
    insert.run(folder, file, month, rows, size, last_place, '0'.repeat(64), changedAt(folder, file), '{}')
  }
  db.exec(
    'update book_exports set place = (select last_place from book_months where book_months.month = book_exports.month)',
  )
  db.close()
}

const changedAt = (folder: string, file: string) => Math.floor(statSync(join(folder, file)).mtimeMs)
