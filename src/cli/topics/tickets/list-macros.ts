import type { Macro } from '../../../domain/tickets/macro.ts'
import { Problem } from '../../../kit/problem.ts'
import { macroPreview } from '../../../operator/tickets/text/macro-preview.ts'
import { variablesFor } from '../../../operator/tickets/text/macro-variables.ts'
import { type Phrases, readPhrases } from '../../../operator/tickets/text/phrases.ts'
import type { CommandContext } from '../../context/context.ts'
import { readTextArgument } from '../chat/outgoing-text.ts'

/** Lists the macros, or previews them for a ticket. */
export async function listMacros(
  context: CommandContext,
  name: string | undefined,
  flags: { readonly ticket?: string | undefined; readonly macros?: string | undefined },
) {
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  const macros = name === undefined ? phrases.macros : [await namedMacro(name, phrases)]
  const ticket = flags.ticket === undefined ? undefined : await readSubject(context, flags.ticket)
  const rows = macros.flatMap((macro) =>
    Object.keys(macro.texts).map((language) => macroPreview(macro, language, phrases, ticket)),
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
    phrases.file === null
      ? 'No macros. Create macros.yaml in the settings folder (see countroom help files).'
      : 'No macros.',
  )
  if (phrases.file !== null) context.footnote(`Macros from ${phrases.file}. Nothing was sent.`)
  return { macros: rows, file: phrases.file }
}

async function namedMacro(name: string, { macros }: Phrases): Promise<Macro> {
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
