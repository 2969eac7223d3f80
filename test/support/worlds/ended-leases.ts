import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Ends the leases that a killed process left in a folder's `world.db`, as if their 100 seconds had passed; returns their number. */
export function endLeases(folder: string): number {
  const database = new Database(join(folder, 'world.db'))
  try {
    return database.prepare(`update outbox_deliveries set scheduled_at = 0 where status = 'leased'`).run().changes
  } finally {
    database.close()
  }
}
