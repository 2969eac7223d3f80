import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { Reader, Store } from '../db/store.ts'
import type { Channel } from '../domain/webhooks/retry-schedule.ts'
import type { Ambient } from '../kit/ambient.ts'
import type { Log } from '../kit/log.ts'
import type { CallbackDoor } from './egress.ts'
import type { OutboxFaults } from './fault-injection.ts'

/** A message as it goes onto the wire. */
export interface Sealed {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Makes of a delivery what is sent, anew for each attempt: a signature carries the time of sending. `withdrawn` says
 * that its owner does not want it any more.
 */
export type Seal = (reader: Reader, delivery: DeliveryRow) => Promise<Sealed | 'withdrawn'>

/** What sending needs. */
export interface Outbox extends Pick<Ambient, 'id' | 'random'> {
  readonly store: Store
  readonly log: Log
  readonly door: CallbackDoor
  /** All that differs between the kinds of mail. */
  readonly seals: Readonly<Record<Channel, Seal>>
  /** How long one exchange may take in all; ten seconds when not given. */
  readonly sendWithinMs?: number
  /** What is done wrong on purpose; nothing when not given. */
  readonly faults?: OutboxFaults
  /** Whether a developer's receiver on this machine may be sent to. */
  allowsLoopback(): boolean
}
