import type { Macro } from '../../../domain/tickets/macro.ts'
import { Problem } from '../../../kit/problem.ts'
import { macroPreview } from '../../../operator/tickets/text/macro-preview.ts'
import { variablesFor } from '../../../operator/tickets/text/macro-variables.ts'
import { type Phrasebook, readPhrasebook } from '../../../operator/tickets/text/phrasebook.ts'
import type { CommandContext } from '../../context/context.ts'
import { readTextArgument } from '../chat/outgoing-text.ts'

/** Lists the macros, or previews them for a ticket. */
export async function listMacros(
  context: CommandContext,
  name: string | undefined,
  flags: { readonly ticket?: string | undefined; readonly macros?: string | undefined },
) {
  const book = await readPhrasebook(context.settings.paths.config, flags.macros)
  const macros = name === undefined ? book.macros : [await namedMacro(name, book)]
  const ticket = flags.ticket === undefined ? undefined : await readSubject(context, flags.ticket)
  const rows = macros.flatMap((macro) =>
    Object.keys(macro.texts).map((language) => macroPreview(macro, language, book, ticket)),
  )
  context.table(
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
  if (book.file !== null) context.footnote(`Macros from ${book.file}. Nothing was sent.`)
  return { macros: rows, file: book.file }
}

async function namedMacro(name: string, { macros }: Phrasebook): Promise<Macro> {
  const input = await readTextArgument(`@${name.replace(/^@/, '')}`, { macros, internalWords: [], file: null })
  if ('macro' in input) return input.macro
  throw new Problem('INVALID_USAGE', `${name} is not a macro name`, { macro: name })
}

async function readSubject({ services }: CommandContext, ticketId: string) {
  const ticketsApi = await services.tickets()
  const ticket = await ticketsApi.read(ticketId)
  const form = ticket.formCode === null ? undefined : await ticketsApi.form(ticket.formCode)
  return { variables: variablesFor(ticket, form), language: ticket.customerLanguage }
}
