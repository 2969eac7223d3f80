import { Problem } from '../../kit/problem.ts'
import { environmentOf } from '../../world/config/config.ts'
import { categoryOf, exitOf, outputLost, problemOf, reportOf } from '../outcome/exit-codes.ts'
import { exitCodeOf, stoppedBy, watchSignals } from '../outcome/signals.ts'
import { type Screen, startScreen } from '../terminal/screen.ts'
import { completeLines } from './completion.ts'
import { type CommandMatch, findCommand, unknownCommand, unknownWords } from './find.ts'
import { commandHelp, helpData, proseHelp, rootHelp, searchData, searchText, topicHelp } from './help.ts'
import { searchHelp } from './help-search.ts'
import { isProseTopic } from './help-topics.ts'
import { loadProgram, type Program, wordsOf } from './manifest.ts'
import { runCommand } from './run-command.ts'
import { versionData, versionText } from './version.ts'

export interface Start {
  /** The folder of package.json. */
  readonly root: string
  /** True to run commands from their TypeScript sources. */
  readonly fromSource?: boolean
}

/** Time to write the last object after a second signal. */
const exitGraceMs = 200

/**
 * Runs the program: finds the command, runs it, and exits with its code. Version, help and unknown commands are answered from the
 * manifest alone; completion also reads local names and databases. oclif and the command's module are loaded only to run a command.
 */
export async function main(argv: readonly string[], { root, fromSource = false }: Start): Promise<void> {
  const screen = startScreen(argv, environmentOf())
  let running = argv
    .filter((word) => !word.startsWith('-'))
    .slice(0, 2)
    .join(' ')
  /** Warning for runs in which money may be on its way. */
  let underWay = ''
  let isWriting = false
  const fail = async (error: unknown) => {
    const problem = problemOf(error)
    await screen.finish({ command: running, problem })
    process.exitCode = exitOf(categoryOf(problem.code))
  }
  watchSignals({
    first: (signal) => {
      if (!screen.isJson) screen.note(`${signal}: stopping after the current step. Press again to stop at once`)
    },
    second: (signal) => {
      const problem = new Problem('INTERRUPTED', `Stopped at once by ${signal}${underWay}`, {
        signal,
        ...(underWay === '' ? {} : { retryable: false }),
      })
      // A reader that does not read must not block the exit.
      setTimeout(() => process.exit(exitCodeOf(signal)), exitGraceMs)
      void screen.finish({ command: running, problem }).finally(() => process.exit(exitCodeOf(signal)))
    },
  })
  const crash = (error: unknown) => {
    // A failed write to stdout is reported at the end; oclif would throw it in the middle of the work.
    if (error !== undefined && error === screen.outFault()) return
    void fail(error).finally(() => process.exit(exitOf('unexpected')))
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)

  try {
    await answer()
  } catch (error) {
    await fail(error)
  }
  await flushed()
  const fault = screen.outFault()
  if (fault !== undefined) {
    const problem = outputLost(fault, isWriting)
    screen.error(problem)
    // If the run itself failed, its exit code has priority.
    process.exitCode = process.exitCode || exitOf(reportOf(problem).category)
    await flushed()
  }
  // An open handle must not keep a finished run alive, and a late signal still decides the exit code.
  const signal = stoppedBy()
  process.exit(signal === undefined ? process.exitCode : exitCodeOf(signal))

  async function answer(): Promise<void> {
    if (argv[0] === '--version') return showVersion(screen, root)
    const program = await loadProgram(root, fromSource)
    if (argv[0] === '__complete') return complete(program, argv.slice(1), screen)
    if (argv[0] === 'help') return showRequestedHelp(program, screen, argv.slice(1))
    const match = findCommand(program, argv)
    if (hasHelpFlag(argv) || match.kind === 'topic' || isBare(argv)) return helpFor(program, screen, match, argv)
    if (match.kind === 'unknown') {
      running = match.words
      throw unknownCommand(match)
    }
    running = wordsOf(match.command.id)
    isWriting = match.command.writes === true && !match.argv.includes('--dry-run')
    if (match.command.exits?.includes('unknown-outcome'))
      underWay = `: requests in progress may have been carried out. ${bookOf(running)}`
    await runCommand(program, match.command.id, match.argv)
  }
}

