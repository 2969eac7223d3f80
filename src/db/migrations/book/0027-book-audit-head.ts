import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** The end of the audit trail, next to it: a trail whose last entries were removed ends before it. */
export const bookAuditHead: Migration = {
  name: '0027-book-audit-head',
  async up(q) {
    await q.schema
      .createTable('book_audit_head')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute()
    await sql`insert into book_audit_head (id, seq, hash)
      select 'head', seq, hash from book_audit order by seq desc limit 1`.execute(q)
  },
}
