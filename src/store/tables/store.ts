/** What the store keeps for itself, in every database. */
export interface StoreTables {
  store_migrations: MigrationRow
  store_counters: CounterRow
  store_once: OnceRow
  store_world: WorldRow
}

/** A step that the schema has taken. */
export interface MigrationRow {
  /** 1 for the first step. */
  position: number
  name: string
  /** Whose set of steps this is: a world's database is never taken for a book. */
  of: 'world' | 'book'
}

/** A named series of numbers, and the last one that was given out. */
export interface CounterRow {
  series: string
  value: number
}

/** A question that was answered under a key, so that it is not done again. */
export interface OnceRow {
  scope: string
  key: string
  /** SHA-256 of the question. */
  fingerprint: string
  /** JSON; null only inside the transaction that is working the answer out. */
  answer: string | null
  expires_at: number
}

/** What a world knows of itself; one row. */
export interface WorldRow {
  id: 'world'
  /** How far the world's clock is ahead of the machine's, milliseconds. */
  clock_offset: number
  /** The seed of chance and ids, where they are to repeat. */
  seed: string | null
  /** How often a seeded world was opened: each opening goes on with a stream of its own. */
  runs: number
  /** Where the world is served at the moment. */
  served_url: string | null
  /** 1 where callbacks go to public addresses only, also from a world served on loopback. */
  public_callbacks: number | null
}
