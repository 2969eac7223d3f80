import type { Config } from '../../world/config/config.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import type { Paint } from '../terminal/color.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Prompts } from '../terminal/prompts.ts'
import type { Screen } from '../terminal/screen.ts'
import type { Column, Row } from '../terminal/table.ts'
import type { MoneyMove } from './confirm-money.ts'
import type { Monitoring } from './monitoring.ts'
import type { Services } from './services.ts'

/** The run of a command: its settings and services, its output, and its questions. Every command is one, and hands itself on to the function that does its work. */
export interface CommandContext {
  /** Settings with their sources, folders and environment. */
  readonly settings: Config
  /** The profile of this run. A live profile must have been named by flag or environment. */
  readonly profile: NamedProfile
  /** Clients of the profile's services, its local world and its book. Each is opened at its first use. */
  readonly services: Services
  /** Aborted by the first signal. Finish the current unit and return what is done. */
  readonly stop: AbortSignal
  /** Words of the command, such as `wallet apply`. */
  readonly words: string
  /** Arguments and flags that name what the run changes, such as `amy 250.50 USD`. Without texts and secrets. */
  readonly subject: string
  /** Program name and version, such as `countroom 1.2.0`. */
  readonly tool: string
  readonly isDryRun: boolean
  /** Total time a request may wait for a busy service (`--max-wait`), if given. */
  readonly maxWaitMs: number | undefined

  /** Pings, metrics and notifications of this run. */
  readonly monitoring: Monitoring
  readonly screen: Screen
  readonly prompts: Prompts
  /** True if the flags ask for rows, so that people get the table too. */
  readonly wantsTable: boolean

  /** Adds a line of output for people. It is printed only after a successful run or by `flush`, so that a failure otherwise leaves stdout empty. */
  log(message?: string): void
  /** Adds a table for people, or CSV with the list flags. */
  table(rows: readonly Row[], columns: readonly (Column | string)[], whenEmpty?: string): void
  /** Adds one object for people, as names and values. */
  fields(row: Row, columns?: readonly (Column | string)[]): void
  /** Adds free text for people, laid out for the screen. Dropped with --csv. */
  text(make: (page: { readonly width: number; readonly paint: Paint }) => string): void
  /**
   * Prints the output so far, because the rest takes a moment to read. What is printed stays when the run fails.
   * Returns false when the reader left or a signal came.
   */
  flush(): Promise<boolean>
  /**
   * Prints rows of a list at once with `--jsonl`; without it the command's table prints them. Returns false when the reader
   * left or a signal came. Rows printed here are not printed again at the end.
   */
  rows(rows: readonly Row[]): Promise<boolean>
  /**
   * Writes one row at once: compact JSON with `--json`, else the text of `human`. Returns false when the reader left or a
   * signal came. A command that only reads then returns; one that moves money continues.
   */
  line(row: object, human: () => string): Promise<boolean>
  /** Prints a line on stderr, except with `--quiet`. */
  note(text: string): void
  /** Prints a line on stderr below the result. Dropped when the run fails. */
  footnote(text: string): void
  /** Prints a line on stderr with `--verbose` only. */
  detail(text: string): void
  /** Prints a warning on stderr for people, and adds it to `warnings` for programs. */
  warn(input: Error | string): Error | string
  progress(label: string, total?: number): Progress
  /** Cuts a list at `--limit`. Pass one row beyond the limit, so that `more` shows whether there are others. */
  upTo<Row>(limit: number, rows: readonly Row[]): { rows: Row[]; more: boolean }

  /** Asks for confirmation of a transfer of real money. Returns at once for other profiles and on a dry run. */
  confirmMoney(move: MoneyMove): Promise<void>
  /** Asks for confirmation of a change that is hard to undo. */
  confirmDanger(action: string): Promise<void>
  /** Asks for confirmation of a change on a live profile. Returns at once for other profiles and on a dry run. */
  confirmEdit(action: string): Promise<void>

  /** Marks a run with a result as failed: the result is printed, and the exit code is that of this problem. */
  endWith(code: string, message: string, detail?: Record<string, unknown>): void
  /** Exits with the code of another program that this run was for. A signal still decides. */
  exitWith(code: number): void
  /** Registers a function to call when the command ends, last one first. */
  closeLater(close: () => Promise<unknown> | unknown): void
}
