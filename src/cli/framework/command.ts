import { Command } from '@oclif/core/command'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import { passwordsIn } from '../../db/engines/database-name.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { Clients } from '../../world/clients/casino.ts'
import { type Config, environmentOf, loadConfig } from '../../world/config/config.ts'
import { type NamedProfile, secretsOf } from '../../world/config/profile-schema.ts'
import { profileInUse, readProfile } from '../../world/config/profiles.ts'
import { type Category, exitOf, problemOf, reportOf } from '../outcome/exit-codes.ts'
import { exchangeText, retryText } from '../outcome/request-log.ts'
import { type ResultSchema, resultSchema } from '../outcome/result-schema.ts'
import { hide, jsonText } from '../outcome/secrets-mask.ts'
import { exitCodeOf, stoppedBy, stopSignal } from '../outcome/signals.ts'
import type { Paint } from '../terminal/colour.ts'
import { checkFields, onlyFields, takenApart } from '../terminal/jsonl.ts'
import type { Progress } from '../terminal/progress.ts'
import { openPrompts, type Prompts } from '../terminal/prompts.ts'
import { currentScreen, type Screen } from '../terminal/screen.ts'
import { type Column, csvText, fieldsText, pickColumns, type Row, tableText } from '../terminal/table.ts'
import { printable } from '../terminal/text.ts'
import { checkedNames, entryOf, inputOf, listNames, settingsAmong, stopProblem, type Values } from './command-input.ts'
import { confirmDanger, confirmMoney, type MoneyMove } from './confirm-money.ts'
import { globalFlags, type Total } from './flags.ts'
import { usageOf } from './help.ts'
import { wordsOf } from './manifest.ts'
import { bannerOf } from './profile-banner.ts'
import { usageProblem } from './usage.ts'

type Parsed = ParserOutput<Values, Values, Values>

/** Parsed values of the shared flags of `flags.ts`. */
interface SharedFlags {
  readonly columns?: string
  readonly csv?: boolean
  readonly bom?: boolean
  readonly 'no-header'?: boolean
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
  readonly 'max-wait'?: number
  readonly 'confirm-total'?: Total
}

/**
 * Base class of every command. A command describes itself in statics, parses, does its work, prints for people with
 * `table`, `fields` and `log`, and returns its result. With `--json` the returned value is `data` of the object on stdout
 * and the output for people is dropped, so a command needs no branch for either.
 */
export abstract class CountroomCommand extends Command {
  static override baseFlags = globalFlags

  /** Exit categories beyond those of every command. */
  static exits: readonly Category[] = []
  /** Variables and files used beyond the settings, one line each, for the help. */
  static variables: readonly string[] = []
  static files: readonly string[] = []
  /** True if the command changes something at a service: it then has `--dry-run` and prints its target first. */
  static writes = false
  /** True if the command prints lines while it runs, with the envelope as the last line. */
  static streams = false
  /** Field of the result that `--jsonl` prints as rows. Default: the first list. */
  static list: string | undefined
  /** Completion kinds of arguments and flags whose name alone does not imply one. */
  static completes: Readonly<Record<string, string>> = {}
  /** Schema of the result, for `countroom schema`, `--columns` and tests. */
  static data: ResultSchema | undefined

  #prompts: Prompts | undefined
  #parsed: Parsed | undefined
  #settings: Config | undefined
  #profile: NamedProfile | undefined
  #clients: Promise<Clients> | undefined
  #closers: (() => Promise<unknown> | unknown)[] = []
  #warnings: string[] = []
  #human: (() => string | Promise<string>)[] = []
  #footnotes: string[] = []
  #complaint: Problem | undefined
  #isStreaming = false
  #rows = 0
  #isMarked = false

  /** Does the work and returns the result. */
  abstract override run(): Promise<unknown>

