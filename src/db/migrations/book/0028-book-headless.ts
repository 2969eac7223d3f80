import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Revisions without a first one are listed by the code that inserts rows, not by a trigger: a trigger runs for every row, which
 * took a tenth of SQLite's time. Triggers still follow changed and deleted rows. The list gets a key, so that it is copied
 * like every other table.
 */
export const bookHeadless: Migration = {
  name: '0028-book-headless',
  async up(q) {
    const isPostgres = q.getExecutor().adapter instanceof PostgresAdapter
    for (const event of ['insert', 'delete', 'update'])
      await run(q, `drop trigger book_headless_${event}${isPostgres ? ' on book_revisions' : ''}`)
    await q.schema.alterTable('book_headless').renameTo('book_headless_before').execute()
    await q.schema
      .createTable('book_headless')
      .addColumn('place', 'integer', (column) => column.primaryKey())
      .execute()
    await sql`insert into book_headless (place) select distinct place from book_headless_before`.execute(q)
    await q.schema.dropTable('book_headless_before').execute()
    for (const statement of isPostgres ? onPostgres : onSqlite) await run(q, statement)
  },
}

const run = (q: Kysely<unknown>, statement: string) => sql.raw(statement).execute(q)

const isAlone = 'not exists (select 1 from book_revisions where slip_id = new.slip_id and rev = 1)'
/** Revisions that an old row leaves without their first one. */
const left = `select place from book_revisions where slip_id = old.slip_id and rev > 1
    and not exists (select 1 from book_revisions where slip_id = old.slip_id and rev = 1)`

const onSqlite = [
  `create trigger book_headless_delete after delete on book_revisions
  begin
    delete from book_headless where place = old.place;
    insert into book_headless (place) ${left} and old.rev = 1 on conflict do nothing;
  end`,
  `create trigger book_headless_update after update of place, slip_id, rev on book_revisions
  begin
    delete from book_headless where place = old.place;
    insert into book_headless (place) ${left} and old.rev = 1 and place <> new.place on conflict do nothing;
    insert into book_headless (place) select new.place where new.rev > 1 and ${isAlone} on conflict do nothing;
  end`,
]

const onPostgres = [
  `create or replace function book_headless_keep() returns trigger language plpgsql as $$
  begin
    delete from book_headless where place = old.place;
    if old.rev = 1 then
      insert into book_headless (place) ${left} and (tg_op = 'DELETE' or place <> new.place) on conflict do nothing;
    end if;
    if tg_op = 'UPDATE' and new.rev > 1 and ${isAlone} then
      insert into book_headless (place) values (new.place) on conflict do nothing;
    end if;
    return null;
  end $$`,
  `create trigger book_headless_delete after delete on book_revisions
  for each row execute function book_headless_keep()`,
  `create trigger book_headless_update after update of place, slip_id, rev on book_revisions
  for each row execute function book_headless_keep()`,
]
