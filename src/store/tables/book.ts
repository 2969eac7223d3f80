/** The operator's own record, all beginning with `book_`. */
export type BookTables = Record<never, never>
