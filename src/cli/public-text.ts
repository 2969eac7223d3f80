import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { forbidden, type GuardRule, guard, guardRules } from '../domain/triage-guard.ts'
import { fillMacro, type Macro } from '../domain/triage-macro.ts'
import { Problem } from '../kit/problem.ts'
import type { Paths } from '../world/config.ts'
import { nearest } from '../world/nearest.ts'
import { Flags } from './flags.ts'
import { readInput } from './input.ts'

/** Texts that go to customers: written here, from a macro or a file, and looked at before they go. */

export const textFlags = {
  public: Flags.boolean({ summary: 'The customer gets it too; internal otherwise' }),
  macros: Flags.string({
    summary: 'The file of macros and internal words (macros.json among the settings)',
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
}

/** Reads the file that was named, or the usual one where it is there. */
export function readPhrasebook(paths: Paths, file: string | undefined): Phrasebook {
  const path = file ?? join(paths.config, 'macros.json')
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (file === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT')
      return { macros: [], internalWords: [] }
    throw error
  }
  return phrasebookFrom(text, path)
}

function phrasebookFrom(text: string, path: string): Phrasebook {
  const unfit = (why: string) => new Problem('INVALID_FILE', `${path}: ${why}`, { file: path })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw unfit('it is not JSON')
  }
  if (!isFields(value)) throw unfit('it is not an object of "macros" and "internalWords"')
  const unknown = Object.keys(value).find((key) => key !== 'macros' && key !== 'internalWords')
  if (unknown !== undefined) throw unfit(`it has an unknown key "${unknown}"; there are macros and internalWords`)
  const { macros = {}, internalWords = [] } = value
  if (!isFields(macros)) throw unfit('"macros" must be an object of names')
  if (!Array.isArray(internalWords) || !internalWords.every((word) => typeof word === 'string'))
    throw unfit('"internalWords" must be a list of words')
  return {
    internalWords,
    macros: Object.entries(macros).map(([name, texts]) => {
      const isTexts = isFields(texts) && Object.values(texts).every((each) => typeof each === 'string')
      if (!isTexts) throw unfit(`the macro "${name}" must be an object of texts by language tag, or "default"`)
      // Every value is a text: that was just looked at.
      return { name, texts: texts as Record<string, string> }
    }),
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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

/** What a macro may ask of a ticket. */
export interface TextSubject {
  readonly ticketId: string
  readonly ticketNumber: number
  readonly title: string
  readonly status: string
  readonly customerAccount: string | null
  readonly customerDisplayName: string | null
  readonly customerLanguage: string | null
  readonly fieldValues: readonly { readonly fieldCode: string; readonly value: unknown }[]
}

/** The text for one ticket; a macro with a gap in it is a refusal and not half a sentence. */
export function textFor(said: Said, ticket: TextSubject): string {
  if ('text' in said) return said.text
  const filled = fillMacro(said.macro, ticket.customerLanguage, variablesFor(ticket))
  if ('text' in filled) return filled.text
  const why =
    'missing' in filled ? `lacks ${filled.missing.join(', ')}` : `has no text in ${filled.untranslated} and no default`
  throw new Problem('INVALID_USAGE', `The macro @${said.macro.name} ${why} for ticket ${ticket.ticketId}`, {
    macro: said.macro.name,
    ticketId: ticket.ticketId,
    ...filled,
  })
}

function variablesFor(ticket: TextSubject): Record<string, string | null> {
  const fields = ticket.fieldValues.map(({ fieldCode, value }) => [
    `field.${fieldCode}`,
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null,
  ])
  return {
    ticketId: ticket.ticketId,
    ticketNumber: ticket.ticketNumber === 0 ? null : String(ticket.ticketNumber),
    title: ticket.title,
    status: ticket.status,
    customerAccount: ticket.customerAccount,
    customerDisplayName: ticket.customerDisplayName,
    customerLanguage: ticket.customerLanguage,
    ...Object.fromEntries(fields),
  }
}

/** Refuses a public text that has something in it which must not go out by mistake. `--yes` alone does not let it pass. */
export function refuseGuarded(text: string, book: Phrasebook, allowed: readonly string[], about = ''): void {
  const hits = forbidden(guard(text, book.internalWords), allowed as GuardRule[])
  if (hits.length === 0) return
  const told = hits.map(({ rule, found }) => `${rule} (${JSON.stringify(found)})`).join(', ')
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  throw new Problem(
    'GUARDED',
    `${about}This text is kept back from the customer: ${told}. If it is meant so: ${rules.map((rule) => `--allow-guard ${rule}`).join(' ')}`,
    { hits, rules },
  )
}
