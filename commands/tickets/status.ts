import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema, plannedText } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { oneLine } from '../../src/cli/terminal/text.ts'
import { actorName } from '../../src/cli/topics/chat/actor-name.ts'
import { checkedStatus, plannedTicketCall } from '../../src/cli/topics/chat/arguments.ts'
import { confirmPublic } from '../../src/cli/topics/chat/confirm-public.ts'
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

export default class TicketsStatus extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Change the status of a ticket'
  static override description =
    'Takes a status code of the workflow of the form. If the instance does not support reading forms, the codes come from its error response to an invalid code. An unknown code is rejected with the nearest one, and nothing is changed. A comment is added in the same transaction if the instance supports it.'
  static override examples = [
    'countroom tickets status 1 in_progress',
    {
      command: 'countroom tickets status 1 resolved --comment "Paid out" --actor Ann',
      description: 'Add a comment too',
    },
  ]
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary', 'inconclusive'] as const
  static override files = [macrosHelp]
  static override writes = true
  static override args = {
    ...ticketArg,
    status: Args.string({ required: true, description: 'New status code' }),
  }
  static override flags = {
    actor: Flags.string({ summary: 'Name of the actor (default: the agent of the profile)', helpValue: 'NAME' }),
    comment: Flags.string({ summary: 'Comment to add: text, @MACRO, or - for stdin', helpValue: 'TEXT' }),
    ...textFlags,
    ...dangerFlags,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      ticketId: Type.String(),
      previousStatus: Type.String(),
      status: Type.String(),
      changed: Type.Boolean(),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsStatus)
    const book = await readPhrasebook(this.settings.paths, flags.macros)
    const said = flags.comment === undefined ? undefined : await saidText(flags.comment, book)
    const ticketsApi = await this.services.tickets()
    const ticket = await ticketsApi.read(args.ticket)
    const workflow = await ticketsApi.workflowOf(ticket)
    const status = checkedStatus(args.status, workflow.codes)
    const visibility = flags.public ? ('public' as const) : ('internal' as const)
    const content = said === undefined ? undefined : await textFor(said, ticket, ticketsApi, book.file)
    if (content !== undefined && flags.public) refuseGuarded(content, book, flags['allow-guard'] ?? [])
    const actor = await actorName(this, flags.actor)
    const changed = ticket.status !== status
    const { ticketId, status: previousStatus } = ticket
    const result = { ticketId, previousStatus, status, changed, dryRun: this.isDryRun, request: null }
    const comment = content === undefined ? undefined : { content, visibility, key: realAmbient().id() }
    if (this.isDryRun) {
      const request = plannedTicketCall('setStatus', {
        params: { ticketId },
        body: {
          status,
          ...(actor === undefined ? {} : { actorDisplayName: actor }),
          ...(content === undefined ? {} : { comment: { content, visibility } }),
        },
      })
      this.log(plannedText(request))
      this.footnote(`Nothing was sent.${changed ? '' : ` The ticket is already ${status}.`}`)
      return { ...result, request }
    }
    if (content !== undefined && flags.public) {
      const shown = `To the customer (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n`
      await confirmPublic(this, shown, 'Send this to the customer', flags.yes)
    }
    const isWhole = comment !== undefined && workflow.knownBy === 'form'
    if (comment !== undefined && !isWhole) await ticketsApi.comment(ticketId, { ...comment, authorDisplayName: actor })
    await ticketsApi.setStatus(ticketId, {
      status,
      actor,
      version: comment !== undefined && !isWhole ? undefined : ticket.version,
      comment: isWhole ? comment : undefined,
    })
    this.log(
      `${nameOfTicket(ticket)} ${changed ? `changed from ${previousStatus} to ${status}` : `is already ${status}`}.`,
    )
    return result
  }
}
