import { sql } from 'kysely'
import type { Question, Search, Terms } from '../../domain/ticket-search.ts'
import { lastOf } from '../../store/counter.ts'
import type { Reader, Tx } from '../../store/store.ts'
import type {
  ChatCommentRow,
  ChatFormRow,
  ChatHistoryRow,
  ChatRoomRow,
  ChatTicketRow,
} from '../../store/tables/chat.ts'

export async function insertTicket({ q }: Tx, row: ChatTicketRow): Promise<void> {
  await q.insertInto('chat_tickets').values(row).execute()
}

export async function saveTicket({ q }: Tx, { id, ...change }: ChatTicketRow): Promise<void> {
  await q.updateTable('chat_tickets').set(change).where('id', '=', id).execute()
}

/** Gives the tickets that an account had before its room to the room. */
export async function giveTicketsTo({ q }: Tx, { tenant, customer_account, id }: ChatRoomRow): Promise<void> {
  await q
    .updateTable('chat_tickets')
    .set({ room_id: id })
    .where('tenant', '=', tenant)
    .where('customer_account', '=', customer_account)
    .where('room_id', 'is', null)
    .execute()
}

/** The ticket of an id or a number. */
export function ticketOf({ q }: Reader, tenant: string, key: string): Promise<ChatTicketRow | undefined> {
  const found = q.selectFrom('chat_tickets').selectAll().where('tenant', '=', tenant)
  return (
    key.startsWith('tkt_') ? found.where('id', '=', key) : found.where('number', '=', Number(key))
  ).executeTakeFirst()
}

export async function ticketCounts({ q }: Reader, tenant: string): Promise<{ status: string; count: number }[]> {
  const rows = await q
    .selectFrom('chat_tickets')
    .select((eb) => ['status', eb.fn.countAll<number | string>().as('count')])
    .where('tenant', '=', tenant)
    .groupBy('status')
    .orderBy('status')
    .execute()
  return rows.map(({ status, count }) => ({ status, count: Number(count) }))
}

// ── Comments and history ──

export async function insertComment({ q }: Tx, row: ChatCommentRow): Promise<void> {
  await q.insertInto('chat_ticket_comments').values(row).execute()
}

export function commentOfClient(
  { q }: Reader,
  ticketId: string,
  clientId: string,
): Promise<ChatCommentRow | undefined> {
  return q
    .selectFrom('chat_ticket_comments')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .where('client_comment_id', '=', clientId)
    .executeTakeFirst()
}

