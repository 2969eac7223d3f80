/** The other thread of a pen: opens the book of its URL and takes the pages it is sent, one after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Book, openBook } from '../book/book.ts'
import { createTakePage } from '../book/pages.ts'
import { isProblem } from '../kit/problem.ts'
import { recordsOf } from './bet-reader.ts'
import { type AnswerFromThere, type PageOverThere, rowsOf } from './pen.ts'

const say = (answer: AnswerFromThere) => parentPort?.postMessage(answer)

function refused(error: unknown): AnswerFromThere {
  if (!isProblem(error)) return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  // What does not travel between threads is left behind; the codes and words are what is needed.
  return { problem: { code: error.code, message: error.message, detail: JSON.parse(JSON.stringify(error.detail)) } }
}

function serve(book: Book): void {
  const take = createTakePage(book)
  parentPort?.on('message', async (page: PageOverThere | 'close') => {
    if (page === 'close') {
      await book.close()
      parentPort?.close()
      return
    }
    const { body, months, after, nextCursor, caughtUpAt, alarms, exports } = page
    try {
      const slips = rowsOf(recordsOf(body), months)
      say({ taken: await take({ slips, after, nextCursor, caughtUpAt, alarms, exports }) })
    } catch (error) {
      say(refused(error))
    }
  })
  say('open')
}

try {
  serve(await openBook(workerData.url))
} catch (error) {
  say(refused(error))
}
