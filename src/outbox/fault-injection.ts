import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { InjectedCallbackFault } from '../domain/faults.ts'

/** Injected faults of callbacks. The outbox asks for them before it sends. */
export interface OutboxFaults {
  /** Returns the fault that applies to a delivery about to be sent. Synchronous and undefined when no fault is set. */
  faultFor(delivery: DeliveryRow): Promise<InjectedCallbackFault | undefined> | undefined
  /** Returns whether deliveries are held back until a later one to the same URL was sent. */
  holdsBack(): boolean
}

/** Log texts of deliveries that were held back. The second one marks those released by a later delivery. */
export const heldBack = {
  delay: 'held back by an injected fault',
  reorder: 'held back by an injected fault until a later delivery was sent',
} as const
