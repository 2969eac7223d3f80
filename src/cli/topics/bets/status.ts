import { realDisk } from '../../../operator/bets/files/disk.ts'
import type { BetStatus } from '../../../operator/bets/schema.ts'
import { betStatus, damagedFiles } from '../../../operator/bets/status.ts'
import type { CommandContext } from '../../context/context.ts'

/** Prints the status of the book, and fails if it is ahead of the platform or a checked file is damaged. */
export async function showBetStatus(context: CommandContext, { verify }: { readonly verify: boolean }) {
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
      `${damaged.length === 1 ? '1 file is' : `${damaged.length} files are`} missing or damaged. Write again: countroom bets export --out ${damaged[0]?.folder ?? 'bets'}`,
      { files: damaged },
    )
  if (status.cursor === null) context.footnote('Nothing was synced yet. Run: countroom bets sync --out bets')
  return status
}

function printStatus(context: CommandContext, status: BetStatus): void {
  const { owner, holder, months, runs, folders, alarms, ...figures } = status
  context.fields({
    tenant: owner ? `${owner.companyCode} (${owner.environment})` : 'none yet',
    ...Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== null)),
    writing: holder ? `process ${holder.pid} on ${holder.host} since ${holder.startedAt}` : 'no process',
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
