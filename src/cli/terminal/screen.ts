import type { Problem } from '../../kit/problem.ts'
import type { Environment } from '../../world/config/config.ts'
import { type Envelope, envelope } from '../outcome/envelope.ts'
import { reportOf } from '../outcome/exit-codes.ts'
import { forgetHidden, jsonText, masked } from '../outcome/secrets-mask.ts'
import { hasColor, type Paint, painter } from './color.ts'
import { openOutput } from './output.ts'
import { endedAfter, openProgress, type Progress } from './progress.ts'
import { fitsScreen, runListedSteps, runPlainSteps, type Step } from './steps.ts'
import { printable } from './text.ts'

/** The output streams: results on stdout, everything else on stderr. */
export interface Screen {
  readonly isJson: boolean
  /** True for NDJSON: the rows of a list as lines, and the envelope as the last line. */
  readonly isLines: boolean
  readonly isQuiet: boolean
  readonly isVerbose: boolean
  /** True if a person can answer: stderr and stdin are a terminal. */
  readonly canAsk: boolean
  readonly paintOut: Paint
  readonly paintErr: Paint
  /** Width of texts. */
  width(): number
  /** Width of tables and fields: that of the terminal or of COLUMNS, else unlimited, so that a program gets every column and whole cells. */
  tableWidth(): number
  /** Returns whether the reader of stdout has left. */
  isClosed(): boolean
  /** Returns the write error of stdout, except when the reader left. */
  outFault(): NodeJS.ErrnoException | undefined
  /** Completes the commands suggested in all texts of a value with the flags of this run. Notes, warnings and errors are completed anyway. */
  complete<T>(value: T): T
  /** Sets how suggested commands are completed. Until then they stay as they are. */
  completeWith(complete: (text: string) => string): void
  /** Writes a result. Resolves when written, with whether more output is wanted. */
  out(text: string): Promise<boolean>
  /** Prints a line on stderr, except with `--quiet`. */
  note(text: string): void
  /** Prints a line on stderr with `--verbose` only. */
  detail(text: string): void
  /** Hands notes, details and warnings to a function instead of printing them, until it is called without one: they would destroy a full screen. */
  divert(take: ((text: string) => void) | undefined): void
  /** Prints a warning on stderr, except with `--quiet`. */
  error(problem: Problem): void
  /** Prints an error on stderr, also with `--quiet`. */
  warn(text: string): void
  progress(label: string, total?: number): Progress
  /** Runs steps in order, as a list on a terminal. Elsewhere, or if the screen is too small, `label` makes them a progress. */
  steps(steps: readonly Step[], label?: StepsLabel): Promise<void>
  /** Prints the end of the run. Only the first call prints, so that `--json` gives exactly one object. */
  finish(ending: Ending): Promise<void>
}

/** Progress of a run of steps where it is not a list. */
export interface StepsLabel {
  readonly label: string
  /** True to count the steps, for those of a similar length. */
  readonly isCounted?: boolean
  /** Returns the last line, such as the counts of the result. */
  readonly summary: () => string
}

export interface Ending {
  readonly command: string
  readonly data?: unknown
  readonly warnings?: readonly string[]
  readonly problem?: Problem | undefined
  /** Usage line of the command, printed with usage errors. */
  readonly usage?: string | undefined
  /** Output for people. */
  readonly human?: string
  /** True if lines were already printed: the envelope becomes the last line. */
  readonly isStream?: boolean
}

/** Output flags, read before the command is known, so that every error follows them. */
export function outputFlags(argv: readonly string[]) {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return {
    isJson: words.includes('--json') || words.includes('--jsonl'),
    isLines: words.includes('--jsonl'),
    isQuiet: words.includes('--quiet'),
    isVerbose: words.includes('--verbose'),
    noColor: words.includes('--no-color'),
  }
}

const defaultWidth = 80

/** Returns the width that COLUMNS sets, on a terminal and in a pipe. Shells do not export it, so only a user sets it. */
function widthIn({ COLUMNS: columns }: Environment): number | undefined {
  return columns !== undefined && /^[1-9][0-9]{0,4}$/.test(columns) ? Number(columns) : undefined
}

let current: Screen | undefined

/** Starts a run with a new screen. */
export function startScreen(argv: readonly string[], env: Environment): Screen {
  forgetHidden()
  current = openScreen(argv, env)
  return current
}

/** Returns the screen of this run. There is one, so that only the first end of the run is printed. */
export function currentScreen(argv: readonly string[], readEnv: () => Environment): Screen {
  return current ?? startScreen(argv, readEnv())
}

function openScreen(argv: readonly string[], env: Environment): Screen {
  // A write error of stderr cannot be reported anywhere, and does not change the result.
  process.stderr.on('error', () => {})
  return new ProcessScreen(argv, env)
}

/** The screen on the streams of this process. Its methods are bound, because callers pass them on. */
class ProcessScreen implements Screen {
  readonly isJson: boolean
  readonly isLines: boolean
  readonly isQuiet: boolean
  readonly isVerbose: boolean
  readonly canAsk = process.stdin.isTTY === true && process.stderr.isTTY === true
  readonly paintOut: Paint
  readonly paintErr: Paint
  readonly isClosed: () => boolean
  readonly outFault: () => NodeJS.ErrnoException | undefined
  readonly out: (text: string) => Promise<boolean>
  readonly #env: Environment
  readonly #hasErrColor: boolean
  readonly #isLively: boolean
  #isFinished = false
  #live: Progress | undefined
  /** Shows a line in the list of steps, if there is one. */
  #report: ((text: string) => void) | undefined
  #complete = (text: string) => text
  #take: ((text: string) => void) | undefined

