/** An existing table whose columns are all required, with the primary key it gets. */
export interface KeyedTable {
  readonly name: string
  readonly columns: readonly (readonly [name: string, type: 'text' | 'integer' | 'bigint'])[]
  readonly key: readonly string[]
}
