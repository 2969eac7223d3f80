import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { InjectedCallbackFault } from '../domain/faults.ts'

/** Injected faults of callbacks. The outbox asks for them before it sends. */
export interface OutboxFaults {
  /** Returns the fault that applies to a delivery about to be sent. Synchronous and undefined when no fault is set. */
  faultFor(delivery: DeliveryRow): Promise<InjectedCallbackFault | undefined> | undefined
  /** Returns whether deliveries are held until a later one to the same URL was sent. */
  holdsDeliveries(): boolean
}

/** Reasons for a hold, as the delivery log shows them. */
export const holdReasons = {
  delay: 'held by an injected fault',
  reorder: 'held by an injected fault until a later delivery was sent',
} as const

/** Error of a delivery that a fault lost: it counts as delivered, and no receiver got it. */
export const lostReason = 'lost by an injected fault'
