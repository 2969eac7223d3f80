import { platformNow } from '../../../../operator/book/cursor-position.ts'
import { applyToBreaks, type BreakAction } from '../../../../operator/reconcile/breaks/actions.ts'
import { toBreakView } from '../../../../operator/reconcile/breaks/record.ts'
import type { CommandContext } from '../../../context/context.ts'
import { personHere } from '../../../context/operator-name.ts'
import { printable } from '../../../terminal/text.ts'

/** Changes all named breaks or none, and prints one line for each. `result` is the state after the change, such as "is open". */
export async function changeBreaks(
  context: CommandContext,
  ids: readonly string[],
  action: BreakAction,
  result: string,
) {
  const { isDryRun } = context
  const operatorName = personHere(context.settings).name
  const { book } = await context.services.book()
  const rows = await applyToBreaks(book, ids, operatorName, action, { isDryRun })
  for (const { id, message } of rows)
    context.log(`${id} ${result}${isDryRun ? ' (dry run: nothing was changed)' : ''}: ${printable(message)}`)
  const now = await platformNow(book)
  return { dryRun: isDryRun, breaks: rows.map((row) => toBreakView(row, now)) }
}
