import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Filled, fillMacro, type GapFault, type Macro, variablesOf } from '../../../domain/tickets/macro.ts'
import { forbidden, type GuardHit, type GuardRule, guard, guardRules } from '../../../domain/tickets/outgoing/guard.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Paths } from '../../../world/config/config.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { Flags } from '../../framework/flags.ts'
import type { Keyboard } from '../../terminal/keyboard.ts'
import { readInput } from '../../terminal/read-input.ts'
import { type FormFields, type TextSubject, variablesFor } from './macro-variables.ts'

/** Texts for customers: typed, from a macro or from a file, and checked before they are sent. */

export const textFlags = {
  public: Flags.boolean({ summary: 'Show it to the customer too (default: internal)' }),
  macros: Flags.string({
    summary: 'File with macros and internal words (default: macros.yaml in the settings folder)',
    helpValue: 'FILE',
  }),
  'allow-guard': Flags.string({
    summary: 'Check to skip for a public text (repeatable)',
    options: [...guardRules],
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** Macros, and words that must not be sent to customers. */
export interface Phrasebook {
  readonly macros: readonly Macro[]
  readonly internalWords: readonly string[]
  /** Path of the file; null if there is none. */
  readonly file: string | null
}

/** Default files, of which only one may exist. */
const usualFiles = ['macros.yaml', 'macros.yml', 'macros.json']

/** Description of the file for the help. */
export const macrosHelp =
  'macros.yaml in the settings folder (or .yml, .json), with macros: { NAME: { default: TEXT, TAG: TEXT } } and internalWords: []. A text can use variables such as {{customerDisplayName}} and {{field.CODE}}, with an optional type and format: {{field.amount | decimal(2)}}. To list macros: countroom tickets macros'

/** Reads the named file, or the default one if it exists. */
export async function readPhrasebook(paths: Paths, file: string | undefined): Promise<Phrasebook> {
  const there = usualFiles.map((name) => join(paths.config, name)).filter((path) => existsSync(path))
  if (file === undefined && there.length > 1)
    throw new Problem('INVALID_FILE', `Only one of these files may exist: ${there.join(', ')}`, { files: there })
  const path = file ?? there[0]
  if (path === undefined) return { macros: [], internalWords: [], file: null }
  const text = readFileSync(path, 'utf8')
  const { macrosFrom } = await import('./macro-file.ts')
  return { ...(await macrosFrom(text, path)), file: path }
}

/** Parses a text argument: the text itself, `-` for stdin, or `@NAME` for a macro. `@@` escapes an @. */
export type Said = { readonly text: string } | { readonly macro: Macro }

export async function saidText(said: string, book: Phrasebook): Promise<Said> {
  if (said === '-') return { text: (await readInput('-')).trimEnd() }
  if (!said.startsWith('@')) return { text: said }
  if (said.startsWith('@@')) return { text: said.slice(1) }
  const name = said.slice(1)
  const macro = book.macros.find((each) => each.name === name)
  if (macro) return { macro }
  const names = book.macros.map((each) => each.name)
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
export async function textFor(said: Said, ticket: TextSubject, forms: Forms, file: string | null): Promise<string> {
  if ('text' in said) return said.text
  const { macro } = said
  const asksForFields = variablesOf(macro).some((name) => name.startsWith('field.'))
  const form = asksForFields && ticket.formCode !== null ? await forms.form(ticket.formCode) : undefined
  const filled = fillMacro(macro, ticket.customerLanguage, variablesFor(ticket, form))
  if ('text' in filled) return filled.text
  throw new Problem('INVALID_USAGE', `Cannot fill macro @${macro.name}: ${unfilledText(filled, file)}`, {
    macro: macro.name,
    ticketId: ticket.ticketId,
    ...filled,
    ...('faults' in filled ? { missing: missingOf(filled.faults) } : {}),
  })
}

const missingOf = (faults: readonly GapFault[]) =>
  faults.filter(({ why }) => why === 'missing').map(({ variable }) => variable)

/** Explains why a macro cannot be filled, with the variable and its line. */
export function unfilledText(filled: Exclude<Filled, { text: string }>, file: string | null): string {
  if ('untranslated' in filled) return `it has no text in ${filled.untranslated} and no default`
  const where = (line: number | null) => (line === null || file === null ? '' : ` (${file} line ${line})`)
  return filled.faults.map(({ variable, line, text }) => `{{${variable}}} ${text}${where(line)}`).join('; ')
}

/**
 * Asks about a text that failed a check: it is sent only if the user types the name of every failed check. A single key is
 * not enough.
 */
export async function letPass(
  text: string,
  book: Phrasebook,
  { say, keyboard }: { readonly say: (text: string) => void; readonly keyboard: Pick<Keyboard, 'line'> },
): Promise<boolean> {
  const hits = guard(text, book.internalWords)
  if (hits.length === 0) return true
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  say(`This text failed the checks for public texts: ${hitsText(hits)}.`)
  const typed = await keyboard.line(`To send it anyway, type ${rules.join(' ')} (Enter cancels):`)
  return [...new Set((typed ?? '').split(/[\s,]+/).filter(Boolean))].sort().join(' ') === rules.toSorted().join(' ')
}

const hitsText = (hits: readonly GuardHit[]): string =>
  hits
    .map(({ rule, found, what }) => `${rule} (${what === null ? '' : `${what}: `}${JSON.stringify(found)})`)
    .join(', ')

/** Rejects a public text that fails a check. `--yes` alone does not skip checks. */
export function refuseGuarded(text: string, book: Phrasebook, allowed: readonly string[], about = ''): void {
  const hits = forbidden(guard(text, book.internalWords), allowed as GuardRule[])
  if (hits.length === 0) return
  const told = hitsText(hits)
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  throw new Problem(
    'GUARDED',
    `${about}This text failed the checks for public texts: ${told}. To send it anyway: ${rules.map((rule) => `--allow-guard ${rule}`).join(' ')}`,
    { hits, rules },
  )
}
