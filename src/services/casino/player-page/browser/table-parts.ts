import type { Api } from './api.ts'
import type { TableView } from './views.ts'

/** Functions of the page that parts of a table use. */
export interface TableHooks {
  readonly api: Api
  mayBet(): boolean
  /** Shows the result of a player's request, or why it was refused. */
  after(order: Promise<TableView>): Promise<boolean>
  tell(text: string): void
}

/** The betting area: on the felt, and below it. */
export interface Betting {
  readonly zones: HTMLElement
  readonly dock: HTMLElement
  show(view: TableView): void
  /** Returns whether the key meant something here. */
  key(event: KeyboardEvent): boolean
}
