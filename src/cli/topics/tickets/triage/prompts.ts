import type { Keyboard } from '../../../terminal/keyboard.ts'
import { oneLine } from '../../../terminal/text.ts'

/** What the decisions of triage ask and answer alike. */

/** What a key came to: the ticket is done with, something was done and it stays, it was changed by others, or nothing. */
export type Decided = 'done-with' | 'stay' | 'look-again' | 'nothing'

type Say = (text: string) => void

/** One of several by its number: a key where nine do, a line where there are more. */
export async function choice(
  { say, keyboard }: { readonly say: Say; readonly keyboard: Keyboard },
  name: string,
  options: readonly string[],
): Promise<number | undefined> {
  say(`${name}: ${options.map((option, i) => `${i + 1} ${oneLine(option)}`).join('  ')}`)
  const key = options.length < 10 ? await keyboard.key() : await keyboard.line('Number:')
  const index = /^[1-9]\d?$/.test(key ?? '') ? Number(key) - 1 : -1
  return index >= 0 && index < options.length ? index : undefined
}

export function nothing(say: Say): 'nothing' {
  say('Nothing was done.')
  return 'nothing'
}

export function notHere(say: Say): 'nothing' {
  say('That is on the agents’ side: the profile has no agentToken in its chat section.')
  return 'nothing'
}
