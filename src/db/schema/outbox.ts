import type { Channel } from '../../domain/webhooks/retry-schedule.ts'

/** Deliveries, all tables beginning with `outbox_`. */
export interface OutboxTables {
  outbox_deliveries: DeliveryRow
  outbox_attempts: AttemptRow
}

/** A delivery: a webhook or callback to send. */
export interface DeliveryRow {
  id: string
  channel: Channel
  /** Owner: a tenant's code, a merchant's id. */
  owner: string
  event: string
  /** Subject: a round, a player, a payment. */
  subject: string
  url: string
  /** JSON of the event; the channel's signer turns it into the body that is sent. */
  body: string
  state: 'owed' | 'delivered' | 'dead'
  /** Time of the next attempt; while leased, the end of the lease. */
  due_at: number
  /** Id of the current lease, if any. */
  claim: string | null
  /** Attempts since it was last made due, as its schedule counts them. */
  tries: number
  /** Maximum number of attempts; null for the channel's default. */
  most_tries: number | null
  /** Total number of attempts. */
  attempts: number
  created_at: number
  /** Time it was delivered or failed. */
  ended_at: number | null
  /** Status of the last response, if there was one. */
  last_status: number | null
  /** Error of the last attempt. */
  last_error: string | null
  /** Person who made it due again, if any. */
  revived_by: string | null
}

/** One attempt, for the delivery log. */
export interface AttemptRow {
  delivery_id: string
  number: number
  at: number
  took_ms: number
  status: number | null
  error: string | null
}
