import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Indexes for what an hourly job reads, so that its cost does not grow with the book: the revisions of a player since a
 * place, later revisions of a time, and the transfers of a player since a time. `book_headless` has the revisions of slips whose
 * first revision is missing. The database itself keeps it, by triggers, so that it follows every change of the rows.
 */
export const bookGrowth: Migration = {
  name: '0010-book-growth',
  async up(q) {
    await q.schema.createIndex('book_revisions_by_player').on('book_revisions').columns(['name_key', 'place']).execute()
    await sql`create index book_revisions_revised on book_revisions (settled_at, place) where rev > 1`.execute(q)
    await q.schema.dropIndex('book_transfers_by_player').execute()
    await q.schema
      .createIndex('book_transfers_by_player')
      .on('book_transfers')
      .columns(['name_key', 'state', 'changed_at'])
      .execute()
    await q.schema
      .createIndex('book_transfers_by_state')
      .on('book_transfers')
      .columns(['state', 'made_at', 'txn_id'])
      .execute()
    await q.schema.createIndex('book_transfers_by_time').on('book_transfers').columns(['made_at', 'txn_id']).execute()
    await q.schema.dropIndex('book_transfer_checks_by_player').execute()
    await q.schema
      .createIndex('book_transfer_checks_by_player')
      .on('book_transfer_checks')
      .columns(['player', 'checked_at'])
      .execute()
    await q.schema.createIndex('book_breaks_by_time').on('book_breaks').columns(['opened_at', 'id']).execute()
    await q.schema
      .createTable('book_headless')
      // Not a key, so that a copy of all rows of a book can be written in any order.
      .addColumn('place', 'integer', (column) => column.notNull())
      .execute()
    await q.schema.createIndex('book_headless_by_place').on('book_headless').column('place').execute()
    await sql`
      insert into book_headless (place)
      select known.place from book_revisions as known
      where known.rev > 1
        and not exists (select 1 from book_revisions as first where first.slip_id = known.slip_id and first.rev = 1)`.execute(
      q,
    )
    for (const statement of q.getExecutor().adapter instanceof PostgresAdapter ? onPostgres : onSqlite)
      await run(q, statement)
  },
}

const run = (q: Kysely<unknown>, statement: string) => sql.raw(statement).execute(q)

const isAlone = 'not exists (select 1 from book_revisions where slip_id = new.slip_id and rev = 1)'
/** Revisions that an old row leaves without their first one. */
const left = `select place from book_revisions where slip_id = old.slip_id and rev > 1
    and not exists (select 1 from book_revisions where slip_id = old.slip_id and rev = 1)`

const onSqlite = [
  `create trigger book_headless_insert after insert on book_revisions when new.rev > 1 and ${isAlone}
  begin insert into book_headless (place) values (new.place); end`,
  `create trigger book_headless_delete after delete on book_revisions
  begin
    delete from book_headless where place = old.place;
    insert into book_headless (place) ${left} and old.rev = 1;
  end`,
  `create trigger book_headless_update after update of place, slip_id, rev on book_revisions
  begin
    delete from book_headless where place = old.place;
    insert into book_headless (place) ${left} and old.rev = 1 and place <> new.place;
    insert into book_headless (place) select new.place where new.rev > 1 and ${isAlone};
  end`,
]

const onPostgres = [
  `create function book_headless_keep() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then
      delete from book_headless where place = old.place;
    end if;
    if tg_op = 'DELETE' and old.rev = 1 then
      insert into book_headless (place) ${left};
    end if;
    if tg_op = 'UPDATE' and old.rev = 1 then
      insert into book_headless (place) ${left} and place <> new.place;
    end if;
    if tg_op <> 'DELETE' and new.rev > 1 and ${isAlone} then
      insert into book_headless (place) values (new.place);
    end if;
    return null;
  end $$`,
  `create trigger book_headless_insert after insert on book_revisions
  for each row when (new.rev > 1) execute function book_headless_keep()`,
  `create trigger book_headless_delete after delete on book_revisions
  for each row execute function book_headless_keep()`,
  `create trigger book_headless_update after update of place, slip_id, rev on book_revisions
  for each row execute function book_headless_keep()`,
]
