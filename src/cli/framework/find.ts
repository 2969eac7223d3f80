import { nearest } from '../../kit/nearest.ts'
import { type CommandEntry, type Program, wordsOf } from './manifest.ts'

/** Meaning of the words at the start of a command line. */
export type CommandMatch =
  | { readonly kind: 'command'; readonly command: CommandEntry; readonly argv: readonly string[] }
  | { readonly kind: 'topic'; readonly id: string }
  | { readonly kind: 'unknown'; readonly words: string; readonly near: readonly string[] }

/** Global flags that are also accepted before the command, with their number of values. */
const leading = { '--json': 0, '--quiet': 0, '--verbose': 0, '--no-color': 0, '--profile': 1 } as const

/**
 * Finds the command named by the words: the longest match. Words after a flag or after `--` are never part of it, so that
 * no argument can change which command runs.
 */
export function findCommand(program: Program, argv: readonly string[]): CommandMatch {
  const { ahead, rest } = takeLeading(argv)
  const words = leadingWords(rest)
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    const command = program.commands.find((entry) => entry.id === id)
    if (command !== undefined) return { kind: 'command', command, argv: [...ahead, ...rest.slice(count)] }
    const isTopic = program.commands.some((entry) => entry.id.startsWith(`${id}:`))
    if (isTopic && count === words.length) return { kind: 'topic', id }
    // A known topic with an unknown word after it: suggestions come from the longest known part.
    if (isTopic) break
  }
  const typed = words.slice(0, longestId(program)).join(' ')
  return { kind: 'unknown', words: typed === '' ? (rest[0] ?? '') : typed, near: nearCommands(program, words) }
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

const longestId = (program: Program): number => Math.max(1, ...program.commands.map(({ id }) => id.split(':').length))

/** Returns similar commands: a typing error, or the words in another order. */
function nearCommands(program: Program, words: readonly string[]): string[] {
  const known = program.commands.filter(({ hidden }) => !hidden).map(({ id }) => wordsOf(id))
  const topics = known.map((id) => id.split(' ')[0] ?? id)
  const longest = [3, 2, 1].filter((count) => count <= words.length).map((count) => words.slice(0, count).join(' '))
  const turned = words.slice(0, 2).reverse().join(' ')
  for (const text of [...longest.slice(0, -1), turned, ...longest.slice(-1)]) {
    const hits = nearest(text, [...known, ...topics]).filter((hit) => hit !== text || known.includes(hit))
    if (hits.length > 0) return hits
  }
  return []
}
