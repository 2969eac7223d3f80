import { isBreakId } from '../../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../../kit/problem.ts'
import { Args } from '../../../framework/flags.ts'

/** Arguments of commands that change one or more breaks. */
export const breaksArg = {
  break: Args.string({ description: 'Break IDs, or unique prefixes of them', required: true, multiple: true }),
}

/** Validates the typed IDs of breaks. */
export function breakIds(names: readonly string[]): string[] {
  const wrong = names.filter((name) => !isBreakId(name.toLowerCase()))
  if (wrong.length > 0)
    throw new Problem(
      'INVALID_PARAMETER',
      `Not a break ID: ${wrong.map((name) => JSON.stringify(name.slice(0, 40))).join(', ')}. An ID looks like daily-3fa91c07be; its first characters are enough`,
      { wrong, remoteCode: null },
    )
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

/** Validates a note. */
export function checkedNote(text: string | undefined): string | null {
  if (text === undefined) return null
  if (text.trim() !== '' && text.length <= 2000) return text
  throw new Problem('INVALID_USAGE', 'A note must have 1 to 2,000 characters')
}
