import { realAmbient } from '../../../kit/ambient.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { readInput } from '../../terminal/read-input.ts'
import { sendOnce } from '../chat/idempotent-send.ts'
import { plannedTicketCall } from '../chat/planned-call.ts'
import { type TicketValues, ticketInput } from './create-input.ts'
import { nameOfTicket, wholeTicketRow } from './view.ts'

type CreateFlags = Omit<TicketValues, 'title' | 'fields'> & {
  readonly field?: readonly string[] | undefined
  readonly key?: string | undefined
}

/** Creates a ticket. */
export async function createTicket(context: CommandContext, title: string, flags: CreateFlags) {
  const key = flags.key ?? realAmbient().id()
  const ticketsApi = await context.services.tickets()
  const { form, account, name, language, priority, field: fields = [] } = flags
  const description = flags.description === '-' ? await readInput('-') : flags.description
  const values = { title, description, form, account, name, language, priority, fields }
  const input = await ticketInput(values, (await ticketsApi.forms())?.items)
  const result = { key, dryRun: context.isDryRun, request: null, ticket: null }
  if (context.isDryRun) {
    const request = plannedTicketCall('createTicket', { body: input })
    context.log(plannedText(request))
    context.footnote('Nothing was sent.')
    return { ...result, request }
  }
  context.detail(`Idempotency-Key: ${key}`)
  const ticket = await sendOnce({
    flag: '--key',
    key,
    send: () => ticketsApi.create(input, key, flags.key !== undefined),
    note: (text) => context.note(text),
  })
  context.log(`Created ${nameOfTicket(ticket)} (${ticket.ticketId}), ${ticket.status}.`)
  return { ...result, ticket: wholeTicketRow(ticket) }
}
