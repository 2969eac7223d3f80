/**
 * Status of a delivery. Open: `pending` waits for its time, `leased` is being sent, `held` waits because of an injected
 * fault. Ended: `delivered`, `failed`.
 */
export type DeliveryStatus = 'pending' | 'leased' | 'held' | 'delivered' | 'failed'

/** States that the delivery log shows, with the statuses that each covers. Scripts know these names. */
export const loggedStates = {
  owed: ['pending', 'leased', 'held'],
  delivered: ['delivered'],
  dead: ['failed'],
} as const satisfies Record<string, readonly DeliveryStatus[]>

export type LoggedState = keyof typeof loggedStates

/** Returns the state that the delivery log shows. */
export function loggedState({ status }: { readonly status: DeliveryStatus }): LoggedState {
  if (status === 'delivered') return 'delivered'
  return status === 'failed' ? 'dead' : 'owed'
}
