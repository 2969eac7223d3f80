import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SummaryPlayerRow, SummaryRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { limits } from '../../../domain/account/plan-limits.ts'
import { type Counted, type DaySums, noSlips, withRevision } from '../../../domain/bets/slip.ts'
import { formatUnits, parseAmount, playerScale } from '../../../domain/money.ts'
import { isDay } from '../../../domain/time/calendar.ts'
import { dayEnd, dayOf, dayStart } from '../../../domain/time/day.ts'
import { refuse } from '../api/contract.ts'
import type { SummaryItem } from '../api/schemas/index.ts'
import {
  type CountedSlip,
  firstBacklog,
  firstSettlementSince,
  insertSummary,
  removeBacklog,
  saveBacklog,
  saveCounted,
  saveSummaryPlayers,
  summariesAround,
  summaryOf,
  summaryPlayers,
  topPlayers,
  uncountedSlips,
} from '../queries/summaries.ts'
import { tenantOf } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'

/*
 * The summary of a day is kept as running sums, in the transactions that settle, correct and void its slips. A summary
 * is of a time span, not of a date, so that the sums stay right when the tenant's time zone is changed. Days without
 * running sums (from before there were any, or of another time zone) are counted in pages: a revision then enters the
 * sums if the count has passed its slip, and otherwise the count finds the slip as it is by then.
 */

/** Slips per page of a count: a few milliseconds, so that requests are served in between. */
const slipsPerPage = 200

/**
 * Returns the players' figures of a day in the tenant's zone, by the latest revision of each slip first settled on it.
 */
export async function readSummary(app: Casino, tenant: Tenant, date: string) {
  if (!isDay(date)) throw refuse('INVALID_PARAMETER', 'date must be an existing date, YYYY-MM-DD', { field: 'date' })
  const empty = emptySummary(tenant, dayStart(date, tenant.timezone), dayEnd(date, tenant.timezone))
  for (;;) {
    const players = await app.store.read((reader) => countedPlayers(reader, empty))
    if (players) return { date, timezone: tenant.timezone, players: players.map(toSummaryItem) }
    while (await app.store.write((tx) => countPage(tx, empty))) await nextTurn()
  }
}

/** Returns the players of a summary, or undefined if its slips are not all counted. */
async function countedPlayers(reader: Reader, key: SummaryRow): Promise<SummaryPlayerRow[] | undefined> {
  const known = await summaryOf(reader, key)
  if (known) return isWhole(known) ? topPlayers(reader, key, limits.summaryPlayers) : undefined
  const first = await firstSettlementSince(reader, key.tenant, key.starts_at, key.ends_at)
  return first === undefined ? [] : undefined
}

/** Counts the next slips of a summary; returns whether there may be more. */
async function countPage(tx: Tx, empty: SummaryRow): Promise<boolean> {
  const known = await summaryOf(tx, empty)
  if (known && isWhole(known)) return false
  const summary = known ?? empty
  if (!known) await insertSummary(tx, summary)
  const slips = await uncountedSlips(tx, summary, slipsPerPage)
  const last = slips.at(-1)
  const isEnd = !last || slips.length < slipsPerPage
  await addRevisions(
    tx,
    summary,
    slips.map((after) => ({ before: null, after })),
  )
  await saveCounted(tx, {
    ...summary,
    counted_at: isEnd ? null : last.first_settled_at,
    counted_slip: isEnd ? null : last.id,
  })
  return !isEnd
}

/** A slip before and after a revision. */
export interface SlipChange {
  readonly before: CountedSlip | null
  readonly after: CountedSlip
}

/** Adds revisions to the running sums of their days. Called before the slips are saved. */
export async function countRevisions(tx: Tx, changes: readonly SlipChange[]): Promise<void> {
  const settled = Map.groupBy(changes, ({ after }) => `${after.first_settled_at} ${after.tenant}`)
  for (const own of settled.values()) {
    const [first] = own
    assert(first && first.after.first_settled_at !== null, 'a revision belongs to a settled slip')
    const { tenant, first_settled_at: at } = first.after
    const summaries = await summariesAround(tx, tenant, at)
    const started = own.some(isFirst) ? await startedSummary(tx, tenant, at, summaries) : undefined
    for (const summary of started ? [...summaries, started] : summaries)
      await addRevisions(
        tx,
        summary,
        own.filter(({ after }) => hasCounted(summary, after)),
      )
  }
}

const isFirst = ({ before }: SlipChange) => before === null || before.first_settled_at === null

/** Starts the running sums of a day with its first settlement, unless the day has them or has slips to be counted. */
async function startedSummary(
  tx: Tx,
  code: string,
  at: number,
  known: readonly SummaryRow[],
): Promise<SummaryRow | undefined> {
  const tenant = await tenantOf(tx, code)
  assert(tenant, 'a slip belongs to a tenant')
  // Spans are compared only when the zone differs, because finding the ends of a day takes longer than all the rest.
  if (known.some(({ timezone }) => timezone === tenant.timezone)) return undefined
  const summary = { ...summaryAround(tenant, at), counted_at: null, counted_slip: null }
  if (known.some(({ starts_at, ends_at }) => starts_at === summary.starts_at && ends_at === summary.ends_at))
    return undefined
  if ((await firstSettlementSince(tx, code, summary.starts_at, summary.ends_at)) !== undefined) return undefined
  await insertSummary(tx, summary)
  return summary
}

