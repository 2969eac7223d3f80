import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ticketArg } from '../../src/cli/topics/chat/ids.ts'
import { macrosHelp, textFlags } from '../../src/cli/topics/chat/text-flags.ts'

export default class TicketsComment extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Comment on a ticket, internally or with --public for the customer'
  static override description = [
    '@MACRO fills in a macro from the ticket, in the language of the customer; - reads stdin. If the response is lost, the ticket is looked up; if the outcome stays unknown, run the command again with the --key it prints.',
    'A public comment is shown and confirmed first. Text that looks internal (placeholders, mentions, keys, card numbers, internal words) is rejected unless you pass --allow-guard, with or without --yes. On a terminal, any key within 5 seconds cancels it; with --yes it is sent at once.',
  ].join('\n\n')
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
    const { addComment } = await import('../../src/cli/topics/tickets/add-comment.ts')
    return addComment(this, args, flags)
  }
}
