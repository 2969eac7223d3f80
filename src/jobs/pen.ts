import { Worker } from 'node:worker_threads'
import type { Alarm } from '../book/alarms.ts'
import type { Book } from '../book/book.ts'
import { type ArrivedPage, createTakePage, type TakenPage } from '../book/pages.ts'
import { toSlipRow } from '../book/slips.ts'
import type { Month } from '../domain/cursor.ts'
import type { PulledBet } from '../domain/pulled-bet.ts'
import { Problem } from '../kit/problem.ts'

/** What writes pages into a book. One page at a time. */
export interface Pen {
  take(page: PageForPen): Promise<TakenPage>
  close(): Promise<void>
}

/** A page as the reader has it. */
export interface PageForPen extends Omit<ArrivedPage, 'slips'> {
  /** The page's text and, read out of it, its records. */
  readonly body: string
  readonly items: readonly PulledBet[]
  /** The month of each record, or of all of them. */
  readonly months: readonly Month[] | Month
  readonly alarms: readonly Alarm[]
}

/** What goes to a pen in another thread: texts are copied fast, a thousand records are not. */
export type PageOverThere = Omit<PageForPen, 'items'>

/** How another thread answers. A refusal arrives as what it is made of, since its class does not travel. */
export type AnswerFromThere =
  | { readonly taken: TakenPage }
  | { readonly problem: { readonly code: string; readonly message: string; readonly detail: Record<string, unknown> } }
  | { readonly error: string }
  | 'open'

/** A pen in this thread. */
export function penHere(book: Book): Pen {
  const take = createTakePage(book)
  return {
    take: ({ items, months, after, nextCursor, caughtUpAt, alarms, exports }) =>
      take({ slips: rowsOf(items, months), after, nextCursor, caughtUpAt, alarms, exports }),
    close: async () => {},
  }
}

/** Records as rows of their months. */
export function rowsOf(items: readonly PulledBet[], months: PageForPen['months']): ArrivedPage['slips'] {
  return items.map((item, i) => toSlipRow(item, typeof months === 'string' ? months : (months[i] ?? '')))
}

/** How much memory the other thread may take: it holds two pages at most. */
const memoryMb = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 96 }

/**
 * A pen in a thread of its own, with its own opening of the book. Writing a page and making it durable takes about as long
 * as fetching the next one, and the driver of a file stands still while it does. This way both are done at once.
 */
export function penInThread(url: string): Pen {
  const isSource = import.meta.url.endsWith('.ts')
  const worker = new Worker(new URL(isSource ? './pen-thread.ts' : './pen-thread.js', import.meta.url), {
    workerData: { url },
    resourceLimits: memoryMb,
    // What this program was started with is not for threads, such as a test runner's own loaders.
    execArgv: [],
  })
  let waiting: PromiseWithResolvers<AnswerFromThere> | undefined
  let failure: Error | undefined
  const answered = (answer: AnswerFromThere) => waiting?.resolve(answer)
  worker.on('message', answered)
  const failed = (error: Error) => {
    failure ??= error
    waiting?.reject(failure)
  }
  worker.on('error', failed)
  worker.on('exit', () => failed(new Error('the thread that writes the book has ended')))
  const answer = async (): Promise<AnswerFromThere> => {
    if (failure) throw failure
    waiting = Promise.withResolvers()
    return waiting.promise
  }
  const opened = answer()
  opened.catch(() => {})
  return {
    async take({ items: _, ...page }) {
      refuseIfAny(await opened)
      const next = answer()
      worker.postMessage(page satisfies PageOverThere)
      const found = refuseIfAny(await next)
      if (typeof found === 'object' && 'taken' in found) return found.taken
      throw new Error('the thread that writes the book answered out of turn')
    },
    async close() {
      worker.removeAllListeners('exit')
      await opened.catch(() => {})
      const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
      if (failure) return
      worker.postMessage('close')
      await gone
    },
  }
}

function refuseIfAny(answer: AnswerFromThere): AnswerFromThere {
  if (typeof answer !== 'object' || 'taken' in answer) return answer
  if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.message, answer.problem.detail)
  throw new Error(answer.error)
}
