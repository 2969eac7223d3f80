import { Problem } from '../../kit/problem.ts'
import { environmentOf, pathsOf } from '../../world/config/config.ts'
import { categoryOf, exitOf, outputLost, problemOf, reportOf } from '../outcome/exit-codes.ts'
import { exitCodeOf, stoppedBy, watchSignals } from '../outcome/signals.ts'
import { type Screen, startScreen } from '../terminal/screen.ts'
import { completeLines } from './completion.ts'
import { type Found, findCommand } from './find.ts'
import { commandHelp, helpData, proseHelp, rootHelp, topicHelp } from './help.ts'
import { isProseTopic } from './help-topics.ts'
import { loadProgram, type Program, wordsOf } from './manifest.ts'
import { versionData, versionText } from './version.ts'

export interface Start {
  /** The folder of package.json. */
  readonly root: string
  /** Whether commands are run from their TypeScript. */
  readonly fromSource?: boolean
}

/** How long the last object may take to be written when nothing else is waited for. */
const lastWordsMs = 200

/**
 * The whole run: finds out what is wanted, does it, and leaves with the exit code. Versions, help, completion and
 * unknown commands are answered from the manifest alone, so that they are quick and work whatever the state of things;
 * the framework and the command's own module are loaded only to run a command.
 */
export async function main(argv: readonly string[], { root, fromSource = false }: Start): Promise<void> {
  const screen = startScreen(argv, environmentOf())
  let running = argv
    .filter((word) => !word.startsWith('-'))
    .slice(0, 2)
    .join(' ')
  /** What has to be known where money may be on its way. */
  let underWay = ''
  let isWriting = false
  const fail = async (error: unknown) => {
    const problem = problemOf(error)
    await screen.finish({ command: running, problem })
    process.exitCode = exitOf(categoryOf(problem.code))
  }
  watchSignals({
    first: (signal) => {
      if (!screen.isJson) screen.note(`${signal}: stopping after the step at hand; once more stops at once`)
    },
    second: (signal) => {
      const problem = new Problem('INTERRUPTED', `Stopped at once by ${signal}${underWay}`, {
        signal,
        ...(underWay === '' ? {} : { retryable: false }),
      })
      // A reader that no longer reads must not hold up the end.
      setTimeout(() => process.exit(exitCodeOf(signal)), lastWordsMs)
      void screen.finish({ command: running, problem }).finally(() => process.exit(exitCodeOf(signal)))
    },
  })
  const crash = (error: unknown) => {
    // Stdout that takes nothing more is told at the end; the framework throws what it hears of that in the midst of the work.
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
    // How the run itself ended, if not well, says more.
    process.exitCode = process.exitCode || exitOf(reportOf(problem).category)
    await flushed()
  }
  // Something that was left open must not keep a finished run alive, and a late signal still decides the code.
  const signal = stoppedBy()
  process.exit(signal === undefined ? process.exitCode : exitCodeOf(signal))

  async function answer(): Promise<void> {
    if (argv[0] === '--version') return showVersion(screen, root)
    const program = await loadProgram(root, fromSource)
    if (argv[0] === '__complete') return complete(program, argv.slice(1), screen)
    if (argv[0] === 'help') return showHelp(program, screen, wordsIn(argv.slice(1)))
    const found = findCommand(program, argv)
    if (asksForHelp(argv) || found.kind === 'topic' || isBare(argv)) return helpFor(program, screen, found, argv)
    if (found.kind === 'unknown') {
      running = found.words
      throw unknownCommand(found.words, found.near)
    }
    running = wordsOf(found.command.id)
    isWriting = found.command.writes === true && !found.argv.includes('--dry-run')
    if (found.command.exits?.includes('unknown-outcome'))
      underWay = `: what was under way may have been done. ${bookOf(running)}`
    await runCommand(root, fromSource, found.command.id, found.argv)
  }
}

