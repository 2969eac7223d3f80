import { realAmbient } from '../../../kit/ambient.ts'
import { checkedStatus, setStatusOf } from '../../../operator/tickets/statuses.ts'
import { readPhrases, refuseGuarded, textFor } from '../../../operator/tickets/text/phrases.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { oneLine } from '../../terminal/text.ts'
import { actorName } from '../chat/actor-name.ts'
import { confirmPublic } from '../chat/confirm-public.ts'
import { readTextArgument } from '../chat/outgoing-text.ts'
import { plannedTicketCall } from '../chat/planned-call.ts'
import { nameOfTicket } from './view.ts'

interface StatusFlags {
  readonly actor?: string | undefined
  readonly comment?: string | undefined
  readonly public?: boolean
  readonly macros?: string | undefined
  readonly 'allow-guard'?: readonly string[] | undefined
  readonly yes: boolean
}

/** Changes the status of a ticket, with a comment if one is given. */
export async function changeStatus(
  context: CommandContext,
  args: { readonly ticket: string; readonly status: string },
  flags: StatusFlags,
) {
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  const input = flags.comment === undefined ? undefined : await readTextArgument(flags.comment, phrases)
  const ticketsApi = await context.services.tickets()
  const ticket = await ticketsApi.read(args.ticket)
  const workflow = await ticketsApi.workflowOf(ticket)
  const status = checkedStatus(args.status, workflow.codes)
  const visibility = flags.public ? ('public' as const) : ('internal' as const)
  const content = input === undefined ? undefined : await textFor(input, ticket, ticketsApi, phrases.file)
  if (content !== undefined && flags.public) refuseGuarded(content, phrases, flags['allow-guard'] ?? [])
  const actor = await actorName(context, flags.actor)
  const changed = ticket.status !== status
  const { ticketId, status: previousStatus } = ticket
  const result = { ticketId, previousStatus, status, changed, dryRun: context.isDryRun, request: null }
  const comment = content === undefined ? undefined : { content, visibility, key: realAmbient().id() }
  if (context.isDryRun) {
    const request = plannedTicketCall('setStatus', {
      params: { ticketId },
      body: {
        status,
        ...(actor === undefined ? {} : { actorDisplayName: actor }),
        ...(content === undefined ? {} : { comment: { content, visibility } }),
      },
    })
    context.log(plannedText(request))
    context.footnote(`Nothing was sent.${changed ? '' : ` The ticket is already ${status}.`}`)
    return { ...result, request }
  }
  if (content !== undefined && flags.public) {
    const shown = `To the customer (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n`
    await confirmPublic(context, shown, 'Send this to the customer', flags.yes)
  }
  await setStatusOf(ticketsApi, ticket, { status, actor, comment, hasForm: workflow.knownBy === 'form' })
  context.log(
    `${nameOfTicket(ticket)} ${changed ? `changed from ${previousStatus} to ${status}` : `is already ${status}`}.`,
  )
  return result
}