/** The latest comments, oldest first. */
export async function latestComments({ q }: Reader, ticketId: string, limit: number): Promise<ChatCommentRow[]> {
  const rows = await q
    .selectFrom('chat_ticket_comments')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

export async function insertHistory({ q }: Tx, row: ChatHistoryRow): Promise<void> {
  await q.insertInto('chat_ticket_history').values(row).execute()
}

export async function latestHistory({ q }: Reader, ticketId: string, limit: number): Promise<ChatHistoryRow[]> {
  const rows = await q
    .selectFrom('chat_ticket_history')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse()
}

// ── Forms ──

export async function insertForm({ q }: Tx, row: ChatFormRow): Promise<void> {
  await q.insertInto('chat_forms').values(row).execute()
}

/** The version of a form that is in force. */
export function currentForm({ q }: Reader, tenant: string, code: string): Promise<ChatFormRow | undefined> {
  return q
    .selectFrom('chat_forms')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('code', '=', code)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Every version of some forms, or of all. */
export function formVersions({ q }: Reader, tenant: string, codes?: readonly string[]): Promise<ChatFormRow[]> {
  const found = q.selectFrom('chat_forms').selectAll().where('tenant', '=', tenant)
  return (codes ? found.where('code', 'in', codes) : found).orderBy('code').orderBy('version').execute()
}

// ── Finding ──

const rowsAtOnce = 1_000

/** Files a text of a ticket under its terms. */
export async function fileText(
  { q }: Tx,
  { tenant, number, part, text }: { tenant: string; number: number; part: number; text: string },
  { words, grams }: Terms,
): Promise<void> {
  await q.insertInto('chat_ticket_texts').values({ tenant, number, part, text }).execute()
  const terms = [...words, ...grams]
  for (let i = 0; i < terms.length; i += rowsAtOnce)
    await q
      .insertInto('chat_ticket_terms')
      .values(terms.slice(i, i + rowsAtOnce).map((term) => ({ tenant, term, number })))
      .onConflict((conflict) => conflict.columns(['tenant', 'term', 'number']).doNothing())
      .execute()
  const list = [...words]
  for (let i = 0; i < list.length; i += rowsAtOnce) {
    const some = list.slice(i, i + rowsAtOnce)
    // Most words are known, and a look disturbs no other writer where an insert that does nothing would.
    const known = await q
      .selectFrom('chat_ticket_words')
      .select('word')
      .where('tenant', '=', tenant)
      .where('word', 'in', some)
      .execute()
    const there = new Set(known.map(({ word }) => word))
    const fresh = some.filter((word) => !there.has(word))
    if (fresh.length === 0) continue
    await q
      .insertInto('chat_ticket_words')
      .values(fresh.map((word) => ({ tenant, word })))
      .onConflict((conflict) => conflict.columns(['tenant', 'word']).doNothing())
      .execute()
  }
}

export interface TicketFilter {
  readonly statuses?: readonly string[] | undefined
  readonly categories?: readonly ChatTicketRow['status_category'][] | undefined
  readonly formCode?: string | undefined
  readonly account?: string | undefined
  readonly priority?: number | undefined
  readonly updatedSince?: number | undefined
  readonly search?: Search | undefined
}

export type TicketSort = '-updatedAt' | 'updatedAt' | 'createdAt' | '-createdAt' | '-priority'

const orders = {
  '-updatedAt': ['updated_at', 'desc'],
  updatedAt: ['updated_at', 'asc'],
  createdAt: ['created_at', 'asc'],
  '-createdAt': ['created_at', 'desc'],
  '-priority': ['priority', 'desc'],
} as const satisfies Record<TicketSort, readonly [string, 'asc' | 'desc']>

/** One page of a tenant's tickets and how many match in all. */
export async function ticketPage(
  reader: Reader,
  tenant: string,
  filter: TicketFilter,
  page: { sort: TicketSort; offset: number; limit: number },
): Promise<{ rows: ChatTicketRow[]; total: number }> {
  const total = await ticketTotal(reader, tenant, filter)
  if (total <= page.offset) return { rows: [], total }
  const [column, direction] = orders[page.sort]
  const rows = await found(reader, tenant, filter)
    .selectAll()
    .orderBy(column, direction)
    .orderBy('number', direction)
    .offset(page.offset)
    .limit(page.limit)
    .execute()
  return { rows, total }
}

/** The series that counts a tenant's tickets. */
export function numbersOf(tenant: string): string {
  return `chat-ticket/${tenant}`
}

/** How many tickets match. Of all there are none has to be counted: they are numbered without gaps, and stay. */
async function ticketTotal(reader: Reader, tenant: string, filter: TicketFilter): Promise<number> {
  if (Object.values(filter).every((each) => each === undefined)) return lastOf(reader, numbersOf(tenant))
  const { total } = await found(reader, tenant, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function found({ q }: Reader, tenant: string, filter: TicketFilter) {
  let matching = q.selectFrom('chat_tickets').where('chat_tickets.tenant', '=', tenant)
  if (filter.statuses) matching = matching.where('status', 'in', filter.statuses)
  if (filter.categories) matching = matching.where('status_category', 'in', filter.categories)
  if (filter.formCode) matching = matching.where('form_code', '=', filter.formCode)
  if (filter.account) matching = matching.where('customer_account', '=', filter.account)
  if (filter.priority !== undefined) matching = matching.where('priority', '=', filter.priority)
  if (filter.updatedSince !== undefined) matching = matching.where('updated_at', '>=', filter.updatedSince)
  for (const number of filter.search?.numbers ?? []) matching = matching.where('number', '=', number)
  for (const question of filter.search?.questions ?? [])
    matching = matching.where('number', 'in', (eb) => {
      const terms = eb.selectFrom('chat_ticket_terms').select('number').where('tenant', '=', tenant)
      switch (question.kind) {
        case 'gram':
          return terms.where('term', '=', question.gram)
        case 'prefix':
          return terms.where('term', '>=', question.prefix).where('term', '<', `${question.prefix}\u{10FFFF}`)
        case 'word':
          return terms.where('term', 'in', (inner) =>
            inner
              .selectFrom('chat_ticket_words')
              .select('word')
              .where('tenant', '=', tenant)
              .where(contains('word', question)),
          )
      }
    })
  for (const text of filter.search?.exact ?? [])
    matching = matching.where((eb) =>
      eb.exists(
        eb
          .selectFrom('chat_ticket_texts')
          .select('part')
          .whereRef('chat_ticket_texts.tenant', '=', 'chat_tickets.tenant')
          .whereRef('chat_ticket_texts.number', '=', 'chat_tickets.number')
          .where(sql<boolean>`chat_ticket_texts.text like ${likeText(text)} escape '\\'`),
      ),
    )
  return matching
}

function contains(column: 'word', { part }: Extract<Question, { kind: 'word' }>) {
  return sql<boolean>`${sql.ref(column)} like ${likeText(part)} escape '\\'`
}

/** The pattern of texts that hold this one, with nothing in it that LIKE would read as a sign of its own. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
