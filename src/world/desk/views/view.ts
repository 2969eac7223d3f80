import type { Static, TObject } from 'typebox'
import type { World } from '../../world.ts'
import type { Receiver } from '../receiver.ts'

/** Dependencies of a view. */
export interface ViewDependencies {
  readonly world: World
  /** Address of the database, without its password. */
  readonly db: string
  readonly receiver: Receiver
}

/** A view of the desk: what one of its pages shows, read as a whole and sent again when it changed. */
export interface DeskView {
  readonly query: TObject
  read(dependencies: ViewDependencies, query: never): Promise<object>
}

/** Definition of a view whose `read` gets the query that its schema describes. */
export function view<Query extends TObject, Data extends object>(
  query: Query,
  read: (dependencies: ViewDependencies, query: Static<Query>) => Promise<Data>,
) {
  return { query, read }
}

/** Maximum number of rows in a list. */
export const maxRows = 100

/** Cuts a list that was read with one row more than it shows. */
export function upTo<Row>(rows: readonly Row[], limit = maxRows): { rows: Row[]; more: boolean } {
  return { rows: rows.slice(0, limit), more: rows.length > limit }
}
