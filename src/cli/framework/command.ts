import { Command } from '@oclif/core/command'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import type { TSchema } from 'typebox'
import { passwordsIn } from '../../db/engines/database-name.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { Clients } from '../../world/clients/casino.ts'
import { type Config, environmentOf, loadConfig } from '../../world/config/config.ts'
import { type NamedProfile, secretsOf } from '../../world/config/profile-schema.ts'
import { profileInUse, readProfile } from '../../world/config/profiles.ts'
import { type Category, exitOf, problemOf, reportOf } from '../outcome/exit-codes.ts'
import { exchangeText, retryText } from '../outcome/request-log.ts'
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

/** What the shared flags of `flags.ts` parse to. */
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
 * What every command stands on. A command describes itself in statics, parses, does its one thing, prints for people
 * with `table`, `fields` and `log`, and returns its result; the rest happens here. With `--json` the returned value is
 * `data` of the one object on stdout and the printing for people does nothing, so a command needs no branch for either.
 */
export abstract class CountroomCommand extends Command {
  static override baseFlags = globalFlags

  /** The ends it can come to, beyond those every command has. */
  static exits: readonly Category[] = []
  /** Variables and files it uses beyond the settings, one line each, for its help. */
  static variables: readonly string[] = []
  static files: readonly string[] = []
  /** Whether it changes something at a service: then it has `--dry-run`, and says first where it writes. */
  static writes = false
  /** Whether it prints lines as they come, with the usual object as the last of them. */
  static streams = false
  /** The field of its result that is the list `--jsonl` prints, where it is not the first list there. */
  static list: string | undefined
  /** The names that complete an argument or flag, where its own name does not tell. */
  static completes: Readonly<Record<string, string>> = {}
  /** The schema of its result, loaded when `countroom schema` or a test asks. */
  static data: (() => Promise<TSchema>) | undefined

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