/** Has the days that lack summaries in the tenant's present time zone counted by the periodic job. */
export async function countPastDays(tx: Tx, code: string): Promise<void> {
  await saveBacklog(tx, code, 0)
}

/** Counts slips of past days that have no running sums, in at most `limit` pages; returns their number. */
export async function countBacklog(app: Casino, limit: number): Promise<number> {
  for (let pages = 0; pages < limit; pages++) {
    if (!(await app.store.write(countBacklogPage))) return pages
    await nextTurn()
  }
  return limit
}

/** Counts the next page of the first tenant with uncounted days; returns whether there was one. */
async function countBacklogPage(tx: Tx): Promise<boolean> {
  const backlog = await firstBacklog(tx)
  if (!backlog) return false
  const tenant = await tenantOf(tx, backlog.tenant)
  const next = tenant && (await firstSettlementSince(tx, tenant.code, backlog.since))
  if (!tenant || next === undefined) await removeBacklog(tx, backlog.tenant)
  else {
    const summary = summaryAround(tenant, next)
    if (!(await countPage(tx, summary))) await saveBacklog(tx, tenant.code, summary.ends_at)
  }
  return true
}

/** Returns the summary of the tenant's day that includes a moment, with no slip counted. */
function summaryAround(tenant: TenantRow, at: number): SummaryRow {
  const day = dayOf(at, tenant.timezone)
  return emptySummary(tenant, dayStart(day, tenant.timezone), dayEnd(day, tenant.timezone))
}

function emptySummary({ code, timezone }: Pick<TenantRow, 'code' | 'timezone'>, from: number, to: number): SummaryRow {
  return { tenant: code, starts_at: from, ends_at: to, timezone, counted_at: from, counted_slip: '' }
}

function isWhole({ counted_at }: SummaryRow): boolean {
  return counted_at === null
}

/** Returns whether a slip is among those that a summary has counted. */
function hasCounted({ counted_at: at, counted_slip }: SummaryRow, slip: CountedSlip): boolean {
  if (at === null || slip.first_settled_at === null) return true
  return slip.first_settled_at < at || (slip.first_settled_at === at && slip.id <= (counted_slip ?? ''))
}

/** Adds revisions to the players' sums. On-site seats do not count. */
async function addRevisions(tx: Tx, summary: SummaryRow, changes: readonly SlipChange[]): Promise<void> {
  const own = Map.groupBy(
    changes.filter(({ after }) => after.onsite === 0),
    ({ after }) => after.username,
  )
  if (own.size === 0) return
  const known = await summaryPlayers(tx, summary, [...own.keys()])
  const sums = new Map(known.map((row) => [row.username, sumsOf(row)]))
  const rows = [...own].map(([username, slips]) => {
    const after = slips.reduce(
      (total, change) => withRevision(total, change.before && countedOf(change.before), countedOf(change.after)),
      sums.get(username) ?? noSlips,
    )
    return toRow(summary, username, after)
  })
  await saveSummaryPlayers(tx, rows)
}

/** Returns a slip's counted figures, or null before its first settlement. */
function countedOf(slip: CountedSlip): Counted | null {
  if (slip.status === 'placed') return null
  return {
    status: slip.status,
    stake: parseAmount(slip.stake),
    validStake: parseAmount(slip.valid_stake),
    rolling: parseAmount(slip.rolling),
    winLoss: parseAmount(slip.win_loss),
    rake: parseAmount(slip.rake),
  }
}

function sumsOf(row: SummaryPlayerRow): DaySums {
  return {
    slips: row.slips,
    stake: parseAmount(row.stake),
    validStake: parseAmount(row.valid_stake),
    rolling: parseAmount(row.rolling),
    payout: parseAmount(row.payout),
    winLoss: parseAmount(row.win_loss),
    rake: parseAmount(row.rake),
  }
}

function toRow({ tenant, starts_at, ends_at }: SummaryRow, username: string, sums: DaySums): SummaryPlayerRow {
  return {
    tenant,
    starts_at,
    ends_at,
    username,
    rank: rankOf(sums.winLoss),
    slips: sums.slips,
    stake: amountText(sums.stake),
    valid_stake: amountText(sums.validStake),
    rolling: amountText(sums.rolling),
    payout: amountText(sums.payout),
    win_loss: amountText(sums.winLoss),
    rake: amountText(sums.rake),
  }
}

/** More than the units of as many slips as a day can have. */
const rankBase = 10n ** 30n

/** Returns a text whose order is that of the numbers, the greatest win first: neither engine compares decimal text. */
function rankOf(winLoss: bigint): string {
  assert(winLoss < rankBase && winLoss > -rankBase, `a sum of ${winLoss} units has no rank`)
  return (rankBase - winLoss).toString().padStart(31, '0')
}

/** Formats a daily sum, which may exceed the range of a single amount. */
function amountText(units: bigint): string {
  return formatUnits(units, playerScale)
}

function toSummaryItem(row: SummaryPlayerRow): SummaryItem {
  return {
    username: row.username,
    slips: row.slips,
    stake: row.stake,
    validStake: row.valid_stake,
    rolling: row.rolling,
    payout: row.payout,
    winLoss: row.win_loss,
    rake: row.rake,
  }
}
