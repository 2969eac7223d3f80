import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transport, WireReply } from '../../../http/contract/wire-types.ts'
import { askForPage, type BetPage, type PendingPage, peekPage, readPage, type Start } from './read-page.ts'

/** A page, and the time of its request. */
export interface FetchedPage {
  readonly page: BetPage
  readonly requestedAt: number
}

/** Reads pages in order with at most one in advance: the next page is requested while the current one is processed. */
export interface PageStream {
  /**
   * Returns the page at a position, or undefined after a halt. If there is a next page, it is requested before this one is
   * parsed.
   */
  next(start: Start): Promise<FetchedPage | undefined>
  /** Cancels the page in progress. */
  drop(): void
}

export interface PageStreamOptions {
  readonly transport: Transport
  readonly pageSize: number
  readonly now: () => number
  /** Aborted when no more pages are wanted. */
  readonly halt: AbortSignal
}

export function createPageStream({ transport, pageSize, now, halt }: PageStreamOptions): PageStream {
  let ahead: { readonly page: PendingPage; readonly cancel: AbortController } | undefined
  const ask = (start: Start) => {
    const cancel = new AbortController()
    return { page: askForPage({ transport, pageSize, now }, start, AbortSignal.any([halt, cancel.signal])), cancel }
  }
  const drop = () => {
    ahead?.cancel.abort()
    ahead = undefined
  }
  const askAhead = async (reply: WireReply, start: Start) => {
    const seen = peekPage(reply)
    // A cursor that did not move is not requested in advance: the caller decides how often to try.
    if (!seen?.hasMore || isAt(start, seen.nextCursor) || halt.aborted) return
    ahead = ask({ cursor: seen.nextCursor })
    // The request is sent in the next turn of the event loop; parsing first would delay it.
    await nextTurn()
  }
  return {
    drop,
    async next(start) {
      if (ahead && !isSame(ahead.page.start, start)) drop()
      const { page: requested } = ahead ?? ask(start)
      ahead = undefined
      try {
        const reply = await requested.reply
        if (reply.status === 200) await askAhead(reply, start)
        return { page: readPage(start, reply), requestedAt: requested.requestedAt }
      } catch (error) {
        drop()
        if (halt.aborted) return undefined
        throw error
      }
    },
  }
}

/** Returns whether a page starts at that cursor. */
export function isAt(start: Start, cursor: string): boolean {
  return typeof start === 'object' && 'cursor' in start && start.cursor === cursor
}

function isSame(a: Start, b: Start): boolean {
  return typeof a === 'object' && 'cursor' in a && isAt(b, a.cursor)
}
