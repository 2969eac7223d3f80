import { partText } from '../../../../kit/text/count-text.ts'
import { platformNow } from '../../../../operator/book/cursor-position.ts'
import { closeByFile, closeRowsFromCsv } from '../../../../operator/reconcile/breaks/close-file.ts'
import { toBreakView } from '../../../../operator/reconcile/breaks/record.ts'
import type { CommandContext } from '../../../context/context.ts'
import { personHere } from '../../../context/operator-name.ts'
import { readBytes } from '../../../terminal/read-input.ts'
import { printable } from '../../../terminal/text.ts'

/** Closes the breaks of a CSV file: all or none, or with `isPartial` those whose rows are valid. */
export async function closeBreaksByFile(context: CommandContext, file: string, isPartial: boolean) {
  const { isDryRun } = context
  const operatorName = personHere(context.settings).name
  const rows = await closeRowsFromCsv(await readBytes(file))
  const { book } = await context.services.book()
  const closed = await closeByFile(book, rows, operatorName, { isPartial, isDryRun })
  const end = isDryRun ? ' (dry run: nothing was changed)' : ''
  for (const { id, reason, message } of closed.rows)
    context.log(`${id} is closed (${reason})${end}: ${printable(message)}`)
  for (const { line, message } of closed.refused) context.log(printable(`Line ${line} was skipped: ${message}`))
  const { length: refused } = closed.refused
  if (refused > 0)
    context.endWith(
      'BATCH_PARTLY',
      `${partText(refused, rows.length, 'row was', 'rows were')} skipped; the other breaks are closed`,
      {
        problems: closed.refused,
      },
    )
  const now = await platformNow(book)
  return {
    dryRun: isDryRun,
    breaks: closed.rows.map((row) => toBreakView(row, now)),
    refused: closed.refused,
  }
}
