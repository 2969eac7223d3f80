import type { Result } from './cli.ts'
import { commandOf, isTopic, mistakesIn } from './command-line.ts'

/** Words in capitals that stand for a value in help. In a command to paste they are placeholders. */
export const placeholders = new Set(
  (
    'ADDRESS AGENT AMOUNT BATCH BREAK BY CODE COIN COMMAND CSV CURRENCY DATE DAY DIR EMAIL FILE FOLDER ID IDS ISO KEY KIND LEDGER LIST ' +
    'MACRO METHOD N NAME NETWORK NEW NEW_DIR NUMBER OUT PATH PAYMENT PERIOD PLAN PLAYER PROFILE REASON ROOM ROUND SLIP STATUS SUBJECT ' +
    'TABLE TENANT TERMS TEXT TICKET TIME TXN TXNID TYPE URL USER USERNAME VALUE WORD ZONE'
  ).split(' '),
)

type Printed = Pick<Result, 'stdout' | 'stderr'>

/** Returns the result of a run. Throws if it printed a command that cannot be pasted. */
export function expectPasteable<R extends Printed>(args: readonly string[], result: R): R {
  const mistakes = printedMistakes(args, result)
  if (mistakes.length === 0) return result
  throw new Error(`countroom ${args.join(' ')} printed commands that cannot be pasted:\n${mistakes.join('\n')}`)
}

/**
 * Returns the errors of the commands that a run printed for its reader to paste. Help and scripts are skipped, because
 * they describe commands and their placeholders.
 */
export function printedMistakes(args: readonly string[], { stdout, stderr }: Printed): string[] {
  const isAboutCommands = ['help', 'completion', 'schema', '__complete'].includes(args[0] ?? '')
  if (isAboutCommands || args.includes('--help') || args.includes('-h')) return []
  // A full screen has texts that are cut at its edge.
  if (stdout.includes(`${esc}[?1049h`)) return []
  if (!stdout.includes('countroom ') && !stderr.includes('countroom ')) return []
  const lines = [stdout, stderr].flatMap((text) => textsIn(text).flatMap((part) => part.split('\n')))
  return [
    ...new Set(lines.filter((line) => line.includes('countroom ') && !/^Usage: /.test(line)).flatMap(mistakesOfLine)),
  ]
}

/** Returns the texts of a JSON output, or the output itself. */
function textsIn(output: string): string[] {
  if (!/^\s*[[{]/.test(output)) return [output]
  try {
    return stringsIn(JSON.parse(output))
  } catch {
    return output.split('\n').flatMap((line) => {
      try {
        return stringsIn(JSON.parse(line))
      } catch {
        return [line]
      }
    })
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : []
}

const esc = String.fromCharCode(27)
const escapes = new RegExp(`${esc}\\[[0-9;?]*[A-Za-z]`, 'g')

function mistakesOfLine(text: string): string[] {
  const line = text.replaceAll(escapes, '').replaceAll('\r', '')
  return [...line.matchAll(/(?<![\w/.@-])countroom (?=[a-z])/g)].flatMap(({ index }) => {
    const words = wordsAt(line, index)
    if (words === undefined) return [`${line.slice(index)}: its quotes are not closed`]
    const typed = words.slice(1)
    // Prose: "countroom cannot …".
    if (commandOf(typed) === undefined && !isTopic(typed.slice(0, 1)) && !/(?:^|[:"`>|] ?)$/.test(line.slice(0, index)))
      return []
    const left = typed.filter(
      (word) => placeholders.has(word.replace(/^--?[\w-]+=/, '')) || /…|\.\.\.|^<.*>$|^\[.*\]$/.test(word),
    )
    const mistakes = [...mistakesIn(typed, true), ...left.map((word) => `${word} is a placeholder`)]
    return mistakes.length === 0 ? [] : [`${mistakes.join('; ')}\n  in: ${line.slice(0, 400)}`]
  })
}

/** Returns the words of the command at a place of a line, as a shell reads them; undefined if a quote is not closed. */
function wordsAt(line: string, start: number): string[] | undefined {
  const closing = /["`]/.test(line[start - 1] ?? '') ? line[start - 1] : undefined
  const words: string[] = []
  let word: string | undefined
  for (let at = start; at < line.length; at++) {
    const char = line[at] ?? ''
    const next = line[at + 1]
    if (char === closing) break
    if (char === "'" || char === '"') {
      const end = line.indexOf(char, at + 1)
      if (end === -1) return undefined
      word = (word ?? '') + line.slice(at + 1, end)
      at = end
    } else if (char === '\\' && next !== undefined) {
      word = (word ?? '') + next
      at++
    } else if (char === ' ') {
      if (word !== undefined) words.push(word)
      word = undefined
      if (next === ' ') break
    } else if (/[|&;()<>#]/.test(char) || (/[,.:?]/.test(char) && (next === undefined || next === ' '))) break
    else word = (word ?? '') + char
  }
  if (word !== undefined) words.push(word)
  return words
}
