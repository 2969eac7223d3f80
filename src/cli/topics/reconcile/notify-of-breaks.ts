import type { BookBreakRow } from '../../../db/schema/book.ts'
import { countText } from '../../../kit/text/count-text.ts'
import type { Book } from '../../../operator/book/book.ts'
import { breakNews } from '../../../operator/reconcile/breaks/news.ts'
import type { CommandContext } from '../../context/context.ts'
import { problemOf } from '../../outcome/exit-codes.ts'

/** Maximum number of breaks in a notification. */
const maxItems = 100

/**
 * Runs work that records breaks, with an entry in the audit trail before it, and notifies of those that it opened. Nothing is
 * read without a receiver, and a notification that fails is a warning.
 */
export async function notifyingOfBreaks<T>(context: CommandContext, book: Book, work: () => Promise<T>): Promise<T> {
  await context.services.auditChanges()
  if (context.settings.settings.notify === undefined) return work()
  const since = await book.store.read(async ({ now }) => now)
  try {
    return await work()
  } finally {
    await notifyOfBreaks(context, book, since).catch((error) => {
      context.warn(`Could not notify of breaks: ${problemOf(error).message}`)
    })
  }
}

async function notifyOfBreaks(context: CommandContext, book: Book, since: number): Promise<void> {
  const { found, reopened } = await book.store.read((reader) => breakNews(reader, context.words, since))
  const start = `countroom ${context.words} (${context.settings.settings.profile})`
  const count = countText(found.length, 'new break')
  if (found.length > 0)
    context.monitoring.notify({
      event: 'breaks.found',
      text: `${start}: ${textOf(count, found)}`,
      items: itemsOf(found),
    })
  const again = countText(reopened.length, 'break was found again', 'breaks were found again')
  if (reopened.length > 0)
    context.monitoring.notify({
      event: 'break.reopened',
      text: `${start}: ${textOf(again, reopened)}`,
      items: itemsOf(reopened),
    })
}

function textOf(count: string, rows: readonly BookBreakRow[]): string {
  const [first] = rows
  return `${count}. ${first?.message ?? ''}${rows.length > 1 ? `; and ${rows.length - 1} more` : ''}`
}

function itemsOf(rows: readonly BookBreakRow[]): object[] {
  return rows.slice(0, maxItems).map(({ id, kind, subject, date, player, currency, amount, message }) => ({
    ...{ id, kind, subject, date, player, currency, amount, message },
  }))
}