  constructor(argv: readonly string[], env: Environment) {
    const { stdout, stderr } = process
    const { noColor, ...flags } = outputFlags(argv)
    this.isJson = flags.isJson
    this.isLines = flags.isLines
    this.isQuiet = flags.isQuiet
    this.isVerbose = flags.isVerbose
    this.paintOut = painter(hasColor(stdout, env, noColor))
    this.#hasErrColor = hasColor(stderr, env, noColor)
    this.paintErr = painter(this.#hasErrColor)
    this.#env = env
    // Some terminals report no width, as 0. To draw in place there would erase lines without end.
    this.#isLively = stderr.isTTY === true && stderr.columns !== 0 && env['TERM'] !== 'dumb'
    const output = openOutput(stdout)
    this.isClosed = output.isClosed
    this.outFault = output.fault
    this.out = output.write
  }

  readonly width = (): number =>
    widthIn(this.#env) ?? (process.stdout.columns || process.stderr.columns || defaultWidth)

  readonly tableWidth = (): number => widthIn(this.#env) ?? (process.stdout.columns || Number.POSITIVE_INFINITY)

  readonly complete = <T>(value: T): T => textsMapped(value, this.#complete)

  readonly completeWith = (complete: (text: string) => string): void => {
    this.#complete = complete
  }

  readonly note = (text: string): void => {
    if (!this.isQuiet) this.#say(printable(this.#complete(text)))
  }

  readonly detail = (text: string): void => {
    if (this.isVerbose) this.#say(this.paintErr('dim', printable(text)))
  }

  readonly warn = (text: string): void =>
    this.#say(`${this.paintErr('yellow', 'Warning:')} ${printable(this.#complete(text))}`)

  readonly error = (problem: Problem): void =>
    this.#say(`${this.paintErr('red', 'Error:')} ${printable(this.#complete(problem.message))} (${problem.code})`)

  readonly progress = (label: string, total?: number): Progress => {
    const progress = openProgress({
      label,
      total,
      mode: this.isQuiet ? 'silent' : this.#isLively ? 'live' : 'plain',
      stream: process.stderr,
      mask: masked,
      hasColor: this.#hasErrColor,
      now: () => performance.now(),
    })
    this.#live = progress
    return progress
  }

  readonly steps = async (steps: readonly Step[], plain?: StepsLabel): Promise<void> => {
    const stream = process.stderr
    if (this.#isLively && !this.isQuiet && fitsScreen(steps, stream)) {
      try {
        await runListedSteps(steps, { stream, mask: masked }, (report) => {
          this.#report = report
        })
      } finally {
        this.#report = undefined
      }
      if (plain) this.#say(`${plain.label}: ${plain.summary()}`)
      return
    }
    const progress = plain && this.progress(plain.label, plain.isCounted ? steps.length : undefined)
    const run = runPlainSteps(steps, (done, note) => progress?.update(plain?.isCounted ? done : 0, note))
    await (progress ? endedAfter(progress, run, plain.summary) : run)
  }

  readonly finish = async (ending: Ending): Promise<void> => {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#live?.stop()
    if (this.isJson) {
      const isForEyes = process.stdout.isTTY === true && !ending.isStream && !this.isLines
      await this.out(jsonOf(envelopeOf(ending, this.#complete), isForEyes))
    } else await this.out(ending.human ?? '')
    if (ending.problem !== undefined) this.#printProblem(ending.problem, this.isJson ? undefined : ending.usage)
  }

  readonly divert = (take: ((text: string) => void) | undefined): void => {
    this.#take = take
  }

  #say(text: string): void {
    this.#report?.(text)
    if (this.#take) this.#take(masked(text))
    else process.stderr.write(`${masked(text)}\n`)
  }

  #printProblem(problem: Problem, usage: string | undefined): void {
    // The envelope on stdout has the error; stderr gets the stack trace only.
    const isInEnvelope = this.isJson && this.outFault() === undefined
    if (problem.code === 'INTERRUPTED') {
      // After a signal the user expects the end; it is not printed as an error.
      if (!isInEnvelope) this.#say(printable(this.#complete(problem.message)))
    } else if (!isInEnvelope) {
      this.error(problem)
      if (usage !== undefined && !this.isQuiet) this.#say(`\nUsage: ${usage}`)
    }
    if (this.isVerbose) this.#say(this.paintErr('dim', stackOf(problem)))
  }
}

function envelopeOf({ command, data, warnings = [], problem }: Ending, complete: (text: string) => string): Envelope {
  const error = problem === undefined ? undefined : reportOf(problem)
  return envelope({
    command,
    data,
    warnings: warnings.map(complete),
    error: error === undefined ? undefined : textsMapped(error, complete),
  })
}

/** Returns the value with every text in it mapped, except names of fields. */
function textsMapped<T>(value: T, map: (text: string) => string): T {
  const mapped = (part: unknown): unknown => {
    if (typeof part === 'string') return map(part)
    if (Array.isArray(part)) return part.map(mapped)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, mapped(inner)]))
  }
  // Texts are replaced by texts, so the type stays.
  return mapped(value) as T
}

/** Formats JSON: indented for people, else on one line. */
const jsonOf = (value: unknown, isForEyes: boolean): string => `${jsonText(value, isForEyes ? 2 : 0)}\n`

function stackOf(problem: Problem): string {
  const cause = problem.cause instanceof Error ? `\nCaused by ${problem.cause.stack ?? problem.cause.message}` : ''
  return `${problem.stack ?? problem.message}${cause}`
}
