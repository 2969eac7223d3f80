import { Args, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import { oneLine } from '../../src/cli/terminal/text.ts'
import { ChatCommand, plannedTicketCall } from '../../src/cli/topics/chat/command.ts'
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

export default class TicketsComment extends ChatCommand {
  static override summary = 'Comment on a ticket: for the house, or with --public for the customer too'
  static override description =
    'A text that begins with @ names a macro of the macros file, filled in from the ticket in the customer’s language; - reads stdin. A public text is shown as the customer will get it and asked about; one that looks as if it were not meant for customers (placeholders, mentions, keys, card numbers, internal words) is kept back unless --allow-guard says otherwise, --yes or not. On a terminal it can be taken back for five seconds after the answer, by any key; with --yes it goes at once. Where no answer comes the ticket is looked at; what cannot be found out is repeated with the --key that is named.'
  static override examples = [
    'countroom tickets comment 1 "The transfer is in the book: asked the bank"',
    { command: 'countroom tickets comment 1 "Your money has arrived." --public --yes', description: 'In a script' },
  ]
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override files = [macrosHelp]
  static override writes = true
  static override args = {
    ...ticketArg,
    text: Args.string({ required: true, description: 'The text, @MACRO, or - for stdin' }),
  }
  static override flags = {
    ...textFlags,
    author: Flags.string({ summary: 'In whose name; the agent’s own without', helpValue: 'NAME' }),
    key: Flags.string({ summary: 'The same key again writes no second comment', helpValue: 'ID' }),
    ...dangerFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      ticketId: Type.String(),
      commentId: text,
      content: Type.String(),
      visibility: Type.Enum(['internal', 'public']),
      key: Type.String(),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsComment)
    const book = await readPhrasebook(this.settings.paths, flags.macros)
    const said = await saidText(args.text, book)
    const key = flags.key ?? realAmbient().id()
    const visibility = flags.public ? 'public' : 'internal'
    const desk = await this.desk()
    const ticket = await desk.read(args.ticket)
    const content = await textFor(said, ticket, desk, book.file)
    if (content.trim() === '') throw new Problem('INVALID_USAGE', 'The comment has no text')
    if (flags.public) refuseGuarded(content, book, flags['allow-guard'] ?? [])
    const author = await this.actorName(flags.author)
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
      await this.confirmPublic(shown, `Send this to ${to}`, flags.yes)
    }
    const comment = { content, visibility, authorDisplayName: author, key } as const
    const { countAlike, findComment } = await import('../../src/operator/tickets/find-own-comment.ts')
    const before = countAlike(ticket, comment)
    const { commentId } = await sayOnce({
      flag: '--key',
      key,
      send: async () => (await desk.comment(ticket.ticketId, comment)).answer,
      look: async () => findComment(await desk.read(ticket.ticketId), comment, key, before),
      note: (text) => this.note(text),
    })
    this.log(`Commented on ${nameOfTicket(ticket)}${flags.public ? '; the customer was told' : ''}.`)
    return { ...result, commentId }
  }
}
