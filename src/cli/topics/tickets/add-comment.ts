import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import { countAlike, findComment } from '../../../operator/tickets/find-own-comment.ts'
import { readPhrases, refuseGuarded, textFor } from '../../../operator/tickets/text/phrases.ts'
import type { CommandContext } from '../../context/context.ts'
import { plannedText } from '../../outcome/dry-run.ts'
import { oneLine } from '../../terminal/text.ts'
import { actorName } from '../chat/actor-name.ts'
import { confirmPublic } from '../chat/confirm-public.ts'
import { sendOnce } from '../chat/idempotent-send.ts'
import { readTextArgument } from '../chat/outgoing-text.ts'
import { plannedTicketCall } from '../chat/planned-call.ts'
import { nameOfTicket } from './view.ts'

interface CommentFlags {
  readonly public?: boolean
  readonly macros?: string | undefined
  readonly 'allow-guard'?: readonly string[] | undefined
  readonly author?: string | undefined
  readonly key?: string | undefined
  readonly yes: boolean
}

/** Adds a comment to a ticket, internal or public. */
export async function addComment(
  context: CommandContext,
  args: { readonly ticket: string; readonly text: string },
  flags: CommentFlags,
) {
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  const input = await readTextArgument(args.text, phrases)
  const key = flags.key ?? realAmbient().id()
  const visibility = flags.public ? 'public' : 'internal'
  const ticketsApi = await context.services.tickets()
  const ticket = await ticketsApi.read(args.ticket)
  const content = await textFor(input, ticket, ticketsApi, phrases.file)
  if (content.trim() === '')
    throw new Problem('INVALID_USAGE', 'The comment is empty; pass a text, @MACRO, or - for stdin')
  if (flags.public) refuseGuarded(content, phrases, flags['allow-guard'] ?? [])
  const author = await actorName(context, flags.author)
  const result = {
    ticketId: ticket.ticketId,
    commentId: null,
    content,
    visibility,
    key,
    dryRun: context.isDryRun,
    request: null,
  }
  if (context.isDryRun) {
    const request = plannedTicketCall('comment', {
      params: { ticketId: ticket.ticketId },
      body: { content, visibility, ...(author === undefined ? {} : { authorDisplayName: author }) },
    })
    context.log(plannedText(request))
    context.footnote('Nothing was sent.')
    return { ...result, request }
  }
  if (flags.public) {
    const to = oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')
    const shown = `To ${to} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n`
    await confirmPublic(context, shown, `Send this to ${to}`, flags.yes)
  }
  const comment = { content, visibility, authorDisplayName: author, key } as const
  const before = countAlike(ticket, comment)
  const { commentId } = await sendOnce({
    flag: '--key',
    key,
    send: async () => (await ticketsApi.comment(ticket.ticketId, comment)).answer,
    look: async () => findComment(await ticketsApi.read(ticket.ticketId), comment, key, before),
    note: (text) => context.note(text),
  })
  context.log(`Commented on ${nameOfTicket(ticket)}${flags.public ? '; the customer is notified' : ''}.`)
  return { ...result, commentId }
}
