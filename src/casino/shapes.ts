/** The shapes of the tenant API, and the types that come from them. */

export * from './shapes/account.ts'
export * from './shapes/bets.ts'
export * from './shapes/players.ts'
export * from './shapes/shared.ts'
export * from './shapes/tables.ts'
export * from './shapes/wallet.ts'
