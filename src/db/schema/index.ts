import type { BookTables } from './book.ts'
import type { CasinoTables } from './casino.ts'
import type { CasinoWebhookTables } from './casino-webhooks.ts'
import type { ChatTables } from './chat.ts'
import type { GatewayTables } from './gateway.ts'
import type { OutboxTables } from './outbox.ts'
import type { StoreTables } from './store.ts'

/**
 * All tables, by owner. One interface, because Kysely's types are invariant: a function for the tables of one service
 * would not accept a transaction over all of them. The prefix of a table names its owner.
 */
export interface Tables
  extends StoreTables,
    OutboxTables,
    CasinoTables,
    CasinoWebhookTables,
    GatewayTables,
    ChatTables,
    BookTables {}
