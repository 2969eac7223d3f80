import { isProblem } from '../../kit/problem.ts'
import type { FullTicket } from './parse.ts'
import type { TicketsApi } from './tickets-api.ts'

/** Reads a ticket; undefined if it does not exist. */
export async function readIfExists(
  ticketsApi: Pick<TicketsApi, 'read'>,
  ticketId: string,
): Promise<FullTicket | undefined> {
  try {
    return await ticketsApi.read(ticketId)
  } catch (error) {
    if (isProblem(error) && error.detail['status'] === 404) return undefined
    throw error
  }
}
