import { Args, listFlags } from '../../src/cli/framework/flags.ts'
import { ChatCommand } from '../../src/cli/topics/chat/command.ts'
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

export default class TicketsMacros extends ChatCommand {
  static override summary = 'List the macros, or show what one comes to for a ticket, without sending anything'
  static override description =
    'The file is looked through whole: every fault in it is told at once, with its line. A text takes in what the ticket has by {{customerDisplayName}}, {{ticketNumber}}, {{createdAt | date(DD.MM.YYYY)}} and others, and the fields of its form by {{field.CODE}}; behind | stands a type, with how it is to be written in brackets: text, integer, decimal(PLACES), boolean(YES/NO), date(PATTERN), datetime(PATTERN), list(BETWEEN), label. What is empty or of another type is an error and never a gap. With --ticket each language of the macro is shown as it would arrive, the customer’s own marked.'
  static override examples = [
    'countroom tickets macros',
    { command: 'countroom tickets macros arrived --ticket 1', description: 'As this customer would read it' },
  ]
  static override exits = ['permission', 'not-found', 'temporary'] as const
  static override files = [macrosHelp]
  static override completes = { macros: 'files' }
  static override args = { macro: Args.string({ description: 'Only this one' }) }
  static override flags = {
    ticket: ticketFlag('Fill it from this ticket: its number or id'),
    macros: textFlags.macros,
    ...listFlags,
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    return Type.Object({
      macros: Type.Array(
        Type.Object({
          macro: Type.String(),
          language: Type.String(),
          used: Type.Union([Type.Boolean(), Type.Null()], {
            description: 'Whether this customer would get it; null without --ticket',
          }),
          variables: Type.Array(Type.String()),
          text: Type.Union([Type.String(), Type.Null()], {
            description: 'Filled in, with --ticket; null where it cannot be',
          }),
          fault: text,
          guard: Type.Array(Type.String(), { description: 'The rules that would keep it back from a customer' }),
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
      rows.map((row) => ({ ...row, text: row.text ?? row.fault, mine: row.used ? 'this one' : '' })),
      ticket === undefined
        ? ['macro', 'language', 'variables']
        : [
            'macro',
            'language',
            { key: 'mine', title: 'sent' },
            'text',
            { key: 'guard', title: 'kept back by', tint: () => 'red' },
          ],
      book.file === null ? 'There are no macros: put some into macros.yaml among the settings.' : 'No macros.',
    )
    if (book.file !== null) this.footnote(`From ${book.file}. Nothing was sent.`)
    return { macros: rows, file: book.file }
  }

  async #named(name: string, book: { macros: readonly Macro[] }): Promise<Macro> {
    const said = await saidText(`@${name.replace(/^@/, '')}`, { ...book, internalWords: [], file: null })
    if ('macro' in said) return said.macro
    throw new Problem('INVALID_USAGE', `${name} is no name of a macro`, { macro: name })
  }

  async #ticket(said: string) {
    const desk = await this.desk()
    const ticket = await desk.read(said)
    const form = ticket.formCode === null ? undefined : await desk.form(ticket.formCode)
    return { variables: variablesFor(ticket, form), language: ticket.customerLanguage }
  }
}

/** The macro with one of its languages alone. */
const only = ({ name, texts }: Macro, language: string): Macro => ({
  name,
  texts: { [language]: texts[language] ?? [] },
})