async function showVersion(screen: Screen, root: string): Promise<void> {
  await screen.finish({ command: 'version', data: versionData(root), human: versionText(root) })
}

async function complete(program: Program, [shell = '', ...words]: readonly string[], screen: Screen): Promise<void> {
  // PowerShell before 7.3 can pass an empty word only as a pair of quotes.
  const clean = words.map((word) => (word === '""' ? '' : word))
  const env = environmentOf()
  const rest = env['COUNTROOM_COMPLETE_REST']?.split(/[\n\t]/).filter(Boolean) ?? []
  await screen.out(await completeLines(program, { shell, words: clean, rest }, env))
}

/** Names the command that shows work in progress. */
function bookOf(command: string): string {
  if (command.startsWith('tickets')) return 'The book has it: run the same command again; nothing is done twice'
  const shows = command.startsWith('wallet') ? 'wallet journal --state unknown' : 'book orders'
  return `The book has it under its ID: run "countroom ${shows}", and do not send it with another ID`
}

const wordsIn = (argv: readonly string[]): readonly string[] => argv.filter((word) => !word.startsWith('-'))
const isBare = (argv: readonly string[]): boolean =>
  wordsIn(argv).length === 0 && !argv.some((word) => !known.has(word))
const known = new Set(['--json', '--quiet', '--verbose', '--no-color'])

function hasHelpFlag(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

async function helpFor(program: Program, screen: Screen, match: CommandMatch, argv: readonly string[]): Promise<void> {
  if (match.kind === 'command') return showHelp(program, screen, match.command.id.split(':'))
  if (match.kind === 'topic') return showHelp(program, screen, match.id.split(':'))
  return showHelp(program, screen, wordsIn(argv))
}

/** Runs `countroom help …`: shows a page, or searches with `--search WORD`. */
function showRequestedHelp(program: Program, screen: Screen, argv: readonly string[]): Promise<void> {
  const at = argv.findIndex((word) => word === '--search' || word.startsWith('--search='))
  if (at === -1) return showHelp(program, screen, wordsIn(argv))
  const attached = argv[at]?.split('=').slice(1).join('=') ?? ''
  const search = [attached, ...wordsIn(argv.slice(0, at)), ...wordsIn(argv.slice(at + 1))].filter(Boolean).join(' ')
  if (search.trim() === '')
    throw new Problem('INVALID_USAGE', '--search needs a word, such as: countroom help --search refund')
  const results = searchHelp(program, search)
  if (results.commands.length === 0 && results.topics.length === 0)
    throw new Problem('NOT_FOUND', `No command, flag or topic matches "${search}". To list all: countroom help`, {
      search,
    })
  const page = { program, width: screen.width(), paint: screen.paintOut }
  return screen.finish({ command: 'help', data: searchData(search, results), human: searchText(page, results) })
}

async function showHelp(program: Program, screen: Screen, words: readonly string[]): Promise<void> {
  const page = { program, width: screen.width(), paint: screen.paintOut }
  if (words.length === 0) {
    return screen.finish({ command: 'help', data: helpData(program, undefined), human: rootHelp(page) })
  }
  const id = words.join(':')
  const command = program.commands.get(id)
  const isTopic = program.commands.ids.some((each) => each.startsWith(`${id}:`))
  const prose = isProseTopic(id) ? proseHelp(page, id) : undefined
  if (command === undefined && !isTopic && prose === undefined) {
    throw unknownCommand(unknownWords(program.commands, words))
  }
  const listing = command !== undefined ? commandHelp(page, command) : isTopic ? topicHelp(page, id) : undefined
  const data = listing === undefined ? { topic: id } : helpData(program, id)
  return screen.finish({
    command: 'help',
    data: prose === undefined ? data : { ...data, text: prose },
    human: [listing, prose].filter((part) => part !== undefined).join('\n'),
  })
}

/** Waits until both streams are written: an earlier exit would cut off output to a pipe. */
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.destroyed && stream.writable && stream.writableLength > 0)
      await new Promise<void>((resolve) => void stream.write('', () => resolve()))
  }
}
