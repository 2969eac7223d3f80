import { ageText } from '../../../../domain/reconcile/breaks.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import { platformNow } from '../../../../operator/book/cursor-position.ts'
import { toBreakView, toEventView } from '../../../../operator/reconcile/breaks/record.ts'
import type { BreakView } from '../../../../operator/reconcile/breaks/schema.ts'
import { breakNamed } from '../../../../operator/reconcile/breaks/store.ts'
import type { CommandContext } from '../../../context/context.ts'

/** Prints a break and its history. */
export async function showBreak(context: CommandContext, id: string) {
  const { book } = await context.services.book()
  const { row, events } = await breakNamed(book, id)
  const shown = toBreakView(row, await platformNow(book))
  const fields = fieldsOf(shown)
  context.fields(
    fields,
    Object.entries(fields).flatMap(([key, value]) => (value === null ? [] : [key])),
  )
  context.log()
  const history = events.map(toEventView)
  context.table(history, ['at', 'who', 'what', { key: 'text', title: '' }])
  context.footnote(`To analyze it: countroom reconcile explain ${row.id}`)
  return { break: shown, detail: JSON.parse(row.detail), history }
}

function fieldsOf({ id, message, amount, currency, state, reason, ageMs, owner, foundAt, times }: BreakView) {
  return {
    id,
    what: message,
    amount: amount === null ? null : `${amount} ${currency ?? ''}`.trim(),
    state: reason === null ? state : `${state}: ${reason}`,
    age: ageMs === null ? null : ageText(ageMs),
    owner,
    found: `${minuteText(foundAt)}, by ${countText(times, 'run')} so far`,
  }
}
