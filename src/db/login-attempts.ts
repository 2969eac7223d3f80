import ipaddr from 'ipaddr.js'
import {
  type Counter,
  type Credential,
  countedFailures,
  counters,
  failureMemoryMs,
  knownMs,
  type Standing,
  standingOf,
} from '../domain/login-attempts.ts'
import type { LoginAttemptsRow } from './schema/store.ts'
import type { Reader, Tx } from './store.ts'

/** A login attempt. */
export interface Attempt {
  readonly credential: Credential
  readonly merchant: string
  readonly email: string
  /** IP address of the request. */
  readonly address: string
}

/**
 * Starts an attempt. It counts as failed until it succeeds, so that concurrent attempts and killed processes are
 * counted too. Refuses an attempt that has to wait or meets a lock.
 */
export async function beginAttempt(tx: Tx, attempt: Attempt): Promise<Standing> {
  const rows = await rowsOf(tx, attempt)
  const isKnown = isKnownAt(rows.pair, tx.now)
  const standings = counters.map((counter) => {
    const row = rows[counter]
    // Failures from other addresses do not delay a user who has logged in from here before.
    const isExempt = attempt.credential === 'password' && counter !== 'pair' && isKnown
    return {
      row,
      standing: isExempt ? ({ kind: 'open' } as const) : standingOf(row.credential, counter, attemptsOf(row), tx.now),
    }
  })
  const blocking = standings.filter(({ standing }) => standing.kind !== 'open')
  for (const { row } of blocking) await save(tx, { ...row, refused: row.refused + 1 })
  const worst = blocking.map(({ standing }) => standing).toSorted((a, b) => waitOf(b) - waitOf(a))[0]
  if (worst) return worst
  for (const { row } of standings) {
    const failures = countedFailures(row.credential, row.counter, attemptsOf(row), tx.now)
    await save(tx, {
      ...row,
      failures: failures + 1,
      refused: failures === 0 ? 0 : row.refused,
      last_failure_at: tx.now,
    })
  }
  return { kind: 'open' }
}

/** Records a success: removes this user's failures from this address, also from the wider counters. */
export async function attemptSucceeded(tx: Tx, attempt: Attempt): Promise<void> {
  const rows = await rowsOf(tx, attempt)
  const { failures } = rows.pair
  await save(tx, { ...rows.pair, failures: 0, refused: 0, last_failure_at: null, last_success_at: tx.now })
  for (const counter of counters) {
    const row = rows[counter]
    if (counter !== 'pair') await save(tx, { ...row, failures: Math.max(0, row.failures - failures) })
  }
}

/** Selects counters; all given fields must match. */
export interface AttemptFilter {
  readonly merchant?: string | undefined
  readonly email?: string | undefined
  readonly address?: string | undefined
}

/** A counter with failures, and its effect on the next attempt. */
export interface ListedAttempts {
  readonly row: LoginAttemptsRow
  readonly standing: Standing
}

/** Lists counters whose failures still count, locked ones first, then by the latest failure. */
export async function listAttempts(reader: Reader, filter: AttemptFilter = {}): Promise<ListedAttempts[]> {
  const rows = (await matching(reader, filter)).filter(
    (row) => countedFailures(row.credential, row.counter, attemptsOf(row), reader.now) > 0,
  )
  return rows
    .map((row) => ({ row, standing: standingOf(row.credential, row.counter, attemptsOf(row), reader.now) }))
    .toSorted(
      (a, b) =>
        Number(b.standing.kind === 'locked') - Number(a.standing.kind === 'locked') ||
        (b.row.last_failure_at ?? 0) - (a.row.last_failure_at ?? 0) ||
        (a.row.key < b.row.key ? -1 : 1),
    )
}

/** Deletes the failures of these counters with their delays and locks; returns how many counters had some. */
export async function unlockAttempts(tx: Tx, filter: AttemptFilter): Promise<number> {
  const rows = (await matching(tx, filter)).filter(({ failures }) => failures > 0)
  for (const row of rows) await save(tx, { ...row, failures: 0, refused: 0, last_failure_at: null })
  return rows.length
}

/** Deletes old failures that lock nothing, and users who have not been at an address for long. */
export async function forgetAttempts(tx: Tx, limit: number): Promise<number> {
  const old = await tx.q
    .selectFrom('store_login_attempts')
    .selectAll()
    .where((is) => is.or([is('last_failure_at', '<=', tx.now - failureMemoryMs), is('last_failure_at', 'is', null)]))
    .where((is) => is.or([is('last_success_at', '<=', tx.now - knownMs), is('last_success_at', 'is', null)]))
    .limit(limit * 2)
    .execute()
  const keys = old
    .filter((row) => countedFailures(row.credential, row.counter, attemptsOf(row), tx.now) === 0)
    .slice(0, limit)
    .map(({ key }) => key)
  if (keys.length > 0) await tx.q.deleteFrom('store_login_attempts').where('key', 'in', keys).execute()
  return keys.length
}

/**
 * Returns the network that an address counts for: itself, or the first half of an IPv6 address, which one customer of a
 * provider has.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
}

function matching({ q }: Reader, { merchant, email, address }: AttemptFilter): Promise<LoginAttemptsRow[]> {
  let query = q.selectFrom('store_login_attempts').selectAll().where('failures', '>', 0)
  if (merchant !== undefined) query = query.where('merchant', '=', merchant)
  if (email !== undefined) query = query.where('user_email', '=', email)
  if (address !== undefined) query = query.where('address', '=', networkOf(address))
  return query.execute()
}

/** Returns the four counters of an attempt, stored or new. */
async function rowsOf({ q }: Reader, { credential, merchant, email, address }: Attempt) {
  const network = networkOf(address)
  const subjects = {
    pair: { merchant, user_email: email, address: network },
    user: { merchant, user_email: email, address: null },
    merchant: { merchant, user_email: null, address: null },
    address: { merchant: null, user_email: null, address: network },
  } as const satisfies Record<Counter, object>
  const fresh = (counter: Counter): LoginAttemptsRow => ({
    // Only the email address may contain a space; the parts around it never do.
    key: [credential, counter, ...Object.values(subjects[counter]).map((part) => part ?? '')].join(' '),
    credential,
    counter,
    ...subjects[counter],
    failures: 0,
    refused: 0,
    last_failure_at: null,
    last_success_at: null,
  })
  const all = { pair: fresh('pair'), user: fresh('user'), merchant: fresh('merchant'), address: fresh('address') }
  const rows = await q
    .selectFrom('store_login_attempts')
    .selectAll()
    .where(
      'key',
      'in',
      Object.values(all).map(({ key }) => key),
    )
    .execute()
  for (const row of rows) all[row.counter] = row
  return all
}

async function save({ q }: Tx, row: LoginAttemptsRow): Promise<void> {
  const { key: _key, ...change } = row
  await q
    .insertInto('store_login_attempts')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(change))
    .execute()
}

const attemptsOf = ({ failures, last_failure_at }: LoginAttemptsRow) => ({ failures, lastFailureAt: last_failure_at })

function isKnownAt({ last_success_at }: LoginAttemptsRow, now: number): boolean {
  return last_success_at !== null && last_success_at + knownMs > now
}

function waitOf(standing: Standing): number {
  return standing.kind === 'locked' ? Number.POSITIVE_INFINITY : standing.kind === 'waiting' ? standing.waitMs : 0
}
