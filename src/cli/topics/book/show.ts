import { statSync } from 'node:fs'
import { isDatabaseFile } from '../../../db/engines/database-name.ts'
import { type BookShown, showBook as show } from '../../../operator/book/show.ts'
import type { CommandContext } from '../../context/context.ts'

/** Prints the location and the contents of the book. */
export async function showBook(context: CommandContext): Promise<BookShown> {
  const { book, url } = await context.services.book()
  const shown = await show(book, url, isDatabaseFile(url) ? statSync(url).size : null)
  const { contents, repairs, holders, owner, ...figures } = shown
  context.fields({ ...figures, tenant: owner ? `${owner.companyCode} (${owner.environment})` : 'none yet' })
  context.log()
  context.table(contents, ['content', { key: 'rows', kind: 'count' }])
  if (repairs.length > 0) {
    context.log()
    context.table(repairs, ['date', 'at', 'who', 'added', 'replaced', 'removed'])
  }
  if (holders.length > 0) {
    context.log()
    context.table(holders, ['job', 'pid', 'host', 'command', 'startedAt'])
  }
  return shown
}
