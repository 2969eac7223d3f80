import { maxTerms, readKeyword } from '../../../domain/tickets/search-terms.ts'
import { type StatusCategory, statusCategories } from '../../../domain/tickets/workflow.ts'
import { priorities, type TicketQuery } from '../api/schemas.ts'
import { offsetOf, toComment, toHistoryEntry, toPage, toTicket } from '../api/views.ts'
import { agentNames } from '../queries/tenants.ts'
import { type TicketFilter, ticketPage } from '../queries/ticket-search.ts'
import { latestComments, latestHistory } from '../queries/tickets.ts'
import { momentOf, wrong } from '../rooms/text-rules.ts'
import type { Chat, ChatTenant } from '../service.ts'
import { formsOf } from './forms.ts'
import { shown, theTicket } from './tickets.ts'

/** Maximum number of comments and history entries in a single ticket. */
const maxListed = 200
/** Maximum characters of an unknown status code in an error. */
export const longestNamed = 200

export function listTickets(app: Chat, tenant: ChatTenant, query: TicketQuery) {
  const { page = 1, pageSize = 20, sort = '-updatedAt' } = query
  const search = query.keyword === undefined ? undefined : readKeyword(query.keyword)
  if (search === 'too much')
    throw wrong('keyword', `has more than ${maxTerms} terms; combine adjacent words to one "phrase"`)
  const filter: TicketFilter = {
    statuses: listed(query.status),
    categories: listed(query.statusCategory)?.filter((each): each is StatusCategory =>
      statusCategories.some((known) => known === each),
    ),
    formCode: query.formCode,
    account: query.customerAccount,
    priority: query.priority,
    updatedSince: query.updatedSince === undefined ? undefined : momentOf('updatedSince', query.updatedSince),
    search: search === 'nothing' ? undefined : search,
  }
  // Not queried, because a number outside the column's range is an error on one engine.
  const isNoPriority =
    query.priority !== undefined && (query.priority < priorities.lowest || query.priority > priorities.highest)
  const isEmpty =
    search === 'nothing' || isNoPriority || filter.statuses?.length === 0 || filter.categories?.length === 0
  return app.store.read(async (reader) => {
    const at = { sort, offset: offsetOf(page, pageSize), limit: pageSize }
    const { rows, total } = isEmpty ? { rows: [], total: 0 } : await ticketPage(reader, tenant.code, filter, at)
    const formOf = await formsOf(reader, tenant.code, rows)
    const names = await agentNames(
      reader,
      rows.map((row) => row.assignee_id),
    )
    const items = rows.map((row) => toTicket(row, formOf(row), names))
    return toPage(items, { page, pageSize, total })
  })
}

function listed(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

export function readTicket(app: Chat, tenant: ChatTenant, key: string) {
  return app.store.read(async (reader) => {
    const ticket = await theTicket(reader, tenant, key)
    const comments = await latestComments(reader, ticket.id, maxListed)
    const history = await latestHistory(reader, ticket.id, maxListed)
    return {
      ...(await shown(reader, ticket)),
      comments: comments.map(toComment),
      commentsTruncated: ticket.comment_count > comments.length,
      history: history.map(toHistoryEntry),
      historyTruncated: ticket.history_count > history.length,
    }
  })
}
