import type { DeliveryRow } from '../db/schema/outbox.ts'
import type { CallbackMishap } from '../domain/faults.ts'

/** What is done wrong with callbacks on purpose. The outbox asks before it sends, and does it at its one door. */
export interface OutboxFaults {
  /** What befalls a delivery that is about to be sent. Nothing, and at once, where no fault is set. */
  meets(delivery: DeliveryRow): Promise<CallbackMishap | undefined> | undefined
  /** Whether some are held back until a later one to their address has gone. */
  keepsBack(): boolean
}

/** What the log says of a delivery that was held back; by the second it is known when a later one has gone. */
export const heldBack = {
  delay: 'held back by a fault that is set',
  reorder: 'held back, by a fault that is set, for a later one to go first',
} as const
