import { Problem } from '../../../kit/problem.ts'
import type { Table } from '../../../services/casino/api/schemas/index.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { rememberNames } from '../../framework/completion.ts'
import { Args, dangerFlags } from '../../framework/flags.ts'
import { plannedRequest, plannedSchema, plannedText } from '../../outcome/dry-run.ts'

export const tableArgs = { table: Args.string({ required: true, description: 'The table' }) }
export const tableFlags = { ...dangerFlags }

/** What an enabled table costs in a month on the paid plan (1-tenant-api, Billing). */
const monthUsd = 100

/** What enabling and disabling a table have in common. */
export abstract class TableSwitchCommand extends CountroomCommand {
  static override writes = true
  static override exits = ['confirmation', 'permission', 'not-found', 'conflict', 'temporary'] as const
  static override data = async () => {
    const { Type } = await import('typebox')
    return Type.Object({
      tableId: Type.String(),
      enabled: Type.Boolean({ description: 'The state after the call, or what it would be' }),
      changed: Type.Boolean(),
      used: Type.Integer({ description: 'Tables enabled then' }),
      quota: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where there is none: on the paid plan' }),
      monthlyUsd: Type.Union([Type.Integer(), Type.Null()], {
        description: 'What the enabled tables cost in a month; null where a quota holds instead',
      }),
      dryRun: Type.Boolean(),
      request: await plannedSchema(),
    })
  }

  protected async turn(tableId: string, enabled: boolean) {
    if (tableId === '') throw new Problem('INVALID_PARAMETER', 'The table has no name', { remoteCode: null })
    const { casino } = await this.clients()
    const { tables } = await casino.tables({})
    rememberNames(
      this.settings.paths,
      'tables',
      tables.map((table) => table.tableId),
    )
    const table = theTable(tables, tableId)
    const changed = table.enabled !== enabled
    if (this.isDryRun) return this.#planned(tables, table, enabled)
    if (changed && !enabled) await this.confirmDanger(`Disable ${nameOf(table)}, which its players lose at once`)
    const done = enabled
      ? await casino.enableTable({ body: { tableId } })
      : await casino.disableTable({ body: { tableId } })
    const monthlyUsd = monthlyOf(done)
    this.log(
      `${nameOf(table)} ${changed ? 'is' : 'was'} ${enabled ? 'enabled' : 'disabled'}${changed ? '' : ' already'}.`,
    )
    this.log(
      done.quota === null
        ? `${done.used} tables are enabled: USD ${monthlyUsd} a month, charged by the day.${costNote(changed, enabled)}`
        : `${done.used} of ${done.quota} tables are enabled.`,
    )
    return { ...done, changed, monthlyUsd, dryRun: false, request: null }
  }

  /** The request, and how many tables there would be; refused where the platform would refuse it. */
  async #planned(tables: readonly Table[], { tableId, enabled: isEnabled }: Table, enabled: boolean) {
    const { casino } = await this.clients()
    const { tablesQuota: quota, state } = await casino.account({})
    const changed = isEnabled !== enabled
    const used = tables.filter((each) => each.enabled).length + (changed ? (enabled ? 1 : -1) : 0)
    if (enabled && (state === 'SUSPENDED' || state === 'CLOSED'))
      throw new Problem('ACCOUNT_LOCKED', `The account is ${state}: tables cannot be enabled`, { state })
    if (enabled && changed && quota !== null && used > quota)
      throw new Problem('QUOTA_EXCEEDED', `The quota of ${quota} tables is reached`, { quota })
    const request = plannedRequest(enabled ? 'enableTable' : 'disableTable', { body: { tableId } })
    this.log(plannedText(request))
    this.footnote(`Checked; nothing was sent.${changed ? '' : ` ${tableId} is so already.`}`)
    return { tableId, enabled, changed, used, quota, monthlyUsd: monthlyOf({ used, quota }), dryRun: true, request }
  }
}

/** What the enabled tables cost in a month, where it is not a quota that holds. */
function monthlyOf({ used, quota }: { used: number; quota: number | null }): number | null {
  return quota === null ? used * monthUsd : null
}

function costNote(changed: boolean, enabled: boolean): string {
  if (!changed) return ''
  return enabled ? ' This one is charged from today on.' : ' Today still counts for this one.'
}

function theTable(tables: readonly Table[], tableId: string): Table {
  const found = tables.find((table) => table.tableId === tableId)
  if (found) return found
  const ids = tables.map((table) => table.tableId)
  const near = nearest(tableId, ids)
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${ids.join(', ')}`
  throw new Problem('NOT_FOUND', `There is no table ${tableId}; ${hint}`, { tableId, nearest: near })
}

/** The table as people know it. */
function nameOf({ tableId, name }: Table): string {
  const english = name['ENG']
  return english === undefined ? tableId : `${tableId} (${english})`
}
