import { guard } from '../../../domain/tickets/outgoing/guard.ts'
import { hitsText, macroNamed, type Phrases, type TextSource } from '../../../operator/tickets/text/phrases.ts'
import type { Keyboard } from '../../terminal/keyboard.ts'
import { readInput } from '../../terminal/read-input.ts'

/** Input of texts for customers. */

/** Parses a text argument: the text itself, `-` for stdin, or `@NAME` for a macro. `@@` escapes an @. */
export async function readTextArgument(argument: string, phrases: Phrases): Promise<TextSource> {
  if (argument === '-') return { text: (await readInput('-')).trimEnd() }
  if (!argument.startsWith('@')) return { text: argument }
  if (argument.startsWith('@@')) return { text: argument.slice(1) }
  return { macro: macroNamed(argument.slice(1), phrases) }
}

/**
 * Asks about a text that failed a check: it is sent only if the user types the name of every failed check. A single key is
 * not enough.
 */
export async function confirmFailedChecks(
  text: string,
  phrases: Phrases,
  { print, keyboard }: { readonly print: (text: string) => void; readonly keyboard: Pick<Keyboard, 'line'> },
): Promise<boolean> {
  const hits = guard(text, phrases.internalWords)
  if (hits.length === 0) return true
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  print(`This text failed the checks for public texts: ${hitsText(hits)}.`)
  const typed = await keyboard.line(`To send it anyway, type ${rules.join(' ')} (Enter cancels):`)
  return [...new Set((typed ?? '').split(/[\s,]+/).filter(Boolean))].sort().join(' ') === rules.toSorted().join(' ')
}
