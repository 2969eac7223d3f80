import { Command } from '@oclif/core/command'
import type { Config as Framework } from '@oclif/core/config'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import { passwordsIn } from '../../db/engines/database-name.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { type Config, environmentOf, loadConfig } from '../../world/config/config.ts'
import { type NamedProfile, secretsOf } from '../../world/config/profile-schema.ts'
import { isLive, profileInUse, readProfile } from '../../world/config/profiles.ts'
import { subjectOf } from '../context/audit-subject.ts'
import { confirmDanger, confirmMoney, type MoneyMove } from '../context/confirm-money.ts'
import type { CommandContext } from '../context/context.ts'
import { Monitoring } from '../context/monitoring.ts'
import { type AuditedFrom, Services } from '../context/services.ts'
import { confirmingCommand, type Suggestions, suggestionsFor, withListCommand } from '../context/suggested-command.ts'
import { type Category, problemOf } from '../outcome/exit-codes.ts'
import { type ResultSchema, resultSchema } from '../outcome/result-schema.ts'
import { exitCodeFor } from '../outcome/run-exit.ts'
import { hide, jsonText } from '../outcome/secrets-mask.ts'
import { stoppedBy, stopSignal } from '../outcome/signals.ts'
import type { Paint } from '../terminal/color.ts'
import { checkFields, onlyFields, splitResult } from '../terminal/jsonl.ts'
import type { Progress } from '../terminal/progress.ts'
import { openPrompts, type Prompts } from '../terminal/prompts.ts'
import { currentScreen, type Screen } from '../terminal/screen.ts'
import { type Column, csvText, droppedText, fieldsText, pickColumns, type Row, tableText } from '../terminal/table.ts'
import { printable } from '../terminal/text.ts'
import { Closers } from './closers.ts'
import {
  auditedFrom,
  checkedNames,
  entryOf,
  inputOf,
  listNames,
  settingsAmong,
  stopProblem,
  type Values,
} from './command-input.ts'
import { globalFlags, type SharedFlags } from './flags.ts'
import { usageOf } from './help.ts'
import { type Program, wordsOf } from './manifest.ts'
import { usageProblem } from './usage.ts'

type Parsed = ParserOutput<Values, Values, Values>

/**
 * Base class of every command. A command describes itself in statics, parses, does its work, prints for people with
 * `table`, `fields` and `log`, and returns its result. With `--json` the returned value is `data` of the object on stdout
 * and the output for people is dropped, so a command needs no branch for either.
 */
export abstract class CountroomCommand extends Command implements CommandContext {
  static override baseFlags = globalFlags

  /** Exit categories beyond those of every command. */
  static exits: readonly Category[] = []
  /** Variables and files used beyond the settings, one line each, for the help. */
  static variables: readonly string[] = []
  static files: readonly string[] = []
  /** True if the command changes something at a service: it then has `--dry-run` and prints its target first. */
  static writes = false
  /**
   * True if the book's audit trail records the runs: an entry before anything is changed, and one with the outcome. Default:
   * `writes`. `changes`: a run may also only read, and calls `services.auditChanges()` before it changes something.
   */
  static audits: boolean | 'changes' | undefined
  /** True if the command prints lines while it runs, with the envelope as the last line. */
  static streams = false
  /** Field of the result that `--jsonl` prints as rows. Default: the first list. */
  static list: string | undefined
  /** Completion kinds of arguments and flags whose name alone does not imply one. */
  static completes: Readonly<Record<string, string>> = {}
  /** Schema of the result, for `countroom schema`, `--columns` and tests. */
  static data: ResultSchema | undefined

  readonly program: Program
  readonly monitoring = new Monitoring()
  #prompts: Prompts | undefined
  #parsed: Parsed | undefined
  #settings: Config | undefined
  #profile: NamedProfile | undefined
  #services: Services | undefined
  readonly #closers = new Closers()
  #warnings: string[] = []
  #human: (() => string | Promise<string>)[] = []
  #footnotes: string[] = []
  #suggestions: Suggestions | undefined
  #complaint: Problem | undefined
  #exitCode: number | undefined
  #isStreaming = false
  #rows = 0
  #isMarked = false

  /** Does the work and returns the result. */
  abstract override run(): Promise<unknown>

  constructor(argv: string[], config: Framework, program: Program) {
    super(argv, config)
    this.program = program
  }

