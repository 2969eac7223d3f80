import type { DeliveryStatus } from '../../domain/webhooks/delivery-status.ts'
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
  status: DeliveryStatus
  /** Time of the next attempt; while leased, the end of the lease; while held, the end of the hold. */
  scheduled_at: number
  /** Id of the current lease, if any. */
  lease: string | null
  /** Number of attempts since it was enqueued or redelivered; its retry schedule counts these. */
  attempt: number
  /** Maximum number of attempts; null for the channel's default. */
  max_attempts: number | null
  /** Number of attempts in total, including those before it was redelivered. */
  total_attempts: number
  /** Injected fault that held it. Stays after the hold, because a delivery is held once. */
  held_by: 'delay' | 'reorder' | null
  created_at: number
  /** Time it was delivered or failed; null while it is open. The index of due deliveries covers open ones only. */
  ended_at: number | null
  /** Status of the last response, if there was one. */
  last_status: number | null
  /** Error of the last attempt, or the reason for a hold or an end without one. For display only. */
  last_error: string | null
  /** Person who redelivered it, if any. */
  redelivered_by: string | null
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
