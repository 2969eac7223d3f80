import type { Channel } from '../../domain/webhooks/retry-schedule.ts'

/** What is owed to others, all beginning with `outbox_`. */
export interface OutboxTables {
  outbox_deliveries: DeliveryRow
  outbox_attempts: AttemptRow
}

/** A message owed to somebody outside. */
export interface DeliveryRow {
  id: string
  channel: Channel
  /** Whose mail it is: a tenant's code, a merchant's id. */
  owner: string
  event: string
  /** What it speaks of: a round, a player, a payment. */
  subject: string
  url: string
  /** JSON of what is told; the channel's seal makes of it the body as sent. */
  body: string
  state: 'owed' | 'delivered' | 'dead'
  /** When it is to be sent next; while it is being sent, when the sender's lease ends. */
  due_at: number
  /** Who is sending it, while somebody is. */
  claim: string | null
  /** Attempts since it was last made due: what its schedule counts. */
  tries: number
  /** After how many tries it is given up; null where its channel says so. */
  most_tries: number | null
  /** All attempts there ever were. */
  attempts: number
  created_at: number
  /** When it was acknowledged or given up. */
  ended_at: number | null
  /** The status of the last answer, if there was one. */
  last_status: number | null
  /** Why the last attempt failed. */
  last_error: string | null
  /** Who made it due again, if somebody did. */
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