/** A command's own object is printed by the command itself; what is thrown here is about getting to it. */
async function runCommand(root: string, fromSource: boolean, id: string, argv: readonly string[]): Promise<void> {
  const [{ Config }, { settings }] = await Promise.all([import('@oclif/core/config'), import('@oclif/core/settings')])
  // The framework would look for TypeScript tools by itself wherever NODE_ENV is test or development.
  settings.enableAutoTranspile = false
  const pjson = fromSource ? await sourcePackage(root) : undefined
  // Commands come from this package alone: nothing that lies in a data folder or beside it adds any.
  const plugins = { userPlugins: false, devPlugins: false }
  const config = await Config.load(
    pjson === undefined ? { root, ...plugins } : { root, ...plugins, pjson: pjson as never, ignoreManifest: true },
  )
  await config.runCommand(id, [...argv])
}

async function sourcePackage(root: string) {
  const { readPackage } = await import('./manifest.ts')
  const pjson = readPackage(root)
  return { ...pjson, oclif: { ...pjson.oclif, commands: './commands' } }
}

async function showVersion(screen: Screen, root: string): Promise<void> {
  await screen.finish({ command: 'version', data: versionData(root), human: versionText(root) })
}

async function complete(program: Program, [shell = '', ...words]: readonly string[], screen: Screen): Promise<void> {
  // Older PowerShell can hand an empty word over only as a pair of quotes.
  const clean = words.map((word) => (word === '""' ? '' : word))
  await screen.out(completeLines(program, pathsOf(environmentOf()), shell, clean))
}

/** Where it is written what was under way. */
function bookOf(command: string): string {
  if (command.startsWith('tickets')) return 'The book has it: the same command looks for it, and does nothing twice'
  const shows = command.startsWith('wallet') ? 'wallet journal --state unknown' : 'book orders'
  return `The book has it under its id: "countroom ${shows}" shows it; do not send it under another`
}

const wordsIn = (argv: readonly string[]): readonly string[] => argv.filter((word) => !word.startsWith('-'))
const isBare = (argv: readonly string[]): boolean =>
  wordsIn(argv).length === 0 && !argv.some((word) => !known.has(word))
const known = new Set(['--json', '--quiet', '--verbose', '--no-color'])

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

async function helpFor(program: Program, screen: Screen, found: Found, argv: readonly string[]): Promise<void> {
  if (found.kind === 'command') return showHelp(program, screen, found.command.id.split(':'))
  if (found.kind === 'topic') return showHelp(program, screen, found.id.split(':'))
  return showHelp(program, screen, wordsIn(argv))
}

async function showHelp(program: Program, screen: Screen, words: readonly string[]): Promise<void> {
  const page = { program, width: screen.width(), paint: screen.paintOut }
  if (words.length === 0) {
    return screen.finish({ command: 'help', data: helpData(program, undefined), human: rootHelp(page) })
  }
  const id = words.join(':')
  const command = program.commands.find((entry) => entry.id === id)
  const isTopic = program.commands.some((entry) => entry.id.startsWith(`${id}:`))
  const prose = isProseTopic(id) ? proseHelp(page, id) : undefined
  if (command === undefined && !isTopic && prose === undefined) {
    const found = findCommand(program, words)
    throw unknownCommand(id.replaceAll(':', ' '), found.kind === 'unknown' ? found.near : [])
  }
  const listing = command !== undefined ? commandHelp(page, command) : isTopic ? topicHelp(page, id) : undefined
  const data = listing === undefined ? { topic: id } : helpData(program, id)
  return screen.finish({
    command: 'help',
    data: prose === undefined ? data : { ...data, text: prose },
    human: [listing, prose].filter((part) => part !== undefined).join('\n'),
  })
}

/** A typo suggests and never runs: what was nearly a deposit must not become one. */
function unknownCommand(words: string, near: readonly string[]): Problem {
  const hint = near.length > 0 ? `Did you mean ${near.map((id) => `"${id}"`).join(' or ')}?` : 'See countroom help.'
  return new Problem('UNKNOWN_COMMAND', `There is no command "${words}". ${hint}`, { nearest: near })
}

/** Both streams written out: leaving earlier would cut off what is still on its way into a pipe. */
async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.destroyed && stream.writable && stream.writableLength > 0)
      await new Promise<void>((resolve) => void stream.write('', () => resolve()))
  }
}
