import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import { plannedSchema } from '../../src/cli/outcome/dry-run.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { wholeTicketFields } from '../../src/cli/topics/tickets/view.ts'

export default class TicketsCreate extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'Create a ticket'
  static override description =
    'Pass field values as CODE=VALUE; they are converted to the types of the form if the form can be read. After an unknown outcome, run the command again with the --key it prints: instances that support idempotency keys create no second ticket.'
  static override examples = [
    'countroom tickets create "Deposit is missing" --account amy --priority high --field txnId=cashier-1001',
    {
      command: 'countroom tickets create "Long story" --description - < story.txt',
      description: 'Read the description from stdin',
    },
  ]
  static override exits = ['permission', 'not-found', 'conflict', 'temporary'] as const
  static override writes = true
  static override args = { title: Args.string({ required: true, description: 'Title in one line' }) }
  static override flags = {
    description: Flags.string({ summary: 'Description, or - for stdin', helpValue: 'TEXT|-' }),
    form: Flags.string({ summary: 'Form (default: the default form of the merchant)', helpValue: 'CODE' }),
    account: Flags.string({ summary: 'Customer account', helpValue: 'NAME' }),
    name: Flags.string({ summary: 'Customer name', helpValue: 'NAME' }),
    language: Flags.string({ summary: 'Language tag of the customer', helpValue: 'TAG' }),
    priority: Flags.string({ summary: 'Priority: low, normal, high or urgent', helpValue: 'PRIORITY' }),
    field: Flags.string({
      summary: 'Field value (repeatable)',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'CODE=VALUE',
    }),
    key: Flags.string({ summary: 'Idempotency key; a key creates one ticket only', helpValue: 'ID' }),
    ...dryRunFlag,
  }
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const fields = wholeTicketFields(shapes)
    return Type.Object({
      ticket: Type.Union([Type.Object(fields), Type.Null()], { description: 'Null in a dry run.' }),
      key: Type.String(),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsCreate)
    const { createTicket } = await import('../../src/cli/topics/tickets/create-ticket.ts')
    return createTicket(this, args.title, flags)
  }
}
