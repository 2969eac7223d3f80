/** What is owed to others, all beginning with `outbox_`. */
export type OutboxTables = Record<never, never>
