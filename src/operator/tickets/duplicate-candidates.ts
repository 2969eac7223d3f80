import { duplicatesOf, type Suspicion, tellingWords } from '../../domain/tickets/duplicates.ts'
import { isProblem } from '../../kit/problem.ts'
import type { DeskTicket, ListPage } from './parse.ts'
import type { TicketDesk, TicketListQuery } from './tickets-api.ts'

/** Which earlier tickets one may repeat, found by what the document lets a list be asked for, in a bounded number of requests. */

export interface Suspects {
  readonly suspects: readonly Suspicion<DeskTicket>[]
  /** How many others it was held against. */
  readonly looked: number
  /** How many tickets there are; null where the instance does not tell. */
  readonly total: number | null
  /** The words that were looked for among all tickets. */
  readonly words: readonly string[]
}

const pageSize = 100
/** How far a search is followed. With the latest and the customer's own that is eight requests at most. */
const mostPages = 2
const mostSearches = 3
/** For how long the latest tickets are the latest. */
const freshMs = 60_000

/** A finder for one session: what is the same for all tickets is read once in a while. */
export function openSuspects(desk: TicketDesk, now: () => number = () => performance.now()) {
  let latest: { readonly at: number; readonly page: Promise<ListPage> } | undefined
  const latestPage = (): Promise<ListPage> => {
    if (latest === undefined || now() - latest.at > freshMs) {
      const read = { at: now(), page: desk.page({}, 1, pageSize) }
      latest = read
      read.page.catch(() => {
        if (latest === read) latest = undefined
      })
    }
    return latest.page
  }

  async function pagesOf(query: TicketListQuery): Promise<DeskTicket[]> {
    const items: DeskTicket[] = []
    for (let page = 1; page <= mostPages; page++) {
      const read = await desk.page(query, page, pageSize)
      items.push(...read.items)
      if (read.hasMore === false || read.items.length < pageSize) break
    }
    return items
  }

  /** What an instance will not look for is found by the other ways alone. */
  const orNone = (error: unknown): DeskTicket[] => {
    if (isProblem(error) && [400, 404, 422, 501].includes(Number(error.detail['status']))) return []
    throw error
  }

  return async function suspectsOf(ticket: DeskTicket): Promise<Suspects> {
    const { customerAccount } = ticket
    const recent = await latestPage()
    const words = tellingWords(ticket, recent.items)
    // All of them at once finds the very same words however old; two by themselves find what is put a little differently.
    const keywords = [...new Set([words.join(' '), ...words.slice(0, mostSearches - 1)])].filter((word) => word !== '')
    const found = await Promise.all([
      ...(customerAccount === null ? [] : [desk.page({ customerAccount }, 1, pageSize).then(({ items }) => items)]),
      ...keywords.map((keyword) => pagesOf({ keyword }).catch(orNone)),
    ])
    const others = new Map([...recent.items, ...found.flat()].map((each) => [each.ticketId, each]))
    others.delete(ticket.ticketId)
    return {
      suspects: duplicatesOf(ticket, [...others.values()]),
      looked: others.size,
      total: recent.total ?? (recent.hasMore === false ? recent.items.length : null),
      words,
    }
  }
}