  get settings(): Config {
    if (this.#settings === undefined) throw new Error('settings are available only while the command runs')
    return this.#settings
  }

  get stop(): AbortSignal {
    return stopSignal
  }

  get screen(): Screen {
    return currentScreen(this.argv, environmentOf)
  }

  get prompts(): Prompts {
    this.#prompts ??= openPrompts(this.screen, (flag) => confirmingCommand(this.words, this.argv, flag))
    return this.#prompts
  }

  get profile(): NamedProfile {
    if (this.#profile === undefined) {
      this.#profile = profileInUse(this.settings)
      hide(secretsOf(this.#profile.profile))
    }
    return this.#profile
  }

  get services(): Services {
    this.#services ??= new Services({
      run: this,
      isWriting: this.isWriting,
      audited: this.audited,
      tenant: this.parsedArgs['code'],
    })
    return this.#services
  }

  closeLater(close: () => Promise<unknown> | unknown): void {
    this.#closers.add(close)
  }

  override log(message = ''): void {
    if (this.#isCsv) return
    this.#human.push(() => `${this.services.hasChat ? printable(message) : message}\n`)
  }

  table(rows: readonly Row[], columns: readonly (Column | string)[], whenEmpty?: string): void {
    const all = columns.map((column): Column => (typeof column === 'string' ? { key: column } : column))
    // With --jsonl the rows are printed from the result, which has all fields.
    if (this.screen.isLines) return
    const { columns: columnList, bom, 'no-header': bare } = this.#shared
    const picked = pickColumns(all, columnList === undefined ? undefined : checkedNames(columnList, all))
    if (this.#isCsv) {
      const mark = bom === true && !this.#isMarked
      this.#isMarked = true
      this.#human.push(async () => {
        const text = await csvText(rows, picked, !bare)
        return `${mark ? '\u{FEFF}' : ''}${process.stdout.isTTY === true ? printable(text) : text}`
      })
    } else if (rows.length === 0) this.note(whenEmpty ?? 'No results.')
    else {
      const { tableWidth, paintOut: paint } = this.screen
      const hasColumns = 'columns' in (this.ctorStatics.flags ?? {})
      const onDropped = (keys: readonly string[]) => this.footnote(droppedText(keys, hasColumns))
      const options = { paint, hasHeader: !bare, onDropped: columnList ? undefined : onDropped }
      this.#human.push(() => tableText(rows, picked, { ...options, width: tableWidth() }))
    }
  }

