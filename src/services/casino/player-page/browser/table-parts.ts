import type { Api } from './api.ts'
import type { TableView } from './views.ts'

/** Functions of the page that the components of a table call. */
export interface TableCallbacks {
  readonly api: Api
  mayBet(): boolean
  /**
   * Shows the result of a request. If it fails, shows the reason with its consequence, and the table as it is on the
   * server, because the request may have been executed. An answer that arrives after the table was left is ignored.
   * Returns whether the result was shown.
   */
  after(request: Promise<TableView>, consequence?: string): Promise<boolean>
  tell(text: string): void
}

/** The betting area: on the felt, and below it. */
export interface Betting {
  readonly zones: HTMLElement
  readonly dock: HTMLElement
  show(view: TableView): void
  /** Returns whether the key meant something here. */
  key(event: KeyboardEvent): boolean
  /** The table is left: nothing is sent any more. */
  close(): void
}
