import { type ProseTopic, proseTopics } from './help-topics.ts'
import { type CommandEntry, type FlagEntry, type Program, wordsOf } from './manifest.ts'

/** A command that matches a search, with its matching flags. */
export interface SearchHit {
  readonly command: CommandEntry
  readonly flags: readonly FlagEntry[]
}

export interface SearchResult {
  readonly commands: readonly SearchHit[]
  readonly topics: readonly ProseTopic[]
}

/**
 * Searches names, summaries, descriptions, arguments and flags of all commands, ignoring case. Every word of the search
 * must match. Commands whose name matches come first, then those by summary, by flag and by other text.
 */
export function searchHelp(program: Program, search: string): SearchResult {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { commands: [], topics: [] }
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const ranked = program.commands
    .all()
    .filter(({ hidden }) => !hidden)
    .flatMap((command) => {
      const flags = flagsOf(command).filter((flag) => has(flagText(flag)))
      const rank = [
        has(wordsOf(command.id)),
        has(`${wordsOf(command.id)} ${command.summary ?? ''}`),
        flags.length > 0,
        has(textOf(command)),
      ].indexOf(true)
      return rank === -1 ? [] : [{ rank, command, flags }]
    })
  const topics = Object.entries(proseTopics).filter(([name, { summary }]) => has(`${name} ${summary}`))
  return {
    commands: ranked.sort((a, b) => a.rank - b.rank).map(({ command, flags }) => ({ command, flags })),
    topics: topics.map(([name]) => name as ProseTopic),
  }
}

/** Flags of every command would match in each of them, so global flags are left to the help of a command. */
const flagsOf = (command: CommandEntry): FlagEntry[] =>
  Object.values(command.flags).filter(({ hidden, helpGroup }) => !hidden && helpGroup !== 'GLOBAL')

const flagText = ({ name, aliases = [], summary, description, options = [] }: FlagEntry): string =>
  [...[name, ...aliases].map((each) => `--${each}`), summary ?? description ?? '', ...options].join(' ')

const textOf = (command: CommandEntry): string =>
  [
    wordsOf(command.id),
    command.summary ?? '',
    command.description ?? '',
    ...Object.values(command.args).map(({ name, description }) => `${name} ${description ?? ''}`),
    ...flagsOf(command).map(flagText),
  ].join(' ')
