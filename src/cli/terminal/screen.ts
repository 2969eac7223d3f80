import type { Problem } from '../../kit/problem.ts'
import type { Environment } from '../../world/config/config.ts'
import { type Envelope, envelope } from '../outcome/envelope.ts'
import { reportOf } from '../outcome/exit-codes.ts'
import { forgetHidden, jsonText, masked } from '../outcome/secrets-mask.ts'
import { hasColour, type Paint, painter } from './colour.ts'
import { openOutput } from './output.ts'
import { openProgress, type Progress } from './progress.ts'
import { printable } from './text.ts'

/** The two streams and who may use which: results on stdout, everything else on stderr. */
export interface Screen {
  readonly isJson: boolean
  /** Whether that is a JSON object a line: the rows of a list, and the usual object as the last. */
  readonly isLines: boolean
  readonly isQuiet: boolean
  readonly isVerbose: boolean
  /** Whether a person can be asked: they see stderr and type on stdin. */
  readonly canAsk: boolean
  readonly paintOut: Paint
  readonly paintErr: Paint
  width(): number
  /** Whether nobody reads stdout any more. */
  isClosed(): boolean
  /** Why something of the result did not get through, where that was not for want of a reader. */
  outFault(): NodeJS.ErrnoException | undefined
  /** A result, as it is. Resolves when it is written, with whether more is wanted. */
  out(text: string): Promise<boolean>
  /** For people, on stderr; not with `--quiet`. */
  note(text: string): void
  /** Particulars, with `--verbose` only. */
  detail(text: string): void
  /** On stderr, whatever was said about printing. */
  error(problem: Problem): void
  /** On stderr also with `--quiet`. */
  warn(text: string): void
  progress(label: string, total?: number): Progress
  /** How the run ended. Only the first call prints: with `--json` there is one object, never two. */
  finish(ending: Ending): Promise<void>
}

export interface Ending {
  readonly command: string
  readonly data?: unknown
  readonly warnings?: readonly string[]
  readonly problem?: Problem | undefined
  /** How the command is called, shown when it was called wrongly. */
  readonly usage?: string | undefined
  /** The result for people. */
  readonly human?: string
  /** Lines were already written: the object becomes the last of them. */
  readonly isStream?: boolean
}

/** The flags that decide how anything is printed: read off the words before any command is known, so that every error obeys them. */
export function outputFlags(argv: readonly string[]) {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return {
    isJson: words.includes('--json') || words.includes('--jsonl'),
    isLines: words.includes('--jsonl'),
    isQuiet: words.includes('--quiet'),
    isVerbose: words.includes('--verbose'),
    noColour: words.includes('--no-color'),
  }
}

const usualWidth = 80

let current: Screen | undefined

/** Begins a run: its screen, and nothing of a run before it in the same process. */
export function startScreen(argv: readonly string[], env: Environment): Screen {
  forgetHidden()
  current = openScreen(argv, env)
  return current
}

/** The one screen of this run. There is only one, so that whoever ends the run first is the only one to print its end. */
export function currentScreen(argv: readonly string[], env: Environment): Screen {
  return current ?? startScreen(argv, env)
}

function openScreen(argv: readonly string[], env: Environment): Screen {
  const { noColour, ...flags } = outputFlags(argv)
  const { stdout, stderr, stdin } = process
  const paintOut = painter(hasColour(stdout, env, noColour))
  const paintErr = painter(hasColour(stderr, env, noColour))
  const isLively = stderr.isTTY === true && env['TERM'] !== 'dumb'
  const output = openOutput(stdout)
  let isFinished = false
  let live: Progress | undefined

  // What does not get through there has nowhere else to be told; the result is not the worse for it.
  stderr.on('error', () => {})

  const say = (text: string) => {
    stderr.write(`${masked(text)}\n`)
  }

  return {
    ...flags,
    canAsk: stdin.isTTY === true && stderr.isTTY === true,
    paintOut,
    paintErr,
    width: () => stdout.columns ?? stderr.columns ?? usualWidth,
    isClosed: output.isClosed,
    outFault: output.fault,
    out: output.write,
    note: (text) => {
      if (!flags.isQuiet) say(printable(text))
    },
    detail: (text) => {
      if (flags.isVerbose) say(paintErr('dim', printable(text)))
    },
    error: (problem) => sayError(problem),
    warn: (text) => say(`${paintErr('yellow', 'Warning:')} ${printable(text)}`),
    progress(label, total) {
      const progress = openProgress({
        label,
        total,
        mode: flags.isQuiet ? 'silent' : isLively ? 'live' : 'plain',
        stream: stderr,
        mask: masked,
        hasColor: hasColour(stderr, env, noColour),
        now: () => performance.now(),
      })
      live = progress
      return progress
    },
    async finish(ending) {
      if (isFinished) return
      isFinished = true
      live?.stop()
      if (flags.isJson)
        await output.write(jsonOf(envelopeOf(ending), stdout.isTTY === true && !ending.isStream && !flags.isLines))
      else await output.write(ending.human ?? '')
      if (ending.problem !== undefined) complain(ending.problem, flags.isJson ? undefined : ending.usage)
    },
  }

  function sayError(problem: Problem) {
    say(`${paintErr('red', 'Error:')} ${printable(problem.message)} (${problem.code})`)
  }

  function complain(problem: Problem, usage: string | undefined) {
    // The object on stdout has said it already, where it got there; a trace is still for stderr.
    const isSaid = flags.isJson && output.fault() === undefined
    if (problem.code === 'INTERRUPTED') {
      // Whoever asked for the end is told that it came, not that something went wrong.
      if (!isSaid) say(printable(problem.message))
    } else if (!isSaid) {
      sayError(problem)
      if (usage !== undefined && !flags.isQuiet) say(`\nUsage: ${usage}`)
    }
    if (flags.isVerbose) say(paintErr('dim', traceOf(problem)))
  }
}

const envelopeOf = ({ command, data, warnings, problem }: Ending): Envelope =>
  envelope({
    command,
    data,
    ...(warnings === undefined ? {} : { warnings }),
    error: problem === undefined ? undefined : reportOf(problem),
  })

/** One line, so that logs keep it whole; indented where a person is looking. */
const jsonOf = (value: unknown, isForEyes: boolean): string => `${jsonText(value, isForEyes ? 2 : 0)}\n`

function traceOf(problem: Problem): string {
  const cause = problem.cause instanceof Error ? `\nCaused by ${problem.cause.stack ?? problem.cause.message}` : ''
  return `${problem.stack ?? problem.message}${cause}`
}
