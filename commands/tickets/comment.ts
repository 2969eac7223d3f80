import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { oneLine } from '../../src/cli/terminal/text.ts'
import { actorName } from '../../src/cli/topics/chat/actor-name.ts'
import { plannedTicketCall } from '../../src/cli/topics/chat/arguments.ts'
import { confirmPublic } from '../../src/cli/topics/chat/confirm-public.ts'
import { sayOnce } from '../../src/cli/topics/chat/idempotent-send.ts'
import { ticketArg } from '../../src/cli/topics/chat/ids.ts'
import {
  macrosHelp,
  readPhrasebook,
  refuseGuarded,
  saidText,
  textFlags,
  textFor,
} from '../../src/cli/topics/chat/outgoing-text.ts'
import { nameOfTicket } from '../../src/cli/topics/tickets/view.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class TicketsComment extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Comment on a ticket, internally or with --public for the customer'
  static override description =
    '@MACRO fills in a macro from the ticket, in the language of the customer; - reads stdin. A public comment is shown and confirmed first. Text that looks internal (placeholders, mentions, keys, card numbers, internal words) is rejected unless you pass --allow-guard, with or without --yes. On a terminal, any key within 5 seconds cancels it; with --yes it is sent at once. If the response is lost, the ticket is looked up; if the outcome stays unknown, run the command again with the --key it prints.'
  static override examples = [
    'countroom tickets comment 1 "Asked the bank about the transfer"',
    {
      command: 'countroom tickets comment 1 "Your money has arrived." --public --yes',
      description: 'Comment from a script',
    },
  ]
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override files = [macrosHelp]
  static override writes = true
  static override args = {
    ...ticketArg,
    text: Args.string({ required: true, description: 'Text, @MACRO, or - for stdin' }),
  }
  static override flags = {
    ...textFlags,
    author: Flags.string({ summary: 'Name of the author (default: the agent of the profile)', helpValue: 'NAME' }),
    key: Flags.string({ summary: 'Idempotency key; a key creates one comment only', helpValue: 'ID' }),
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ticketId: Type.String(),
      commentId: text,
      content: Type.String(),
      visibility: Type.Enum(['internal', 'public']),
      key: Type.String(),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsComment)
    const book = await readPhrasebook(this.settings.paths, flags.macros)
    const said = await saidText(args.text, book)
    const key = flags.key ?? realAmbient().id()
    const visibility = flags.public ? 'public' : 'internal'
    const ticketsApi = await this.services.tickets()
    const ticket = await ticketsApi.read(args.ticket)
    const content = await textFor(said, ticket, ticketsApi, book.file)
    if (content.trim() === '') throw new Problem('INVALID_USAGE', 'The comment is empty')
    if (flags.public) refuseGuarded(content, book, flags['allow-guard'] ?? [])
    const author = await actorName(this, flags.author)
    const result = {
      ticketId: ticket.ticketId,
      commentId: null,
      content,
      visibility,
      key,
      dryRun: this.isDryRun,
      request: null,
    }
    if (this.isDryRun) {
      const request = plannedTicketCall('comment', {
        params: { ticketId: ticket.ticketId },
        body: { content, visibility, ...(author === undefined ? {} : { authorDisplayName: author }) },
      })
      this.log(plannedText(request))
      this.footnote('Nothing was sent.')
      return { ...result, request }
    }
    if (flags.public) {
      const to = oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')
      const shown = `To ${to} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n`
      await confirmPublic(this, shown, `Send this to ${to}`, flags.yes)
    }
    const comment = { content, visibility, authorDisplayName: author, key } as const
    const { countAlike, findComment } = await import('../../src/operator/tickets/find-own-comment.ts')
    const before = countAlike(ticket, comment)
    const { commentId } = await sayOnce({
      flag: '--key',
      key,
      send: async () => (await ticketsApi.comment(ticket.ticketId, comment)).answer,
      look: async () => findComment(await ticketsApi.read(ticket.ticketId), comment, key, before),
      note: (text) => this.note(text),
    })
    this.log(`Commented on ${nameOfTicket(ticket)}${flags.public ? '; the customer is notified' : ''}.`)
    return { ...result, commentId }
  }
}
