import { passwordsIn } from '../../db/engines/database-name.ts'
import { Problem } from '../../kit/problem.ts'
import { bookVariable, quoted } from '../../kit/shell-quote.ts'
import type { Config } from '../../world/config/config.ts'
import { type CommandEntry, type Commands, wordsOf } from '../framework/manifest.ts'

/** Flags that a suggested command needs to reach the same services and the same book as this run. */
export interface TargetFlags {
  readonly profile: string | undefined
  readonly book: string | undefined
}

/**
 * Profile and book of this run, if a flag or a variable named them. Those of a settings file apply to the next command too. An
 * address with a password is not printed, and with stars in its place it could not be pasted: the variable stands for it.
 */
export function targetFlags({ settings, sources }: Config): TargetFlags {
  const isNamed = (name: 'profile' | 'book') => sources[name].from === 'flag' || sources[name].from === 'environment'
  return {
    profile: isNamed('profile') ? settings.profile : undefined,
    book: isNamed('book') && settings.book !== undefined ? shownBook(settings.book) : undefined,
  }
}

const shownBook = (book: string): string => (passwordsIn(book).length > 0 ? bookVariable : book)

/** Commands that a run suggests. */
export interface Suggestions {
  /** Completes the commands in a text. */
  readonly complete: (text: string) => string
  /** Returns what to do before they are pasted. */
  notes(): string[]
}

/** Returns the completion of a run's texts. A variable that commands need and that is not set yet gives a note. */
export function suggestionsFor(commands: Commands, running: string, config: Config): Suggestions {
  const complete = commandCompleter(commands, running, targetFlags(config))
  let needsVariable = false
  return {
    complete(text) {
      const whole = complete(text)
      needsVariable ||= whole.includes(bookVariable)
      return whole
    },
    notes: () => (needsVariable && config.sources.book.from !== 'environment' ? [bookVariableText] : []),
  }
}

const bookVariableText =
  'The address of the book has a password and is not printed. Before you paste a command, export the address as COUNTROOM_BOOK.'

/** Topics that use no profile, or take its name as an argument. */
const withoutProfile = ['profiles', 'config', 'help', 'schema', 'completion', 'serve', 'demo']
/** Topics that work only on a local world. */
const ofWorld = ['console', 'sim']

const topicOf = (id: string): string => id.split(':', 1)[0] ?? id

/**
 * Returns a function that completes the commands suggested in a text, `countroom bets sync --out bets`, with the profile
 * and the book of this run, so that they can be pasted. Flags that the text names itself are kept.
 */
export function commandCompleter(commands: Commands, running: string, target: TargetFlags): (text: string) => string {
  const isOfWorld = (id: string) => ofWorld.includes(topicOf(id))
  const missing = (command: CommandEntry, rest: string) =>
    Object.entries(target).flatMap(([flag, value]) => {
      if (value === undefined || !Object.hasOwn(command.flags, flag)) return []
      if (new RegExp(`--${flag}\\b`).test(rest)) return []
      const isUseless = withoutProfile.includes(topicOf(command.id)) || (isOfWorld(command.id) && !isOfWorld(running))
      return flag === 'profile' && isUseless ? [] : [` --${flag} ${quoted(value)}`]
    })
  return (text) => {
    if (!text.includes('countroom ')) return text
    const parts = text.split(/(?<=\bcountroom )(?=[a-z])/)
    return parts
      .map((part, i) => {
        const words = i === 0 ? [] : (/^[a-z][a-z-]*(?: [a-z][a-z-]*)*/.exec(part)?.[0].split(' ') ?? [])
        const ids = words.map((_, count) => words.slice(0, words.length - count).join(':'))
        const [command] = ids.flatMap((each) => commands.get(each) ?? [])
        if (command === undefined) return part
        const typed = wordsOf(command.id)
        const [line = ''] = part.split('\n', 1)
        return `${typed}${missing(command, line).join('')}${part.slice(typed.length)}`
      })
      .join('')
  }
}

/** Completes a "not found" with the command that lists what there is, if the topic has one. */
export function withListCommand(problem: Problem, id: string, commands: Commands): Problem {
  const topic = id.split(':').slice(0, -1)
  const list = [...topic, 'list'].join(':')
  // A list that needs an argument cannot be suggested without its value.
  const isWhole = ({ args }: CommandEntry) => !Object.values(args).some(({ required }) => required)
  const listing = topic.length > 0 && id !== list ? commands.get(list) : undefined
  const isUsable = listing !== undefined && isWhole(listing)
  if (
    !isUsable ||
    problem.message.includes('countroom ') ||
    !problem.message.includes(` ${topic.at(-1)?.slice(0, -1)} `)
  )
    return problem
  const message = `${problem.message}. To list ${topic.at(-1)}: countroom ${[...topic, 'list'].join(' ')}`
  return new Problem(problem.code, message, problem.detail, { cause: problem })
}

/** Returns the command line of this run with the flags that confirm it, in place of those that did not: `--yes` and `--confirm-total`. */
export function confirmingCommand(words: string, argv: readonly string[], answer: string): string {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const typed = argv.slice(0, end).filter((word, i, all) => {
    const isAnswer = word === '--yes' || word.startsWith('--confirm-total')
    return !isAnswer && all[i - 1] !== '--confirm-total'
  })
  const shown = typed.map((word, i) => (typed[i - 1] === '--book' ? quoted(shownBook(word)) : quotedBookFlag(word)))
  return ['countroom', words, ...shown, answer, ...argv.slice(end).map(quoted)].filter(Boolean).join(' ')
}

/** Quotes a word; a book that is joined to its flag, `--book=ADDRESS`, like one that follows it. */
function quotedBookFlag(word: string): string {
  const flag = '--book='
  return word.startsWith(flag) && shownBook(word.slice(flag.length)) === bookVariable
    ? `${flag}${bookVariable}`
    : quoted(word)
}
