import type { FaultKind, FaultStatus, FaultyService } from '../../domain/faults.ts'
import type { Counter, Credential } from '../../domain/login-attempts.ts'

/** Tables of the store itself, in every database. */
export interface StoreTables {
  store_migrations: MigrationRow
  store_counters: CounterRow
  store_once: OnceRow
  store_world: WorldRow
  store_faults: FaultRow
  store_login_attempts: LoginAttemptsRow
}

/** An applied migration. */
export interface MigrationRow {
  /** 1 for the first migration. */
  position: number
  name: string
  /** Schema it belongs to: a world's database is never used as a book. */
  of: 'world' | 'book'
}

/** A named series of numbers, and the last one taken. */
export interface CounterRow {
  series: string
  value: number
}

/** An answered request under its idempotency key. */
export interface OnceRow {
  scope: string
  key: string
  /** SHA-256 of the request. */
  fingerprint: string
  /** JSON; null only until the result is stored. */
  answer: string | null
  expires_at: number
}

/** State of a world; one row. */
export interface WorldRow {
  id: 'world'
  /** Milliseconds the world's clock is ahead of the machine's. */
  clock_offset: number
  /** Seed of randomness and ids, for repeatable worlds. */
  seed: string | null
  /** Number of times a seeded world was opened: each opening gets its own stream. */
  runs: number
  /** URL at which the world is being served. */
  served_url: string | null
  /** Base of the URLs that are handed out, as configured when the world was last served. */
  public_url: string | null
  /** 1 if callbacks go to public addresses only, also from a world served on loopback. */
  public_callbacks: number | null
  /** 1 if faults may be set although other machines can reach the world. */
  allows_faults: number | null
  /** Token of the process that serves the world, for what only it has in memory; null if it gives nothing out. */
  desk_token: string | null
  /** Changes when a snapshot is loaded; null before the first time. */
  timeline: string | null
  /** JSON of the load of a snapshot that is running, or was interrupted; null if none is. */
  loading: string | null
}

/** An injected fault. */
export interface FaultRow {
  id: number
  kind: FaultKind
  /** Null for every service. */
  service: FaultyService | null
  /** Null for all endpoints. */
  endpoint: string | null
  status: FaultStatus | null
  /** Error code of a `refuse`. */
  code: string | null
  retry_after_seconds: number | null
  for_ms: number | null
  times: number | null
  every: number
  /** Probability in millionths. */
  chance: number
  until: number | null
  /** Seed of its probability draws. */
  seed: string
  met: number
  hits: number
  created_at: number
  /** 1 once the serving process has loaded it. */
  taken_up: number
}

/** Failed attempts at a credential, under one counter. */
export interface LoginAttemptsRow {
  key: string
  credential: Credential
  counter: Counter
  /** Null when failures are counted for an address alone. */
  merchant: string | null
  user_email: string | null
  /** An address, or its network. */
  address: string | null
  failures: number
  /** Refused attempts since the failures began. */
  refused: number
  last_failure_at: number | null
  last_success_at: number | null
}
