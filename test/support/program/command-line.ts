import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isProseTopic } from '../../../src/cli/framework/help-topics.ts'
import { type CommandEntry, commandsAmong, type Program } from '../../../src/cli/framework/manifest.ts'

/** Every command, as the manifest has it. */
export const commands: readonly CommandEntry[] = Object.values(
  JSON.parse(readFileSync(fileURLToPath(new URL('../../../oclif.manifest.json', import.meta.url)), 'utf8')).commands,
)

/** A program with these commands. */
export const programWith = (entries: readonly CommandEntry[], topics: Program['topics'] = {}): Program => ({
  root: '',
  isFromSource: false,
  package: { name: '', version: '0', oclif: {} },
  commands: commandsAmong(entries),
  topics,
})

/**
 * Compares a command line with the manifest. Returns its errors: an unknown command or flag, a value that is not an
 * option, too many arguments. With `whole`, also a missing required argument or flag.
 */
export function mistakesIn(words: readonly string[], whole: boolean): string[] {
  const command = commandOf(words)
  if (words[0] === 'help') return isHelpTopic(words.slice(1)) ? [] : [`${words.join(' ')}: no such help`]
  if (words.includes('--help')) return command === undefined ? [`unknown command: ${words.join(' ')}`] : []
  if (command === undefined) return isTopic(words) && !whole ? [] : [`unknown command: ${words.join(' ')}`]
  const rest = words.slice(command.id.split(':').length)
  const known = flagsOf(command)
  const mistakes: string[] = []
  const flagsSoFar = new Set<string>()
  let args = 0
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? ''
    if (word === '--') {
      args += rest.length - i - 1
      break
    }
    const [, name, joined] = /^--?([a-z][\w-]*)(?:=(.*))?$/i.exec(word) ?? []
    if (name === undefined) {
      args++
      continue
    }
    const flag = known.get(name)
    if (flag === undefined) {
      mistakes.push(`unknown flag ${word}`)
      continue
    }
    flagsSoFar.add(flag.name)
    if (flag.type === 'boolean') continue
    const value = joined ?? rest[++i]
    if (value === undefined && whole) mistakes.push(`${word} has no value`)
    // In running text a value may be a placeholder such as FILE.
    if (value !== undefined && flag.options && !flag.options.includes(value) && !/^[A-Z]+$/.test(value))
      mistakes.push(`${word} takes no ${value}`)
  }
  const positional = Object.values(command.args)
  const maxPositional = positional.some(({ multiple }) => multiple) ? Number.POSITIVE_INFINITY : positional.length
  if (args > maxPositional) mistakes.push(`${args} arguments instead of ${maxPositional}`)
  if (whole) {
    const needed = positional.filter(({ required }) => required).length
    if (args < needed) mistakes.push(`${args} arguments instead of ${needed}`)
    for (const flag of Object.values(command.flags))
      if (flag.required && !flagsSoFar.has(flag.name)) mistakes.push(`--${flag.name} is missing`)
  }
  return mistakes.map((mistake) => `${words.join(' ')}: ${mistake}`)
}

/** Words after `help`: a command, a topic, or a page of text; in running text also a search or a placeholder. */
const isHelpTopic = (words: readonly string[]): boolean =>
  words.length === 0 ||
  isTopic(words) ||
  commandOf(words)?.id === words.join(':') ||
  isProseTopic(words.join(':')) ||
  words.some((word) => word.startsWith('--search'))

export const isTopic = (words: readonly string[]): boolean =>
  commands.some(({ id }) => id.startsWith(`${words.join(':')}:`)) || words[0] === 'help'

/** Returns the longest command with which the words begin. */
export function commandOf(words: readonly string[]): CommandEntry | undefined {
  return commands
    .filter(({ id }) => id.split(':').every((word, at) => words[at] === word))
    .sort((a, b) => b.id.length - a.id.length)[0]
}

function flagsOf(command: CommandEntry) {
  return new Map(
    Object.values(command.flags).flatMap((flag) =>
      [
        flag.name,
        ...(flag.aliases ?? []),
        ...(flag.char ? [flag.char] : []),
        ...(flag.allowNo ? [`no-${flag.name}`] : []),
      ].map((name) => [name, flag] as const),
    ),
  )
}
