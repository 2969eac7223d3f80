import type { Api } from './api.ts'
import type { TableView } from './views.ts'

/** What the parts of a table do through the page around them. */
export interface TableHooks {
  readonly api: Api
  mayBet(): boolean
  /** Shows what an order of the player led to, or why it was refused. */
  after(order: Promise<TableView>): Promise<boolean>
  tell(text: string): void
}

/** Where a player bets: on the felt, and below it. */
export interface Betting {
  readonly zones: HTMLElement
  readonly dock: HTMLElement
  show(view: TableView): void
  /** Returns whether the key meant something here. */
  key(event: KeyboardEvent): boolean
}
