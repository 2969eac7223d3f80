import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Reader, Store } from '../db/store.ts'
import type { Channel } from '../domain/webhooks/retry-schedule.ts'
import type { Ambient } from '../kit/ambient.ts'
import type { Log } from '../kit/log.ts'
import type { CallbackEgress } from './egress.ts'
import type { OutboxFaults } from './fault-injection.ts'

/** Headers and body of the request that delivers an event. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Signs a delivery for one attempt. Called for each attempt, because a signature may include the time of sending and
 * always uses the current secret. `withdrawn` means that the owner no longer wants the delivery.
 */
export type DeliverySigner = (reader: Reader, delivery: DeliveryRow) => Promise<SignedDelivery | 'withdrawn'>

/** An attempt to record: the request and its delivery. */
export interface AttemptToRecord extends SignedDelivery {
  readonly delivery: DeliveryRow
}

/** Response to an attempt, or the reason why there is none. */
export type RecordedOutcome =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  | { readonly reason: string }

/** Dependencies of sending. */
export interface Outbox extends Pick<Ambient, 'id' | 'random'> {
  readonly store: Store
  readonly log: Log
  readonly egress: CallbackEgress
  /** Signers by channel. */
  readonly signers: Readonly<Record<Channel, DeliverySigner>>
  /** Timeout of one attempt. Default: 10 seconds. */
  readonly sendWithinMs?: number
  /** Records an attempt, and returns a function that records its outcome. Default: none. */
  readonly record?: ((attempt: AttemptToRecord) => (outcome: RecordedOutcome) => void) | undefined
  /** Injected faults. Default: none. */
  readonly faults?: OutboxFaults
  /** True if deliveries may go to a developer's receiver on this machine. */
  allowsLoopback(): boolean
}
