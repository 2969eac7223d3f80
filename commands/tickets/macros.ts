import { CountroomCommand } from '../../src/cli/framework/command.ts'
import { Args, chatFlags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { ticketFlag } from '../../src/cli/topics/chat/ids.ts'
import { variablesFor } from '../../src/cli/topics/chat/macro-variables.ts'
import {
  macrosHelp,
  readPhrasebook,
  saidText,
  textFlags,
  unfilledText,
} from '../../src/cli/topics/chat/outgoing-text.ts'
import { fillMacro, type Macro, variablesOf } from '../../src/domain/tickets/macro.ts'
import { guard } from '../../src/domain/tickets/outgoing/guard.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class TicketsMacros extends CountroomCommand {
  static override baseFlags = chatFlags
  static override summary = 'List macros, or preview a macro for a ticket'
  static override description =
    'All errors of the macro file are listed, with their lines. A text can use {{customerDisplayName}}, {{ticketNumber}}, {{createdAt | date(DD.MM.YYYY)}} and other ticket data, and form fields as {{field.CODE}}. After | comes a type, with its format in brackets: text, integer, decimal(PLACES), boolean(YES/NO), date(PATTERN), datetime(PATTERN), list(SEPARATOR), label. An empty value or another type is an error. With --ticket, each language of the macro is filled in, and the one of the customer is marked. Nothing is sent.'
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
    const book = await readPhrasebook(this.settings.paths, flags.macros)
    const macros = args.macro === undefined ? book.macros : [await this.#named(args.macro, book)]
    const ticket = flags.ticket === undefined ? undefined : await this.#ticket(flags.ticket)
    const rows = macros.flatMap((macro) =>
      Object.keys(macro.texts).map((language) => {
        const row = { macro: macro.name, language, variables: variablesOf(only(macro, language)) }
        if (ticket === undefined) return { ...row, used: null, text: null, fault: null, guard: [] }
        const filled = fillMacro(only(macro, language), language, ticket.variables)
        const mine = fillMacro(macro, ticket.language, ticket.variables)
        const used = 'language' in mine && mine.language === language.toLowerCase()
        const isFilled = 'text' in filled
        return {
          ...row,
          used,
          text: isFilled ? filled.text : null,
          fault: isFilled ? null : unfilledText(filled, book.file),
          guard: isFilled ? [...new Set(guard(filled.text, book.internalWords).map(({ rule }) => rule))] : [],
        }
      }),
    )
    this.table(
      rows.map((row) => ({ ...row, text: row.text ?? row.fault, mine: row.used ? 'yes' : '' })),
      ticket === undefined
        ? ['macro', 'language', 'variables']
        : [
            'macro',
            'language',
            { key: 'mine', title: 'sent' },
            'text',
            { key: 'guard', title: 'rejected by', tint: () => 'red' },
          ],
      book.file === null
        ? 'No macros. Create macros.yaml in the settings folder (see countroom help files).'
        : 'No macros.',
    )
    if (book.file !== null) this.footnote(`Macros from ${book.file}. Nothing was sent.`)
    return { macros: rows, file: book.file }
  }

  async #named(name: string, book: { macros: readonly Macro[] }): Promise<Macro> {
    const said = await saidText(`@${name.replace(/^@/, '')}`, { ...book, internalWords: [], file: null })
    if ('macro' in said) return said.macro
    throw new Problem('INVALID_USAGE', `${name} is not a macro name`, { macro: name })
  }

  async #ticket(said: string) {
    const ticketsApi = await this.services.tickets()
    const ticket = await ticketsApi.read(said)
    const form = ticket.formCode === null ? undefined : await ticketsApi.form(ticket.formCode)
    return { variables: variablesFor(ticket, form), language: ticket.customerLanguage }
  }
}

/** Returns the macro with one of its languages only. */
const only = ({ name, texts }: Macro, language: string): Macro => ({
  name,
  texts: { [language]: texts[language] ?? [] },
})
