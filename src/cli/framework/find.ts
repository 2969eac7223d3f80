import { editDistance } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import type { CommandEntry, Commands, Program } from './manifest.ts'

/** Meaning of the words at the start of a command line. */
export type CommandMatch =
  | { readonly kind: 'command'; readonly command: CommandEntry; readonly argv: readonly string[] }
  | { readonly kind: 'topic'; readonly id: string }
  | Unknown

/** Words that name no command, with similar commands and the topic that they start with. */
interface Unknown {
  readonly kind: 'unknown'
  readonly words: string
  readonly near: readonly string[]
  readonly topic: string
}

/** Global flags that are also accepted before the command, with their number of values. */
const leading = { '--json': 0, '--quiet': 0, '--verbose': 0, '--no-color': 0, '--profile': 1 } as const

/**
 * Finds the command named by the words: the longest match. Words after a flag or after `--` are never part of it, so that
 * no argument can change which command runs.
 */
export function findCommand({ commands }: Program, argv: readonly string[]): CommandMatch {
  const { ahead, rest } = takeLeading(argv)
  const words = leadingWords(rest)
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    const command = commands.get(id)
    if (command !== undefined) return { kind: 'command', command, argv: [...ahead, ...rest.slice(count)] }
    const isTopic = commands.ids.some((each) => each.startsWith(`${id}:`))
    if (isTopic && count === words.length) return { kind: 'topic', id }
    // A known topic with an unknown word after it: suggestions come from the longest known part.
    if (isTopic) break
  }
  const typed = words.slice(0, longestId(commands)).join(' ')
  return { ...unknownWords(commands, words), words: typed === '' ? (rest[0] ?? '') : typed }
}

/** Describes words that name no command. */
export function unknownWords(commands: Commands, words: readonly string[]): Unknown {
  return {
    kind: 'unknown',
    words: words.join(' '),
    near: nearCommands(commands, words),
    topic: topicAt(commands, words),
  }
}

/** Suggests commands for a typing error and never runs one: a mistyped word must not become a deposit. */
export function unknownCommand({ words, near, topic }: Unknown): Problem {
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((id) => `"${id}"`).join(' or ')}?`
      : `Run "${['countroom help', topic].filter(Boolean).join(' ')}" for a list.`
  return new Problem('UNKNOWN_COMMAND', `Unknown command "${words}". ${hint}`, { nearest: near })
}

function takeLeading(argv: readonly string[]): { ahead: string[]; rest: readonly string[] } {
  let at = 0
  for (let word = argv[at]; word !== undefined; word = argv[at]) {
    const values = Object.hasOwn(leading, word) ? leading[word as keyof typeof leading] : undefined
    if (values === undefined && !word.startsWith('--profile=')) break
    at += 1 + (values ?? 0)
  }
  return { ahead: argv.slice(0, at), rest: argv.slice(at) }
}

function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word) => word.startsWith('-'))
  return end === -1 ? argv : argv.slice(0, end)
}

const longestId = ({ ids }: Commands): number => Math.max(1, ...ids.map((id) => id.split(':').length))

/** Returns the longest topic that the words start with; empty if there is none. */
function topicAt({ ids }: Commands, words: readonly string[]): string {
  const starts = words.map((_, i) => words.slice(0, words.length - i))
  const topic = starts.find((start) => ids.some((id) => id.startsWith(`${start.join(':')}:`)))
  return topic?.join(' ') ?? ''
}

/** Maximum number of suggested commands. */
const maxNear = 3

/** Returns similar commands: a typing error, the words in another order, or a command without its first words. */
function nearCommands(commands: Commands, words: readonly string[]): string[] {
  const known = commands
    .all()
    .filter(({ hidden }) => !hidden)
    .map(({ id }) => id.split(':'))
  const topics = known.map(([topic = '']) => [topic]).filter(([topic]) => topic !== words[0])
  const names = [...known, ...topics].map((name) => ({ name, typed: name }))
  // `payments refund` means `console merchants payments refund`.
  const ends = known.flatMap((name) => name.slice(1, -1).map((_, i) => ({ name, typed: name.slice(i + 1) })))
  const longest = [4, 3, 2, 1].filter((count) => count <= words.length).map((count) => words.slice(0, count))
  for (const typed of [...longest.slice(0, -1), words.slice(0, 2).reverse(), ...longest.slice(-1)]) {
    const measured = [...names, ...ends].flatMap((each) => {
      const edits = editsTo(typed, each.typed)
      return edits === undefined ? [] : [{ name: each.name.join(' '), edits }]
    })
    const least = Math.min(...measured.map(({ edits }) => edits))
    const hits = measured.filter(({ edits }) => edits === least).map(({ name }) => name)
    if (hits.length > 0) return [...new Set(hits)].sort().slice(0, maxNear)
  }
  return []
}

/** Returns the number of edits between words. Undefined if one of them is another word: more than a third of its letters differ. */
function editsTo(typed: readonly string[], known: readonly string[]): number | undefined {
  if (typed.length !== known.length) return undefined
  const edits = typed.map((word, i) => editDistance(word.toLowerCase(), known[i] ?? ''))
  const isTypo = edits.every((count, i) => count <= Math.max(1, Math.floor((typed[i] ?? '').length / 3)))
  return isTypo ? edits.reduce((sum, count) => sum + count, 0) : undefined
}
