import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transport } from '../../../http/contract/wire-types.ts'
import { askForPage, type BetPage, glimpse, type PageOnItsWay, readPage, type Start } from './read-page.ts'

/** A page, and the moment it was asked for. */
export interface ArrivedPage {
  readonly page: BetPage
  readonly askedAt: number
}

/** Reads pages one after another, at most one of them ahead: while a page is worked on, the next one is on its way. */
export interface PageStream {
  /**
   * The page that begins there, or nothing when there was a halt before it came. The next one, if there is more, is asked
   * for before this one is parsed.
   */
  next(start: Start): Promise<ArrivedPage | undefined>
  /** Gives up the page that is on its way. */
  drop(): void
}

export interface PageStreamOptions {
  readonly transport: Transport
  readonly pageSize: number
  readonly now: () => number
  /** Aborted when no further page is wanted. */
  readonly halt: AbortSignal
}

export function createPageStream({ transport, pageSize, now, halt }: PageStreamOptions): PageStream {
  let ahead: { readonly page: PageOnItsWay; readonly giveUp: AbortController } | undefined
  const ask = (start: Start) => {
    const giveUp = new AbortController()
    return { page: askForPage({ transport, pageSize, now }, start, AbortSignal.any([halt, giveUp.signal])), giveUp }
  }
  const drop = () => {
    ahead?.giveUp.abort()
    ahead = undefined
  }
  const askAhead = async (body: string, start: Start) => {
    const seen = glimpse(body)
    // A cursor that stays where it was is not asked ahead with: whoever reads decides how long that may go on.
    if (!seen?.hasMore || isAt(start, seen.nextCursor) || halt.aborted) return
    ahead = ask({ cursor: seen.nextCursor })
    // The request leaves with the next turn of the event loop; parsing before that would keep it waiting.
    await nextTurn()
  }
  return {
    drop,
    async next(start) {
      if (ahead && !isSame(ahead.page.start, start)) drop()
      const { page: asked } = ahead ?? ask(start)
      ahead = undefined
      try {
        const reply = await asked.reply
        if (reply.status === 200) await askAhead(reply.body, start)
        return { page: readPage(start, reply), askedAt: asked.askedAt }
      } catch (error) {
        drop()
        if (halt.aborted) return undefined
        throw error
      }
    },
  }
}

/** Whether a page begins behind that cursor. */
export function isAt(start: Start, cursor: string): boolean {
  return typeof start === 'object' && 'cursor' in start && start.cursor === cursor
}

function isSame(a: Start, b: Start): boolean {
  return typeof a === 'object' && 'cursor' in a && isAt(b, a.cursor)
}