  /** Settings with their sources, folders and environment. */
  protected get settings(): Config {
    if (this.#settings === undefined) throw new Error('settings are available only while the command runs')
    return this.#settings
  }

  /** Aborted by the first signal. Finish the current unit and return what is done. */
  protected get stop(): AbortSignal {
    return stopSignal
  }

  protected get screen(): Screen {
    return currentScreen(this.argv, environmentOf())
  }

  protected get prompts(): Prompts {
    this.#prompts ??= openPrompts(this.screen)
    return this.#prompts
  }

  /** The profile of this run. A live profile must have been named by flag or environment. */
  protected get profile(): NamedProfile {
    if (this.#profile === undefined) {
      this.#profile = profileInUse(this.settings)
      this.#learn(this.#profile)
    }
    return this.#profile
  }

  #learn({ profile }: NamedProfile): void {
    hide(secretsOf(profile))
  }

  /** The clients of the profile's services. Opened by the first call, closed when the command ends. */
  protected clients(): Promise<Clients> {
    this.#clients ??= this.#openClients()
    return this.#clients
  }

  async #openClients(): Promise<Clients> {
    const named = this.profile
    if (this.isWriting) this.note(bannerOf(named))
    const { openClients } = await import('../../world/clients/casino.ts')
    const clients = await openClients(named, this.settings, {
      onRetry: (retry) => this.note(retryText(retry)),
      onExchange: (exchange) => this.detail(exchangeText(exchange)),
    })
    this.closeLater(() => clients.close())
    return clients
  }

  /** Registers a function to call when the command ends, last one first. */
  protected closeLater(close: () => Promise<unknown> | unknown): void {
    this.#closers.push(close)
  }

  /** Adds a line of output for people. It is printed only after a successful run, so that a failure leaves stdout empty. */
  override log(message = ''): void {
    if (this.#isCsv) return
    this.#human.push(() => `${message}\n`)
  }

  /** Adds a table for people, or CSV with the list flags. */
  protected table(rows: readonly Row[], columns: readonly (Column | string)[], whenEmpty?: string): void {
    const all = columns.map((column): Column => (typeof column === 'string' ? { key: column } : column))
    // With --jsonl the rows are printed from the result, which has all fields.
    if (this.screen.isLines) return
    const { columns: asked, bom, 'no-header': bare } = this.#shared
    const picked = pickColumns(all, asked === undefined ? undefined : checkedNames(asked, all))
    if (this.#isCsv) {
      const mark = bom === true && !this.#isMarked
      this.#isMarked = true
      this.#human.push(async () => {
        const text = await csvText(rows, picked, !bare)
        return `${mark ? '\u{FEFF}' : ''}${process.stdout.isTTY === true ? printable(text) : text}`
      })
    } else if (rows.length === 0) this.note(whenEmpty ?? 'No results.')
    else {
      const { width, paintOut: paint } = this.screen
      this.#human.push(() => tableText(rows, picked, { width: width(), paint, hasHeader: !bare }))
    }
  }

  /** Adds one object for people, as names and values. */
  protected fields(row: Row, columns: readonly (Column | string)[] = Object.keys(row)): void {
    if (this.#isCsv) return
    const all = columns.map((column): Column => (typeof column === 'string' ? { key: column } : column))
    const { width, paintOut: paint } = this.screen
    this.#human.push(() => fieldsText(row, all, { width: width(), paint }))
  }

  /** Adds free text for people, laid out for the screen. Dropped with --csv. */
  protected text(make: (page: { readonly width: number; readonly paint: Paint }) => string): void {
    if (this.#isCsv) return
    const { width, paintOut: paint } = this.screen
    this.#human.push(() => make({ width: width(), paint }))
  }

  /** True if the flags ask for rows, so that people get the table too. */
  protected get wantsTable(): boolean {
    return this.#isCsv || this.#shared.columns !== undefined || this.#shared['no-header'] === true
  }

  /**
   * Prints rows of a list at once with `--jsonl`; without it the command's table prints them. Returns false when the reader
   * left or a signal came. Rows printed here are not printed again at the end.
   */
  protected async rows(rows: readonly Row[]): Promise<boolean> {
    if (!this.screen.isLines) return !stopSignal.aborted
    this.#isStreaming = true
    this.#rows += rows.length
    const names = listNames(this.#shared.columns)
    const text = rows.map((row) => `${jsonText(onlyFields(row, names))}\n`).join('')
    const isWanted = await this.screen.out(text)
    return (isWanted || text === '') && !stopSignal.aborted
  }

  /**
   * Writes one row at once: compact JSON with `--json`, else the text of `human`. Returns false when the reader left or a
   * signal came. A command that only reads then returns; one that moves money continues.
   */
  protected async line(row: object, human: () => string): Promise<boolean> {
    this.#isStreaming = true
    const isWanted = await this.screen.out(this.screen.isJson ? `${jsonText(row)}\n` : `${human()}\n`)
    return isWanted && !stopSignal.aborted
  }

  /** Prints a line on stderr, except with `--quiet`. */
  protected note(text: string): void {
    this.screen.note(text)
  }

  /** Prints a line on stderr below the result. Dropped when the run fails. */
  protected footnote(text: string): void {
    this.#footnotes.push(text)
  }

  /** Cuts a list at `--limit`. Pass one row beyond the limit, so that `more` shows whether there are others. */
  protected upTo<Row>(limit: number, rows: readonly Row[]): { rows: Row[]; more: boolean } {
    const more = rows.length > limit
    if (more) this.footnote(`Showing the first ${limit} results. To see more, raise --limit`)
    return { rows: rows.slice(0, limit), more }
  }

  /** Prints a line on stderr with `--verbose` only. */
  protected detail(text: string): void {
    this.screen.detail(text)
  }

  /** Prints a warning on stderr for people, and adds it to `warnings` for programs. */
  override warn(input: Error | string): Error | string {
    const text = typeof input === 'string' ? input : input.message
    this.#warnings.push(text)
    if (!this.screen.isJson) this.screen.warn(text)
    return input
  }

  /** Warns if the clock of a remote platform differs from this machine's, because days are those of the platform. */
  protected async warnOfClock(clients: Clients, words: readonly string[] = [], zone?: string): Promise<void> {
    const aheadMs = clients.aheadMs()
    if (aheadMs === undefined || aheadMs === 0 || this.profile.profile.kind === 'local') return
    const { clockWarning } = await import('./day.ts')
    const warning = clockWarning({ aheadMs, now: Date.now(), zone: zone ?? clients.casinoAccess.timezone }, words)
    if (warning !== undefined) this.warn(warning)
  }

  protected progress(label: string, total?: number): Progress {
    return this.screen.progress(label, total)
  }

  /** Asks for confirmation of a transfer of real money. Returns at once for other profiles and on a dry run. */
  protected async confirmMoney(move: MoneyMove): Promise<void> {
    if (!this.isDryRun) await confirmMoney(this.prompts, this.profile, move, this.#shared)
  }

  /** Asks for confirmation of a change that is hard to undo. */
  protected async confirmDanger(order: string): Promise<void> {
    if (!this.isDryRun) await confirmDanger(this.prompts, order, this.#shared)
  }

  protected get isDryRun(): boolean {
    return this.#shared['dry-run'] === true
  }

  /** True if the command changes something; it then prints its target first. */
  protected get isWriting(): boolean {
    return this.ctorStatics.writes
  }

  /** Field of the result that is the list. Overridden by commands whose list depends on their arguments. */
  protected get listName(): string | undefined {
    return this.ctorStatics.list
  }

  /** The parsed arguments. */
  protected get given(): Readonly<Record<string, unknown>> {
    return this.#parsed?.args ?? {}
  }

  /** Total time a request may wait for a busy service (`--max-wait`), if given. */
  protected get maxWaitMs(): number | undefined {
    return this.#shared['max-wait']
  }

  /** True with `--csv`: only the table is printed. */
  get #isCsv(): boolean {
    // Compared with true, because a command may have a --csv flag that takes a file.
    return this.#shared.csv === true
  }

  /** Values of the shared flags that this command has. */
  get #shared(): SharedFlags {
    return (this.#parsed?.flags ?? {}) as SharedFlags
  }

  /** Marks a run with a result as failed: the result is printed, and the exit code is that of this problem. */
  protected endWith(code: string, message: string, detail: Record<string, unknown> = {}): void {
    this.#complaint = new Problem(code, message, detail)
  }

  /** Parses the command line. Parser errors become usage problems. */
  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    argv = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    if (this.#parsed === undefined) {
      const input = (options ?? this.ctor) as Input<F, B, A>
      try {
        this.#parsed = await super.parse(inputOf(input), argv)
      } catch (error) {
        throw usageProblem(error, Object.keys({ ...input.baseFlags, ...input.flags }))
      }
    }
    return this.#parsed as ParserOutput<F, B, A>
  }

  private get ctorStatics() {
    return this.constructor as typeof CountroomCommand
  }

  protected override async _run<T>(): Promise<T> {
    let data: unknown
    let problem: Problem | undefined
    try {
      const { flags } = await this.parse(this.ctor)
      this.#settings = loadConfig({ env: environmentOf(), cwd: process.cwd(), flags: settingsAmong(flags) })
      const { db, book } = this.#settings.settings
      hide([db, book ?? ''].flatMap(passwordsIn))
      // A profile named by flag must exist even if this command does not use it: the name may be mistyped.
      if (this.#settings.sources.profile.from === 'flag')
        this.#learn(readProfile(this.#settings, this.#settings.settings.profile))
      if (this.screen.isLines) await this.#checkLines()
      data = await this.run()
    } catch (error) {
      problem = problemOf(error)
    }
    const unclosed = await this.#close()
    problem ??= unclosed
    await this.#finish(data, problem)
    return data as T
  }

  /** Checks that the fields of `--columns` exist in the rows. */
  async #checkLines(): Promise<void> {
    const names = listNames(this.#shared.columns)
    if (names !== undefined) checkFields(names, await resultSchema(this.ctorStatics), this.listName)
  }

  /** Closes everything that was opened. An error here never replaces the first error. */
  async #close(): Promise<Problem | undefined> {
    let failed: Problem | undefined
    for (const close of this.#closers.reverse()) {
      try {
        await close()
      } catch (error) {
        failed ??= problemOf(error)
      }
    }
    return failed
  }

  async #finish(data: unknown, thrown: Problem | undefined): Promise<void> {
    const problem = stopProblem(thrown) ?? thrown ?? this.#complaint
    const usage = isProblem(problem, 'INVALID_USAGE') ? usageOf(entryOf(this.ctorStatics, this.id ?? '')) : undefined
    let human = ''
    // Output for people is printed if there is a result; a failure leaves stdout empty.
    if (thrown === undefined && !this.screen.isJson) for (const part of this.#human) human += await part()
    await this.screen.finish({
      command: wordsOf(this.id ?? ''),
      data: thrown === undefined && this.screen.isLines ? await this.#asLines(data) : data,
      warnings: this.#warnings,
      problem,
      usage,
      human,
      isStream: this.#isStreaming,
    })
    if (thrown === undefined) for (const text of this.#footnotes) this.note(text)
    process.exitCode = exitCodeFor(problem)
  }

  /** Prints the rows of a result as lines, unless they were printed before. Returns the rest for the last line. */
  async #asLines(data: unknown): Promise<unknown> {
    // A streaming command prints events instead of rows and counts them itself.
    if (this.ctorStatics.streams) return data
    const { rows, rest } = takenApart(data, this.listName)
    if (!this.#isStreaming) await this.rows(rows)
    return rest === null ? null : { ...rest, rows: this.#rows }
  }
}

/** Returns the exit code of a run: that of the signal if one came, else that of the problem. */
export function exitCodeFor(problem: Problem | undefined): number {
  const signal = stoppedBy()
  if (signal !== undefined) return exitCodeOf(signal)
  return problem === undefined ? 0 : exitOf(reportOf(problem).category)
}
