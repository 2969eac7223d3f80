import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ticketFlag } from '../../src/cli/topics/chat/ids.ts'
import { macrosHelp, textFlags } from '../../src/cli/topics/chat/text-flags.ts'

export default class TicketsMacros extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List macros, or preview a macro for a ticket'
  static override description = [
    'Macros and internal words are in macros.yaml (or .yml, .json) in the settings folder: macros: { NAME: { default: TEXT, TAG: TEXT } }, with one text per language tag, and internalWords: [].',
    'A text can use {{customerDisplayName}}, {{ticketNumber}}, {{createdAt | date(DD.MM.YYYY)}} and other ticket data, and form fields as {{field.CODE}}. After | comes a type, with its format in parentheses: text, integer, decimal(PLACES), boolean(YES/NO), date(PATTERN), datetime(PATTERN), list(SEPARATOR), label. An empty value or another type is an error.',
    'With --ticket, each language of the macro is filled in, and the one of the customer is marked. Nothing is sent. All errors of the macro file are listed, with their lines.',
  ].join('\n\n')
  static override examples = [
    'countroom tickets macros',
    { command: 'countroom tickets macros arrived --ticket 1', description: 'Preview for the customer of a ticket' },
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override files = [macrosHelp]
  static override completes = { macros: 'files' }
  static override args = { macro: Args.string({ description: 'Macro name (default: all)' }) }
  static override flags = {
    ticket: ticketFlag('Ticket to fill in from: number or ID'),
    macros: textFlags.macros,
    ...listFlags,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      macros: Type.Array(
        Type.Object({
          macro: Type.String(),
          language: Type.String(),
          used: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'True if this customer would get it. Null without --ticket.',
          }),
          variables: Type.Array(Type.String()),
          text: Type.Union([Type.String(), Type.Null()], {
            description: 'Filled-in text with --ticket. Null if it cannot be filled in.',
          }),
          fault: text,
          guard: Type.Array(Type.String(), { description: 'Rules that would reject it as a public text.' }),
        }),
      ),
      file: text,
    })
  }

  override async run() {
    const { args, flags } = await this.parse(TicketsMacros)
    const { listMacros } = await import('../../src/cli/topics/tickets/list-macros.ts')
    return listMacros(this, args.macro, flags)
  }
}
