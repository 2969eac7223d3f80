import type { JobFigures } from '../../domain/monitoring/metrics.ts'
import type { Book } from '../book/book.ts'
import { bookPosition, platformTime } from '../book/cursor-position.ts'

/** Returns the figures of a book for the metrics of a job. */
export function bookFigures(book: Book, now: number): Promise<Pick<JobFigures, 'lag' | 'rows' | 'breaksOpen'>> {
  return book.store.read(async (reader) => {
    const position = await bookPosition(reader)
    const caughtUpAt = position?.caught_up_at ?? null
    const { rows } = await reader.q
      .selectFrom('book_months')
      .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('rows'), lit(0)).as('rows'))
      .executeTakeFirstOrThrow()
    const { open } = await reader.q
      .selectFrom('book_breaks')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    const lag = caughtUpAt === null ? {} : { lag: Math.max(0, platformTime(position, now) - caughtUpAt) / 1000 }
    return { ...lag, rows, breaksOpen: open }
  })
}
