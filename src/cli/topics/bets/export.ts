import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { realSleep } from '../../../http/client/sleep.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { exportBets as exportAll } from '../../../operator/bets/export.ts'
import type { ExportFormat } from '../../../operator/bets/export-state.ts'
import { realDisk } from '../../../operator/bets/files/disk.ts'
import type { ExportSummary } from '../../../operator/bets/schema.ts'
import { durationOf } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { problemOf } from '../../outcome/exit-codes.ts'
import { exitCodeFor } from '../../outcome/run-exit.ts'
import { hasTerminal } from '../../terminal/has-terminal.ts'
import { outFolder } from '../../terminal/out-file.ts'
import { endedAfter } from '../../terminal/progress.ts'

/** Writes the files of all months from the book, and prints them. */
export async function exportBets(
  context: CommandContext,
  flags: {
    readonly out: string
    readonly format: ExportFormat
    readonly wait: string | undefined
    readonly force: boolean
  },
): Promise<ExportSummary> {
  const out = outFolder(flags.out)
  const waitMs = durationOf('wait', flags.wait) ?? 0
  const { book, url } = await context.services.book()
  const isNew = !existsSync(out)
  // In a cron job a successful run prints no progress.
  const progress = hasTerminal() ? context.progress('Bets') : undefined
  let done = 0
  const work = exportAll(
    {
      book,
      bookUrl: url,
      disk: realDisk,
      sleep: realSleep,
      stop: context.stop,
      runId: realAmbient().id(),
      me: lockHolder(context),
      tool: context.tool,
      report: {
        warn: (text) => void context.warn(text),
        waiting: () => context.note('Waiting for another run to finish'),
        written: (rows, month) => {
          done += rows
          progress?.update(done, month)
        },
      },
      exitOf: (end) => exitCodeFor('error' in end ? problemOf(end.error) : undefined),
    },
    { out, format: flags.format, waitMs, force: flags.force },
  )
  const summary = await (progress ? endedAfter(progress, work, () => `${countText(done, 'row')} written`) : work)
  if (isNew && existsSync(out)) context.note(`Created the folder ${resolve(out)}`)
  context.table(
    summary.files,
    ['file', 'rows', 'bytes', { key: 'sha256', whole: true }],
    'The book has no bets; no file was written.',
  )
  return summary
}
