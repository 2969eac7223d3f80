/** The casino's tables, all beginning with `casino_`. */
export type CasinoTables = Record<never, never>
