import { type Kysely, sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Stores the status of deliveries, and the injected fault that held one, in columns of their own. Renames the columns to
 * the usual terms. The indexes of due deliveries cover open ones only, so that the log does not slow sending down.
 */
export const deliveryStatus: Migration = {
  name: '0105-delivery-status',
  async up(q) {
    for (const index of replacedIndexes) await q.schema.dropIndex(index).execute()
    for (const [from, to] of renamed) await q.schema.alterTable('outbox_deliveries').renameColumn(from, to).execute()
    await q.schema.alterTable('outbox_deliveries').addColumn('held_by', 'text').execute()
    await setStatuses(q)
    await sql`create index outbox_deliveries_due on outbox_deliveries (url, scheduled_at) where ended_at is null`.execute(
      q,
    )
    await sql`create index outbox_deliveries_next on outbox_deliveries (scheduled_at) where ended_at is null`.execute(q)
    // Without open deliveries: SQLite would otherwise prefer it to the other two, and read every open delivery.
    await sql`create index outbox_deliveries_ended on outbox_deliveries (ended_at) where ended_at is not null`.execute(
      q,
    )
  },
}

const replacedIndexes = ['outbox_deliveries_due', 'outbox_deliveries_next', 'outbox_deliveries_ended'] as const

const renamed = [
  ['state', 'status'],
  ['due_at', 'scheduled_at'],
  ['claim', 'lease'],
  ['tries', 'attempt'],
  ['most_tries', 'max_attempts'],
  ['attempts', 'total_attempts'],
  ['revived_by', 'redelivered_by'],
] as const

/** Texts by which earlier versions marked a delivery that an injected fault held. */
const heldTexts = {
  delay: ['held back by an injected fault', 'held back by a fault that is set'],
  reorder: [
    'held back by an injected fault until a later delivery was sent',
    'held back, by a fault that is set, for a later one to go first',
  ],
} as const

/** `owed` was every open delivery: leased while it had a lease, held while it had none and its last error said so. */
async function setStatuses(q: Kysely<unknown>): Promise<void> {
  for (const [kind, texts] of Object.entries(heldTexts))
    await sql`update outbox_deliveries set held_by = ${kind} where last_error in (${sql.join(texts)})`.execute(q)
  await sql`
    update outbox_deliveries set status = case
      when lease is not null then 'leased'
      when held_by is not null then 'held'
      else 'pending'
    end where status = 'owed'`.execute(q)
  await sql`update outbox_deliveries set status = 'failed' where status = 'dead'`.execute(q)
}
