import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Filled, fillMacro, type Macro, type ReferenceFault, variablesOf } from '../../../domain/tickets/macro.ts'
import { forbidden, type GuardHit, type GuardRule, guard } from '../../../domain/tickets/outgoing/guard.ts'
import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import { macrosFrom } from './macro-file.ts'
import { type FormFields, type TextSubject, variablesFor } from './macro-variables.ts'

/** Texts for customers: plain or from a macro, and checked before they are sent. */

/** Macros, and words that must not be sent to customers. */
export interface Phrases {
  readonly macros: readonly Macro[]
  readonly internalWords: readonly string[]
  /** Path of the file; null if there is none. */
  readonly file: string | null
}

/** Default files, of which only one may exist. */
const defaultFiles = ['macros.yaml', 'macros.yml', 'macros.json']

/** Reads the named file, or the default one of the settings folder if it exists. */
export async function readPhrases(folder: string, file: string | undefined): Promise<Phrases> {
  const there = defaultFiles.map((name) => join(folder, name)).filter((path) => existsSync(path))
  if (file === undefined && there.length > 1)
    throw new Problem('INVALID_FILE', `Only one of these files may exist: ${there.join(', ')}`, { files: there })
  const path = file ?? there[0]
  if (path === undefined) return { macros: [], internalWords: [], file: null }
  const text = readFileSync(path, 'utf8')
  return { ...(await macrosFrom(text, path)), file: path }
}

/** A text for tickets: the text itself, or a macro to fill for each. */
export type TextSource = { readonly text: string } | { readonly macro: Macro }

/** Returns the macro with that name, or throws with the nearest one. */
export function macroNamed(name: string, { macros }: Pick<Phrases, 'macros'>): Macro {
  const macro = macros.find((each) => each.name === name)
  if (macro) return macro
  const names = macros.map((each) => each.name)
  const near = nearest(name, names, 1)[0]
  const hint =
    near !== undefined
      ? `did you mean @${near}?`
      : names.length > 0
        ? `available macros: ${names.join(', ')}`
        : 'there are no macros'
  throw new Problem('INVALID_USAGE', `Macro @${name} not found; ${hint}. For a text that starts with @, write @@`, {
    macro: name,
    nearest: near,
  })
}

/** Loads the types of form fields. */
interface Forms {
  form(formCode: string): Promise<FormFields | undefined>
}

/** Returns the text for one ticket. A macro that cannot be filled completely is rejected. */
export async function textFor(
  source: TextSource,
  ticket: TextSubject,
  forms: Forms,
  file: string | null,
): Promise<string> {
  if ('text' in source) return source.text
  const { macro } = source
  const usesFields = variablesOf(macro).some((name) => name.startsWith('field.'))
  const form = usesFields && ticket.formCode !== null ? await forms.form(ticket.formCode) : undefined
  const filled = fillMacro(macro, ticket.customerLanguage, variablesFor(ticket, form))
  if ('text' in filled) return filled.text
  throw new Problem('INVALID_USAGE', `Cannot fill macro @${macro.name}: ${unfilledText(filled, file)}`, {
    macro: macro.name,
    ticketId: ticket.ticketId,
    ...filled,
    ...('faults' in filled ? { missing: missingOf(filled.faults) } : {}),
  })
}

const missingOf = (faults: readonly ReferenceFault[]) =>
  faults.filter(({ why }) => why === 'missing').map(({ variable }) => variable)

/** Explains why a macro cannot be filled, with the variable and its line. */
export function unfilledText(filled: Exclude<Filled, { text: string }>, file: string | null): string {
  if ('untranslated' in filled) return `it has no text in ${filled.untranslated} and no default`
  const location = (line: number | null) => (line === null || file === null ? '' : ` (${file} line ${line})`)
  return filled.faults.map(({ variable, line, text }) => `{{${variable}}} ${text}${location(line)}`).join('; ')
}

/** Lists the checks that a text failed. */
export const hitsText = (hits: readonly GuardHit[]): string =>
  hits
    .map(({ rule, found, what }) => `${rule} (${what === null ? '' : `${what}: `}${JSON.stringify(found)})`)
    .join(', ')

/** Rejects a public text that fails a check. `--yes` alone does not skip checks. */
export function refuseGuarded(text: string, phrases: Phrases, allowed: readonly string[], about = ''): void {
  const hits = forbidden(guard(text, phrases.internalWords), allowed as GuardRule[])
  if (hits.length === 0) return
  const summary = hitsText(hits)
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  throw new Problem(
    'GUARDED',
    `${about}This text failed the checks for public texts: ${summary}. To send it anyway: ${rules.map((rule) => `--allow-guard ${rule}`).join(' ')}`,
    { hits, rules },
  )
}
