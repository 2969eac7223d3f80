/** Schemas of the tenant API and their types. */

export * from './account.ts'
export * from './bets.ts'
export * from './players.ts'
export * from './shared.ts'
export * from './tables.ts'
export * from './wallet.ts'
