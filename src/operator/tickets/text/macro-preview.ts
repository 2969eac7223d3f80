import { fillMacro, type Macro, type Variables, variablesOf } from '../../../domain/tickets/macro.ts'
import { guard } from '../../../domain/tickets/outgoing/guard.ts'
import { type Phrases, unfilledText } from './phrases.ts'

/** Source of a macro's values: the variables of a ticket, and the language of its customer. */
interface MacroSubject {
  readonly variables: Variables
  readonly language: string | null
}

/** Returns one language of a macro; with a ticket, also its text, the reason if it has none, and the checks that it fails. */
export function macroPreview(macro: Macro, language: string, phrases: Phrases, subject: MacroSubject | undefined) {
  const one = inLanguage(macro, language)
  const row = { macro: macro.name, language, variables: variablesOf(one) }
  if (subject === undefined) return { ...row, used: null, text: null, fault: null, guard: [] }
  const filled = fillMacro(one, language, subject.variables)
  const sent = fillMacro(macro, subject.language, subject.variables)
  const used = 'language' in sent && sent.language === language.toLowerCase()
  if (!('text' in filled)) return { ...row, used, text: null, fault: unfilledText(filled, phrases.file), guard: [] }
  const rules = [...new Set(guard(filled.text, phrases.internalWords).map(({ rule }) => rule))]
  return { ...row, used, text: filled.text, fault: null, guard: rules }
}

/** Returns the macro with one of its languages only. */
const inLanguage = ({ name, texts }: Macro, language: string): Macro => ({
  name,
  texts: { [language]: texts[language] ?? [] },
})