  /** Settings with their sources, folders, environment. */
  protected get settings(): Config {
    if (this.#settings === undefined) throw new Error('settings are there once the command runs')
    return this.#settings
  }

  /** Aborted by the first signal: finish the unit at hand and return what was done. */
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

  /** The profile of this run. A live one must have been named by flag or environment. */
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

  /** The clients of the profile's services. Opened at the first call, closed when the command ends, however it ends. */
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

  /** Called when the command ends, in the reverse order of asking. */
  protected closeLater(close: () => Promise<unknown> | unknown): void {
    this.#closers.push(close)
  }

  /** A line of the result for people. Held back until the command has ended well, so that a failure leaves stdout empty. */
  override log(message = ''): void {
    if (this.#isCsv) return
    this.#human.push(() => `${message}\n`)
  }

  /** Rows for people; with the list flags as CSV, in other columns, without titles. */
  protected table(rows: readonly Row[], columns: readonly (Column | string)[], whenEmpty?: string): void {
    const all = columns.map((column): Column => (typeof column === 'string' ? { key: column } : column))
    // Printed from the result itself, where each row is whole.
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
    } else if (rows.length === 0) this.note(whenEmpty ?? 'Nothing to show.')
    else {
      const { width, paintOut: paint } = this.screen
      this.#human.push(() => tableText(rows, picked, { width: width(), paint, hasHeader: !bare }))
    }
  }

  /** One thing for people, as names and values. */
  protected fields(row: Row, columns: readonly (Column | string)[] = Object.keys(row)): void {
    if (this.#isCsv) return
    const all = columns.map((column): Column => (typeof column === 'string' ? { key: column } : column))
    const { width, paintOut: paint } = this.screen
    this.#human.push(() => fieldsText(row, all, { width: width(), paint }))
  }

  /** Something for people that is no table, laid out for the screen. With the list flags that shape a table it is one after all. */
  protected text(make: (page: { readonly width: number; readonly paint: Paint }) => string): void {
    if (this.#isCsv) return
    const { width, paintOut: paint } = this.screen
    this.#human.push(() => make({ width: width(), paint }))
  }

  /** Whether the rows of a list were asked for as such: then people get their table too. */
  protected get wantsTable(): boolean {
    return this.#isCsv || this.#shared.columns !== undefined || this.#shared['no-header'] === true
  }

  /**
   * Rows of a list as they come: printed now with `--jsonl`, and by their table without. False when nobody wants more. What
   * is told so is not told again at the end.
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
   * Writes one row now: a compact JSON object with `--json`, the text of `human` without. False when nobody wants more,
   * because the reader left or a signal came; a command that only reads then returns, one that moves money goes on.
   */
  protected async line(row: object, human: () => string): Promise<boolean> {
    this.#isStreaming = true
    const isWanted = await this.screen.out(this.screen.isJson ? `${jsonText(row)}\n` : `${human()}\n`)
    return isWanted && !stopSignal.aborted
  }

  /** For people, on stderr; silent with `--quiet`. */
  protected note(text: string): void {
    this.screen.note(text)
  }

  /** The same, below the result instead of above it; left out when the run fails. */
  protected footnote(text: string): void {
    this.#footnotes.push(text)
  }

  /** Cuts a list at `--limit`. Pass one row beyond the limit: `more` then says whether there are others, and a line below the table does. */
  protected upTo<Row>(limit: number, rows: readonly Row[]): { rows: Row[]; more: boolean } {
    const more = rows.length > limit
    if (more) this.footnote(`Showing the first ${limit}; there are more. Raise --limit to see them.`)
    return { rows: rows.slice(0, limit), more }
  }

  /** Particulars, with `--verbose` only. */
  protected detail(text: string): void {
    this.screen.detail(text)
  }

  /** On stderr for people, and in `warnings` for programs. */
  override warn(input: Error | string): Error | string {
    const text = typeof input === 'string' ? input : input.message
    this.#warnings.push(text)
    if (!this.screen.isJson) this.screen.warn(text)
    return input
  }

  /** Warns where a remote platform's clock differs from this machine's. Days are counted by the platform's. */
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

  /** Asks about real money again; passes at once where none is at stake, and on a dry run. */
  protected async confirmMoney(move: MoneyMove): Promise<void> {
    if (!this.isDryRun) await confirmMoney(this.prompts, this.profile, move, this.#shared)
  }

  /** Asks before what is hard to take back. */
  protected async confirmDanger(order: string): Promise<void> {
    if (!this.isDryRun) await confirmDanger(this.prompts, order, this.#shared)
  }

  protected get isDryRun(): boolean {
    return this.#shared['dry-run'] === true
  }

  /** Whether the command changes something, so that it says first where. */
  protected get isWriting(): boolean {
    return this.ctorStatics.writes
  }

  /** The field of the result that is the list. A command whose list hangs on what it was asked says so by this. */
  protected get listName(): string | undefined {
    return this.ctorStatics.list
  }

  /** The arguments as they were parsed. */
  protected get given(): Readonly<Record<string, unknown>> {
    return this.#parsed?.args ?? {}
  }

  /** How long in all a busy service may keep a request waiting, where it was said. */
  protected get maxWaitMs(): number | undefined {
    return this.#shared['max-wait']
  }

  /** Whether the table is for a spreadsheet: then nothing stands around it. */
  get #isCsv(): boolean {
    // Exactly true: a command may have a flag of the same name that takes a file.
    return this.#shared.csv === true
  }

  /** Those of the shared flags that this command has. */
  get #shared(): SharedFlags {
    return (this.#parsed?.flags ?? {}) as SharedFlags
  }

  /** The run has a result and still did not end well: what `run` returns is printed, and this is why the exit is not 0. */
  protected endWith(code: string, message: string, detail: Record<string, unknown> = {}): void {
    this.#complaint = new Problem(code, message, detail)
  }

  /** The parsed command line. Refusals of the parser come out as usage errors in our own words. */
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
      // Named for this run, it must be there, also for a command that has no use for it: the name may be a slip.
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

  /** Whether the fields that are asked for are fields of the rows. */
  async #checkLines(): Promise<void> {
    const names = listNames(this.#shared.columns)
    const { data } = this.ctorStatics
    if (names !== undefined) checkFields(names, await data?.(), this.listName)
  }

  /** Closes everything that was opened. Its own failure never hides the first one. */
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
    // What was gathered for people is printed when there is a result, complaint or not; a failure leaves stdout empty.
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

  /** Prints the rows of a result a line each, unless that was done as they came; gives what is left for the last line. */
  async #asLines(data: unknown): Promise<unknown> {
    // What follows something prints lines of another kind, and tells how many in its own words.
    if (this.ctorStatics.streams) return data
    const { rows, rest } = takenApart(data, this.listName)
    if (!this.#isStreaming) await this.rows(rows)
    return rest === null ? null : { ...rest, rows: this.#rows }
  }
}

/** The code a run ends in: the signal's own when one came, else that of the refusal's class. */
export function exitCodeFor(problem: Problem | undefined): number {
  const signal = stoppedBy()
  if (signal !== undefined) return exitCodeOf(signal)
  return problem === undefined ? 0 : exitOf(reportOf(problem).category)
}
