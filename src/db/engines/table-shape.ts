/** Columns of a table, as the database itself lists them. */
export interface TableShape {
  readonly name: string
  /** All columns, in the order of their names. */
  readonly columns: readonly string[]
  /** Columns of the primary key, in its order. Empty if the table has none. */
  readonly key: readonly string[]
}