  fields(row: Row, columns: readonly (Column | string)[] = Object.keys(row)): void {
    if (this.#isCsv) return
    this.#human.push(() => fieldsText(row, columns, { width: this.screen.tableWidth(), paint: this.screen.paintOut }))
  }

  text(make: (page: { readonly width: number; readonly paint: Paint }) => string): void {
    if (this.#isCsv) return
    const { width, paintOut: paint } = this.screen
    this.#human.push(() => make({ width: width(), paint }))
  }

  get wantsTable(): boolean {
    return this.#isCsv || this.#shared.columns !== undefined || this.#shared['no-header'] === true
  }

  async flush(): Promise<boolean> {
    return (await this.screen.out(await this.#takeHuman())) && !stopSignal.aborted
  }

  /** Returns the output for people that is not printed yet; none with `--json`. */
  async #takeHuman(): Promise<string> {
    let text = ''
    for (const part of this.#human.splice(0)) if (!this.screen.isJson) text += await part()
    return text
  }

  async rows(rows: readonly Row[]): Promise<boolean> {
    if (!this.screen.isLines) return !stopSignal.aborted
    this.#isStreaming = true
    this.#rows += rows.length
    const names = listNames(this.#shared.columns)
    const text = rows.map((row) => `${jsonText(onlyFields(row, names))}\n`).join('')
    const hasReader = await this.screen.out(text)
    return (hasReader || text === '') && !stopSignal.aborted
  }

  async line(row: object, human: () => string): Promise<boolean> {
    this.#isStreaming = true
    const hasReader = await this.screen.out(this.screen.isJson ? `${jsonText(row)}\n` : `${human()}\n`)
    return hasReader && !stopSignal.aborted
  }

  note(text: string): void {
    this.screen.note(text)
  }

  footnote(text: string): void {
    this.#footnotes.push(text)
  }

  upTo<Row>(limit: number, rows: readonly Row[]): { rows: Row[]; more: boolean } {
    const more = rows.length > limit
    if (more) this.footnote(`Showing the first ${limit} results. To see more, raise --limit`)
    return { rows: rows.slice(0, limit), more }
  }

  detail(text: string): void {
    this.screen.detail(text)
  }

  override warn(input: Error | string): Error | string {
    const text = typeof input === 'string' ? input : input.message
    this.#warnings.push(text)
    if (!this.screen.isJson) this.screen.warn(text)
    return input
  }

  progress(label: string, total?: number): Progress {
    return this.screen.progress(label, total)
  }

  async confirmMoney(move: MoneyMove): Promise<void> {
    if (!this.isDryRun) await confirmMoney(this.prompts, this.profile, move, this.#shared)
  }

  async confirmDanger(action: string): Promise<void> {
    if (!this.isDryRun) await confirmDanger(this.prompts, action, this.#shared)
  }

  async confirmEdit(action: string): Promise<void> {
    if (isLive(this.profile.profile)) await this.confirmDanger(`${action} on a live profile`)
  }

  get words(): string {
    return wordsOf(this.id ?? '')
  }

  get tool(): string {
    return `countroom ${this.program.package.version}`
  }

  get isDryRun(): boolean {
    return this.#shared['dry-run'] === true
  }

  protected get isWriting(): boolean {
    return this.ctorStatics.writes
  }

  protected get audited(): AuditedFrom {
    return auditedFrom(this.ctorStatics, this.#parsed?.flags ?? {})
  }

  /** Arguments and flags that name what this run changes. */
  get subject(): string {
    return subjectOf(this.parsedArgs, this.#parsed?.flags ?? {})
  }

  /** Field of the result that is the list. Overridden by commands whose list depends on their arguments. */
  protected get listName(): string | undefined {
    return this.ctorStatics.list
  }

  get parsedArgs(): Readonly<Record<string, unknown>> {
    return this.#parsed?.args ?? {}
  }

  get maxWaitMs(): number | undefined {
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

  endWith(code: string, message: string, detail: Record<string, unknown> = {}): void {
    this.#complaint = new Problem(code, message, detail)
  }

  exitWith(code: number): void {
    this.#exitCode = code
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

  /** Runs the command and prints its outcome. */
  override async _run<T>(): Promise<T> {
    let data: unknown
    let problem: Problem | undefined
    try {
      const { flags } = await this.parse(this.ctor)
      this.#settings = loadConfig({ env: environmentOf(), cwd: process.cwd(), flags: settingsAmong(flags) })
      hide([this.#settings.settings.db, this.#settings.settings.book ?? ''].flatMap(passwordsIn))
      this.#suggestions = suggestionsFor(this.program.commands, this.id ?? '', this.#settings)
      this.screen.completeWith(this.#suggestions.complete)
      // A profile named by flag must exist even if this command does not use it: the name may be mistyped.
      if (this.#settings.sources.profile.from === 'flag')
        hide(secretsOf(readProfile(this.#settings, this.#settings.settings.profile).profile))
      if (this.screen.isLines) await this.#checkLines()
      await this.monitoring.open(this, flags)
      data = await this.run()
    } catch (error) {
      problem = withListCommand(problemOf(error), this.id ?? '', this.program.commands)
    }
    // An error here never replaces the first error.
    const unclosed = await this.#closers.closeAll((text) => this.warn(text))
    problem ??= unclosed
    await this.#endAudit(stopProblem(problem) ?? problem ?? this.#complaint)
    await this.#finish(data, problem)
    return data as T
  }

  /** Checks that the fields of `--columns` exist in the rows. */
  async #checkLines(): Promise<void> {
    const names = listNames(this.#shared.columns)
    if (names !== undefined) checkFields(names, await resultSchema(this.ctorStatics), this.listName)
  }

  /** Records the outcome. The work is done by now, so that a failure here is a warning. */
  async #endAudit(problem: Problem | undefined): Promise<void> {
    try {
      await this.#services?.endAudit(problem === undefined ? 'ok' : `${problem.code} (exit ${exitCodeFor(problem)})`)
    } catch (error) {
      this.warn(`The audit trail has no end of this run: ${problemOf(error).message}`)
    }
  }

  async #finish(data: unknown, thrown: Problem | undefined): Promise<void> {
    const problem = stopProblem(thrown) ?? thrown ?? this.#complaint
    const isOwn = this.#exitCode === undefined || thrown !== undefined || stoppedBy() !== undefined
    const exit = isOwn ? exitCodeFor(problem) : (this.#exitCode ?? 0)
    await this.monitoring.end(exit, problem, this.words)
    const usage = isProblem(problem, 'INVALID_USAGE') ? usageOf(entryOf(this.ctorStatics, this.id ?? '')) : undefined
    // Output for people is printed if there is a result; a failure leaves stdout empty, but for what was flushed before it.
    const human = thrown === undefined ? await this.#takeHuman() : ''
    await this.screen.finish({
      command: this.words,
      data: thrown === undefined && this.screen.isLines ? await this.#asLines(data) : data,
      warnings: this.#warnings,
      problem,
      usage,
      human,
      isStream: this.#isStreaming,
    })
    if (thrown === undefined) for (const text of this.#footnotes) this.note(text)
    for (const text of this.#suggestions?.notes() ?? []) this.note(text)
    process.exitCode = exit
  }

  /** Prints the rows of a result as lines, unless they were printed before. Returns the rest for the last line. */
  async #asLines(data: unknown): Promise<unknown> {
    // A streaming command prints events instead of rows and counts them itself.
    if (this.ctorStatics.streams) return data
    const { rows, rest } = splitResult(data, this.listName)
    if (!this.#isStreaming) await this.rows(rows)
    return rest === null ? null : { ...rest, rows: this.#rows }
  }
}
