import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import type { Table } from '../../../services/casino/api/schemas/index.ts'
import type { CommandContext } from '../../context/context.ts'
import { rememberNames } from '../../framework/completion.ts'
import { plannedRequest, plannedText } from '../../outcome/dry-run.ts'

/** Price of an enabled table per month on the paid plan (1-tenant-api, Billing). */
const monthUsd = 100

/** Enables or disables a table, and prints the state and the cost after it. */
export async function switchTable(context: CommandContext, tableId: string, enabled: boolean) {
  if (tableId === '') throw new Problem('INVALID_PARAMETER', 'TABLE must not be empty', { remoteCode: null })
  const { casino } = await context.services.casino()
  const { tables } = await casino.tables({})
  rememberNames(
    context.settings.paths,
    'tables',
    tables.map((table) => table.tableId),
  )
  const table = theTable(tables, tableId)
  const changed = table.enabled !== enabled
  if (context.isDryRun) return plannedSwitch(context, tables, table, enabled)
  if (changed && !enabled)
    await context.confirmDanger(`Disable ${nameOf(table)}; players at the table lose access at once`)
  if (changed && enabled) await context.confirmEdit(`Enable ${nameOf(table)}, which can be billed,`)
  const done = enabled
    ? await casino.enableTable({ body: { tableId } })
    : await casino.disableTable({ body: { tableId } })
  const monthlyUsd = monthlyOf(done)
  context.log(`${nameOf(table)} is ${changed ? 'now' : 'already'} ${enabled ? 'enabled' : 'disabled'}.`)
  context.log(
    done.quota === null
      ? `${countText(done.used, 'table is', 'tables are')} enabled: USD ${monthlyUsd} a month, billed per day.${costNote(changed, enabled)}`
      : `${done.used} of ${done.quota} tables are enabled.`,
  )
  return { ...done, changed, monthlyUsd, dryRun: false, request: null }
}

/** Returns the request and the new number of tables. Rejects what the platform would reject. */
async function plannedSwitch(
  context: CommandContext,
  tables: readonly Table[],
  { tableId, enabled: isEnabled }: Table,
  enabled: boolean,
) {
  const { casino } = await context.services.casino()
  const { tablesQuota: quota, state } = await casino.account({})
  const changed = isEnabled !== enabled
  const used = tables.filter((each) => each.enabled).length + (changed ? (enabled ? 1 : -1) : 0)
  if (enabled && (state === 'SUSPENDED' || state === 'CLOSED'))
    throw new Problem(
      'ACCOUNT_LOCKED',
      `The account is ${state}, so tables cannot be enabled. To see why: countroom account show`,
      { state },
    )
  if (enabled && changed && quota !== null && used > quota)
    throw new Problem(
      'QUOTA_EXCEEDED',
      `The quota of ${quota} tables is used up. Disable a table first; to list them: countroom tables list --enabled`,
      { quota },
    )
  const request = plannedRequest(enabled ? 'enableTable' : 'disableTable', { body: { tableId } })
  context.log(plannedText(request))
  context.footnote(
    `Valid; nothing was sent.${changed ? '' : ` ${tableId} is already ${enabled ? 'enabled' : 'disabled'}.`}`,
  )
  return { tableId, enabled, changed, used, quota, monthlyUsd: monthlyOf({ used, quota }), dryRun: true, request }
}

/** Returns the monthly cost of enabled tables, on plans without a quota. */
function monthlyOf({ used, quota }: { used: number; quota: number | null }): number | null {
  return quota === null ? used * monthUsd : null
}

function costNote(changed: boolean, enabled: boolean): string {
  if (!changed) return ''
  return enabled ? ' This table is billed from today.' : ' Today is still billed for this table.'
}

function theTable(tables: readonly Table[], tableId: string): Table {
  const match = tables.find((table) => table.tableId === tableId)
  if (match) return match
  const ids = tables.map((table) => table.tableId)
  const near = nearest(tableId, ids)
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `available tables: ${ids.join(', ')}`
  throw new Problem('NOT_FOUND', `Table ${tableId} not found; ${hint}`, { tableId, nearest: near })
}

/** Returns the ID and English name of a table. */
function nameOf({ tableId, name }: Table): string {
  const english = name['ENG']
  return english === undefined ? tableId : `${tableId} (${english})`
}
