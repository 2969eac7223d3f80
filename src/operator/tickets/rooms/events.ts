/** An event of the chat. */
export interface ChatEvent {
  readonly id: string | null
  readonly event: string
  readonly data: unknown
}

/** Returns the value at a path of an event's data. */
export function field(data: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    data,
  )
}

/** Returns the room of an event; undefined if it has none. */
export const roomOf = (data: unknown): unknown => field(data, 'roomId') ?? field(data, 'message', 'roomId')

/** Returns a filter for the changes of tickets: of one ticket, by number or ID, and to one status, as far as they are given. */
export function ticketChanges({
  ticket,
  status,
}: {
  readonly ticket?: string | undefined
  readonly status?: string | undefined
}): (event: ChatEvent) => boolean {
  return ({ event, data }) => {
    if (event !== 'ticket.updated') return false
    if (status !== undefined && field(data, 'status') !== status) return false
    return ticket === undefined || [field(data, 'ticketId'), String(field(data, 'ticketNumber'))].includes(ticket)
  }
}
