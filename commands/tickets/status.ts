import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dangerFlags, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ticketArg } from '../../src/cli/topics/chat/ids.ts'
import { macrosHelp, textFlags } from '../../src/cli/topics/chat/text-flags.ts'

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
  static override completes = { status: 'statuses' }
  static override args = {
    ...ticketArg,
    status: Args.string({ required: true, description: 'New status code' }),
  }
  static override flags = {
    actor: Flags.string({ summary: 'Name of the actor (default: the agent of the profile)', helpValue: 'NAME' }),
    comment: Flags.string({ summary: 'Comment to add: text, @MACRO, or - for stdin', helpValue: 'TEXT|-' }),
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
    const { changeStatus } = await import('../../src/cli/topics/tickets/change-status.ts')
    return changeStatus(this, args, flags)
  }
}
