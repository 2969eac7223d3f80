import { Problem } from '../../../kit/problem.ts'
import type { Table } from '../../../services/casino/api/schemas/index.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { rememberNames } from '../../framework/completion.ts'
import { Args, dangerFlags } from '../../framework/flags.ts'
import { plannedRequest, plannedSchema, plannedText } from '../../outcome/dry-run.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const tableArgs = { table: Args.string({ required: true, description: 'Table ID' }) }
export const tableFlags = { ...dangerFlags }

/** Price of an enabled table per month on the paid plan (1-tenant-api, Billing). */
const monthUsd = 100

/** Base class of commands that enable and disable a table. */
export abstract class TableSwitchCommand extends CountroomCommand {
  static override writes = true
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    return Type.Object({
      tableId: Type.String(),
      enabled: Type.Boolean({ description: 'State after the call; in a dry run, the state it would have.' }),
      changed: Type.Boolean(),
      used: Type.Integer({ description: 'Number of enabled tables.' }),
      quota: Type.Union([Type.Integer(), Type.Null()], { description: 'Null on the paid plan, which has no quota.' }),
      monthlyUsd: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Monthly cost of the enabled tables. Null on a plan with a quota.',
      }),
      dryRun: Type.Boolean(),
      request: plannedSchema(shapes),
    })
  }

  protected async turn(tableId: string, enabled: boolean) {
    if (tableId === '') throw new Problem('INVALID_PARAMETER', 'TABLE must not be empty', { remoteCode: null })
    const { casino } = await this.services.casino()
    const { tables } = await casino.tables({})
    rememberNames(
      this.settings.paths,
      'tables',
      tables.map((table) => table.tableId),
    )
    const table = theTable(tables, tableId)
    const changed = table.enabled !== enabled
    if (this.isDryRun) return this.#planned(tables, table, enabled)
    if (changed && !enabled)
      await this.confirmDanger(`Disable ${nameOf(table)}; players at the table lose access at once`)
    const done = enabled
      ? await casino.enableTable({ body: { tableId } })
      : await casino.disableTable({ body: { tableId } })
    const monthlyUsd = monthlyOf(done)
    this.log(`${nameOf(table)} is ${changed ? 'now' : 'already'} ${enabled ? 'enabled' : 'disabled'}.`)
    this.log(
      done.quota === null
        ? `${done.used === 1 ? '1 table is' : `${done.used} tables are`} enabled: USD ${monthlyUsd} a month, billed per day.${costNote(changed, enabled)}`
        : `${done.used} of ${done.quota} tables are enabled.`,
    )
    return { ...done, changed, monthlyUsd, dryRun: false, request: null }
  }

  /** Returns the request and the new number of tables. Rejects what the platform would reject. */
  async #planned(tables: readonly Table[], { tableId, enabled: isEnabled }: Table, enabled: boolean) {
    const { casino } = await this.services.casino()
    const { tablesQuota: quota, state } = await casino.account({})
    const changed = isEnabled !== enabled
    const used = tables.filter((each) => each.enabled).length + (changed ? (enabled ? 1 : -1) : 0)
    if (enabled && (state === 'SUSPENDED' || state === 'CLOSED'))
      throw new Problem('ACCOUNT_LOCKED', `The account is ${state}, so tables cannot be enabled`, { state })
    if (enabled && changed && quota !== null && used > quota)
      throw new Problem('QUOTA_EXCEEDED', `The quota of ${quota} tables is used up. Disable a table first`, { quota })
    const request = plannedRequest(enabled ? 'enableTable' : 'disableTable', { body: { tableId } })
    this.log(plannedText(request))
    this.footnote(
      `Valid; nothing was sent.${changed ? '' : ` ${tableId} is already ${enabled ? 'enabled' : 'disabled'}.`}`,
    )
    return { tableId, enabled, changed, used, quota, monthlyUsd: monthlyOf({ used, quota }), dryRun: true, request }
  }
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
  const found = tables.find((table) => table.tableId === tableId)
  if (found) return found
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
