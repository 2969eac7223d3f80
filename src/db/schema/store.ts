import type { FaultKind, FaultStatus, FaultyService } from '../../domain/faults.ts'
import type { Counter, Credential } from '../../domain/login-attempts.ts'

/** What the store keeps for itself, in every database. */
export interface StoreTables {
  store_migrations: MigrationRow
  store_counters: CounterRow
  store_once: OnceRow
  store_world: WorldRow
  store_faults: FaultRow
  store_login_attempts: LoginAttemptsRow
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
  /** The base of the URLs that are handed out, as it was said when the world was last served. */
  public_url: string | null
  /** 1 where callbacks go to public addresses only, also from a world served on loopback. */
  public_callbacks: number | null
  /** 1 where faults may be set although the world is served to more than this machine. */
  allows_faults: number | null
}

/** Something that a world does wrong on purpose. */
export interface FaultRow {
  id: number
  kind: FaultKind
  /** Null: every service that answers. */
  service: FaultyService | null
  /** Null: all of them. */
  endpoint: string | null
  status: FaultStatus | null
  /** The error code of a `refuse`. */
  code: string | null
  retry_after_seconds: number | null
  for_ms: number | null
  times: number | null
  every: number
  /** In a million. */
  chance: number
  until: number | null
  /** What its chance is drawn from. */
  seed: string
  met: number
  hits: number
  created_at: number
  /** 1 once the process that serves the world has it at hand. */
  taken_up: number
}

/** Failed attempts at a credential, under one counter. */
export interface LoginAttemptsRow {
  key: string
  credential: Credential
  counter: Counter
  /** Null where failures are counted for an address alone. */
  merchant: string | null
  user_email: string | null
  /** An address, or the network of one. */
  address: string | null
  failures: number
  /** Attempts that were not let through, since the failures began. */
  refused: number
  last_failure_at: number | null
  last_success_at: number | null
}
