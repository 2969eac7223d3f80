import { Problem } from '../../../kit/problem.ts'
import { Args, Flags } from '../../framework/flags.ts'

/**
 * Validates IDs of tickets and rooms. Other instances may use other formats; a text that cannot be an ID is rejected
 * before any request, because it would change the path of the URL.
 */
const form = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/

const kinds = {
  ticket: 'not a ticket number or ID, such as 12 or tkt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
  room: 'not a room ID, such as room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
} as const

/** Longer values are cut in messages. */
const maxShown = 60

/** Returns the IDs, without a # before numbers, or throws with all that are invalid. */
export function checkedIds(values: readonly string[], kind: keyof typeof kinds): string[] {
  const ids = values.map((id) => (kind === 'ticket' ? id.replace(/^#/, '') : id))
  const malformed = ids.filter((id) => !form.test(id))
  if (malformed.length === 0) return ids
  const shown = malformed
    .slice(0, 5)
    .map((id) => JSON.stringify(id.length > maxShown ? `${id.slice(0, maxShown)}…` : id))
  const more = malformed.length > shown.length ? ` and ${malformed.length - shown.length} more` : ''
  throw new Problem('INVALID_USAGE', `${shown.join(', ')}${more}: ${kinds[kind]}`, { ids: malformed.slice(0, 100) })
}

const one = (kind: keyof typeof kinds) => async (value: string) => checkedIds([value], kind)[0] ?? ''

export const ticketArg = {
  ticket: Args.string({ required: true, description: 'Ticket number or ID', parse: one('ticket') }),
}
export const roomArg = { room: Args.string({ required: true, description: 'Room ID', parse: one('room') }) }

export const ticketFlag = (summary: string) => Flags.string({ summary, helpValue: 'TICKET', parse: one('ticket') })
export const roomFlag = (summary: string) => Flags.string({ summary, helpValue: 'ROOM', parse: one('room') })
