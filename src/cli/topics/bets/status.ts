import { ageText } from '../../../domain/reconcile/breaks.ts'
import { minuteText } from '../../../kit/moment.ts'
import { quoted } from '../../../kit/shell-quote.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { realDisk } from '../../../operator/bets/files/disk.ts'
import type { BetStatus } from '../../../operator/bets/schema.ts'
import { betStatus, damagedFiles } from '../../../operator/bets/status.ts'
import { durationOf } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'

interface StatusFlags {
  readonly verify: boolean
  readonly 'max-lag': string | undefined
}

/** Prints the status of the book, and fails if it is ahead of the platform, out of date, or a checked file is damaged. */
export async function showBetStatus(context: CommandContext, { verify, 'max-lag': maxLag }: StatusFlags) {
  const maxLagMs = durationOf('max-lag', maxLag)
  const { book, url } = await context.services.book()
  const status = await betStatus({ book, bookUrl: url, disk: realDisk, now: Date.now }, { verify })
  printStatus(context, status)
  const damaged = damagedFiles(status)
  if (status.ahead)
    context.endWith(
      'DIFFERENCES',
      'The platform does not have the record that this book read last, so nothing was read since. For the next step: countroom bets sync --out bets',
      { cursor: status.cursor },
    )
  else if (damaged.length > 0)
    context.endWith(
      'DIFFERENCES',
      `${countText(damaged.length, 'file is', 'files are')} missing or damaged. Write again: countroom bets export --out ${quoted(damaged[0]?.folder ?? 'bets')}`,
      { files: damaged },
    )
  else if (maxLagMs !== undefined && (status.lagMs === null || status.lagMs > maxLagMs))
    context.endWith('STALE', staleText(status, maxLag ?? ''), { caughtUpAt: status.caughtUpAt, lagMs: status.lagMs })
  if (status.cursor === null) context.footnote('Nothing was synced yet. Run: countroom bets sync --out bets')
  return status
}

function staleText({ caughtUpAt, lagMs }: BetStatus, maxLag: string): string {
  const next = 'Run: countroom bets sync --out bets'
  if (caughtUpAt === null || lagMs === null) return `The book was never complete. ${next}`
  return `The book was last complete at ${minuteText(caughtUpAt)}, ${ageText(lagMs)} ago; the limit is ${maxLag}. ${next}`
}

function printStatus(context: CommandContext, status: BetStatus): void {
  const { owner, holder, months, runs, folders, alarms, lagMs, ...figures } = status
  context.fields({
    tenant: owner ? `${owner.companyCode} (${owner.environment})` : 'none yet',
    ...Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== null)),
    ...(lagMs === null ? {} : { lag: lagMs < 60_000 ? `${Math.round(lagMs / 1000)}s` : ageText(lagMs) }),
    writing: holder ? `process ${holder.pid} on ${holder.host} since ${minuteText(holder.startedAt)}` : 'no process',
  })
  const files = folders.flatMap(({ folder, files }) => files.map((file) => ({ folder, ...file })))
  printRows(context, months, ['month', 'rows'])
  printRows(context, files, ['folder', 'file', 'rows', 'bytes', 'state'])
  printRows(context, runs, ['startedAt', 'endedAt', 'state', 'exit'])
  printRows(context, alarms, ['kind', 'foundAt', 'message'])
}

function printRows(
  context: CommandContext,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
): void {
  if (rows.length === 0) return
  context.log()
  context.table(rows, columns)
}
