import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { InjectedCallbackFault } from '../domain/faults.ts'

/** Injected faults of callbacks. */
export interface OutboxFaults {
  /** Returns the fault that applies to a delivery about to be sent. Without faults, returns undefined synchronously. */
  faultFor(delivery: DeliveryRow): Promise<InjectedCallbackFault | undefined> | undefined
  /** Returns whether a fault is set that holds deliveries until a later one to the same URL was sent. */
  holdsDeliveries(): boolean
}

/** Reasons for a hold, as the delivery log shows them. */
export const holdReasons = {
  delay: 'held by an injected fault',
  reorder: 'held by an injected fault until a later delivery was sent',
} as const

/** Error of a delivery that an injected fault lost: it counts as delivered, but was not sent. */
export const lostReason = 'lost by an injected fault'
