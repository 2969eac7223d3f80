import { Problem } from '../../../kit/problem.ts'
import { Args, Flags } from '../../framework/flags.ts'

/**
 * The ids of tickets and rooms as they are typed. Another instance may make them in its own way; what no id can be is
 * refused before anybody is asked, since it would lead to another address.
 */
const form = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/

const kinds = {
  ticket: 'no number or id of a ticket, such as 12 or tkt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
  room: 'no id of a room, such as room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
} as const

/** A longer one is told by its beginning. */
const mostShown = 60

/** The ids if each of them can be one, without the # before a number; else the refusal that names all that cannot. */
export function checkedIds(said: readonly string[], kind: keyof typeof kinds): string[] {
  const ids = said.map((id) => (kind === 'ticket' ? id.replace(/^#/, '') : id))
  const strange = ids.filter((id) => !form.test(id))
  if (strange.length === 0) return ids
  const shown = strange
    .slice(0, 5)
    .map((id) => JSON.stringify(id.length > mostShown ? `${id.slice(0, mostShown)}…` : id))
  const more = strange.length > shown.length ? ` and ${strange.length - shown.length} more` : ''
  throw new Problem('INVALID_USAGE', `${shown.join(', ')}${more}: ${kinds[kind]}`, { ids: strange.slice(0, 100) })
}

const one = (kind: keyof typeof kinds) => async (said: string) => checkedIds([said], kind)[0] ?? ''

export const ticketArg = {
  ticket: Args.string({ required: true, description: 'Its number or id', parse: one('ticket') }),
}
export const roomArg = { room: Args.string({ required: true, description: 'The room', parse: one('room') }) }

export const ticketFlag = (summary: string) => Flags.string({ summary, helpValue: 'TICKET', parse: one('ticket') })
export const roomFlag = (summary: string) => Flags.string({ summary, helpValue: 'ROOM', parse: one('room') })
