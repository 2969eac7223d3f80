import { noAgentToken } from '../../../../operator/tickets/no-agent.ts'
import type { Keyboard } from '../../../terminal/keyboard.ts'
import { oneLine } from '../../../terminal/text.ts'

/** Shared questions and messages of triage decisions. */

/** Result of a key: the ticket is finished, it stays, others changed it, or nothing was done. */
export type PromptResult = 'done-with' | 'stay' | 'look-again' | 'nothing'

type Print = (text: string) => void

/** Asks for one of several options: a key for up to nine, else a typed number. */
export async function choice(
  { print, keyboard }: { readonly print: Print; readonly keyboard: Keyboard },
  name: string,
  options: readonly string[],
): Promise<number | undefined> {
  print(`${name}: ${options.map((option, i) => `${i + 1} ${oneLine(option)}`).join('  ')}`)
  const key = options.length < 10 ? await keyboard.key() : await keyboard.line('Number:')
  const index = /^[1-9]\d?$/.test(key ?? '') ? Number(key) - 1 : -1
  return index >= 0 && index < options.length ? index : undefined
}

export function nothing(print: Print): 'nothing' {
  print('Nothing was done.')
  return 'nothing'
}

export function notHere(print: Print): 'nothing' {
  print(`This needs the agent API, but ${noAgentToken}.`)
  return 'nothing'
}
