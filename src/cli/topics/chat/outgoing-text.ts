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

/** Texts that go to customers: written here, from a macro or a file, and looked at before they go. */

export const textFlags = {
  public: Flags.boolean({ summary: 'The customer gets it too; internal otherwise' }),
  macros: Flags.string({
    summary: 'The file of macros and internal words (macros.yaml among the settings)',
    helpValue: 'FILE',
  }),
  'allow-guard': Flags.string({
    summary: 'Let a public text pass although this rule speaks against it',
    options: [...guardRules],
    multiple: true,
    multipleNonGreedy: true,
  }),
}

/** Answers written once, and words that are for the house alone. */
export interface Phrasebook {
  readonly macros: readonly Macro[]
  readonly internalWords: readonly string[]
  /** Where they stand; null where there are none. */
  readonly file: string | null
}

/** The usual files, of which there may be one. */
const usualFiles = ['macros.yaml', 'macros.yml', 'macros.json']

/** What is told of them in the help of a command. */
export const macrosHelp =
  'macros.yaml among the settings (or .yml, .json): macros: { NAME: { default: TEXT, TAG: TEXT } } and internalWords: []. A text has {{customerDisplayName}}, {{field.CODE}} and others in it, with a type and format where wanted: {{field.amount | decimal(2)}}. "countroom tickets macros" shows them'

/** Reads the file that was named, or the usual one where it is there. */
export async function readPhrasebook(paths: Paths, file: string | undefined): Promise<Phrasebook> {
  const there = usualFiles.map((name) => join(paths.config, name)).filter((path) => existsSync(path))
  if (file === undefined && there.length > 1)
    throw new Problem('INVALID_FILE', `There are ${there.join(' and ')}: keep one of them`, { files: there })
  const path = file ?? there[0]
  if (path === undefined) return { macros: [], internalWords: [], file: null }
  const text = readFileSync(path, 'utf8')
  const { macrosFrom } = await import('./macro-file.ts')
  return { ...(await macrosFrom(text, path)), file: path }
}

/** A text that was said: itself, `-` for stdin, or `@NAME` for a macro; `@@` begins a text with an @. */
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
        ? `there are ${names.join(', ')}`
        : 'there are none'
  throw new Problem('INVALID_USAGE', `There is no macro @${name}; ${hint}. A text that begins with @ is written @@`, {
    macro: name,
    nearest: near,
  })
}

/** Where the type of a form's field is asked for. */
interface Forms {
  form(formCode: string): Promise<FormFields | undefined>
}

/** The text for one ticket; a macro with a gap in it, or with another type in one, is a refusal and not half a sentence. */
export async function textFor(said: Said, ticket: TextSubject, forms: Forms, file: string | null): Promise<string> {
  if ('text' in said) return said.text
  const { macro } = said
  const asksForFields = variablesOf(macro).some((name) => name.startsWith('field.'))
  const form = asksForFields && ticket.formCode !== null ? await forms.form(ticket.formCode) : undefined
  const filled = fillMacro(macro, ticket.customerLanguage, variablesFor(ticket, form))
  if ('text' in filled) return filled.text
  throw new Problem('INVALID_USAGE', `The macro @${macro.name} cannot be filled: ${unfilledText(filled, file)}`, {
    macro: macro.name,
    ticketId: ticket.ticketId,
    ...filled,
    ...('faults' in filled ? { missing: missingOf(filled.faults) } : {}),
  })
}

const missingOf = (faults: readonly GapFault[]) =>
  faults.filter(({ why }) => why === 'missing').map(({ variable }) => variable)

/** Why a macro has no text for a ticket, with the variable and its line. */
export function unfilledText(filled: Exclude<Filled, { text: string }>, file: string | null): string {
  if ('untranslated' in filled) return `it has no text in ${filled.untranslated} and no default`
  const where = (line: number | null) => (line === null || file === null ? '' : ` (${file} line ${line})`)
  return filled.faults.map(({ variable, line, text }) => `{{${variable}}} ${text}${where(line)}`).join('; ')
}

/**
 * Asks whoever sits there about a text that has something in it which must not go out by mistake: it goes when every rule that
 * speaks against it is typed, and by no single key.
 */
export async function letPass(
  text: string,
  book: Phrasebook,
  { say, keyboard }: { readonly say: (text: string) => void; readonly keyboard: Pick<Keyboard, 'line'> },
): Promise<boolean> {
  const hits = guard(text, book.internalWords)
  if (hits.length === 0) return true
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  say(`This text is kept back from the customer: ${hitsText(hits)}.`)
  const typed = await keyboard.line(`To send it all the same type ${rules.join(' ')}; Enter does not:`)
  return [...new Set((typed ?? '').split(/[\s,]+/).filter(Boolean))].sort().join(' ') === rules.toSorted().join(' ')
}

const hitsText = (hits: readonly GuardHit[]): string =>
  hits
    .map(({ rule, found, what }) => `${rule} (${what === null ? '' : `${what}: `}${JSON.stringify(found)})`)
    .join(', ')

/** Refuses a public text that has something in it which must not go out by mistake. `--yes` alone does not let it pass. */
export function refuseGuarded(text: string, book: Phrasebook, allowed: readonly string[], about = ''): void {
  const hits = forbidden(guard(text, book.internalWords), allowed as GuardRule[])
  if (hits.length === 0) return
  const told = hitsText(hits)
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  throw new Problem(
    'GUARDED',
    `${about}This text is kept back from the customer: ${told}. If it is meant so: ${rules.map((rule) => `--allow-guard ${rule}`).join(' ')}`,
    { hits, rules },
  )
}
