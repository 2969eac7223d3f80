import { sql } from 'kysely'
import { lastOf } from '../../../db/counter.ts'
import type { ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Question, Search, Terms } from '../../../domain/tickets/search-terms.ts'

// ── Search ──

const rowsAtOnce = 1_000

/** Indexes a text of a ticket under its terms. */
export async function fileText(
  { q }: Tx,
  { tenant, number, part, text }: { tenant: string; number: number; part: number; text: string },
  { words, otherTerms }: Terms,
): Promise<void> {
  await q.insertInto('chat_ticket_texts').values({ tenant, number, part, text }).execute()
  const terms = [...words, ...otherTerms]
  for (let i = 0; i < terms.length; i += rowsAtOnce)
    await q
      .insertInto('chat_ticket_terms')
      .values(terms.slice(i, i + rowsAtOnce).map((term) => ({ tenant, term, number })))
      .onConflict((conflict) => conflict.columns(['tenant', 'term', 'number']).doNothing())
      .execute()
  const list = [...words]
  for (let i = 0; i < list.length; i += rowsAtOnce) {
    const some = list.slice(i, i + rowsAtOnce)
    // Most words exist, and a read blocks no other writer, unlike an insert that does nothing.
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
  /** Numbers of tickets that the search is restricted to. */
  readonly among?: readonly number[] | undefined
}

export type TicketSort = '-updatedAt' | 'updatedAt' | 'createdAt' | '-createdAt' | '-priority'

const orders = {
  '-updatedAt': ['updated_at', 'desc'],
  updatedAt: ['updated_at', 'asc'],
  createdAt: ['created_at', 'asc'],
  '-createdAt': ['created_at', 'desc'],
  '-priority': ['priority', 'desc'],
} as const satisfies Record<TicketSort, readonly [string, 'asc' | 'desc']>

interface PageOptions {
  readonly sort: TicketSort
  readonly offset: number
  readonly limit: number
}

/**
 * Maximum number of tickets that a query lists by number. Of more matches, some are likely near the top of any list.
 */
const fewTickets = 1_000
/** Number of tickets at the top of a list that are checked one by one, before all matches are collected. */
const lookedAt = 2_000

/** Returns one page of a tenant's tickets and the total count. */
export async function ticketPage(
  reader: Reader,
  tenant: string,
  filter: TicketFilter,
  page: PageOptions,
): Promise<{ rows: ChatTicketRow[]; total: number }> {
  const { resolvedFilter, counted } = await narrowed(reader, tenant, filter)
  const total = counted ?? (await ticketTotal(reader, tenant, resolvedFilter))
  if (total <= page.offset) return { rows: [], total }
  const near = total > fewTickets ? await nearTop(reader, tenant, resolvedFilter, page) : undefined
  const [column, direction] = orders[page.sort]
  const rows = await matchingTickets(reader, tenant, near ? { among: near } : resolvedFilter)
    .selectAll()
    .orderBy(column, direction)
    .orderBy('number', direction)
    .offset(near ? 0 : page.offset)
    .limit(page.limit)
    .execute()
  return { rows, total }
}

/**
 * Resolves the exact texts of a search once for both the count and the page. Up to `fewTickets` matches become a list
 * of numbers. More matches are only counted, if there is no other filter.
 */
async function narrowed(
  reader: Reader,
  tenant: string,
  filter: TicketFilter,
): Promise<{ resolvedFilter: TicketFilter; counted?: number }> {
  const { search, ...rest } = filter
  if (!search || search.exact.length === 0 || search.numbers.length > 0) return { resolvedFilter: filter }
  const held = reader.q
    .selectFrom(heldAmong(reader, tenant, search.questions, search.exact).as('held'))
    .select('held.number')
    .limit(fewTickets + 1)
  if (isPlain(rest)) {
    const rows = await held.select((eb) => eb.fn.countAll<number | string>().over().as('total')).execute()
    const [first] = rows
    if (first && rows.length > fewTickets) return { resolvedFilter: filter, counted: Number(first.total) }
    return { resolvedFilter: { among: rows.map(({ number }) => number) } }
  }
  const rows = await held.execute()
  return { resolvedFilter: rows.length > fewTickets ? filter : { ...rest, among: rows.map(({ number }) => number) } }
}

/** Returns whether the filter is empty. */
const isPlain = (filter: TicketFilter): boolean => Object.values(filter).every((each) => each === undefined)

/**
 * Returns the numbers of the page's tickets if they are near the top of the list, otherwise undefined. Frequent matches
 * are found there quickly; collecting all of them would take long.
 */
async function nearTop(
  reader: Reader,
  tenant: string,
  { search, ...rest }: TicketFilter,
  { sort, offset, limit }: PageOptions,
): Promise<number[] | undefined> {
  if (!search) return undefined
  const [column, direction] = orders[sort]
  const top = matchingTickets(reader, tenant, rest)
    .select(['number', sql.ref<number>(column).as('place')])
    .orderBy(column, direction)
    .orderBy('number', direction)
    .limit(lookedAt)
    .as('top')
  let matching = reader.q.selectFrom(top).select('top.number')
  for (const text of search.texts) matching = matching.where(textOf(tenant, 'top.number', text))
  const rows = await matching
    .orderBy('top.place', direction)
    .orderBy('top.number', direction)
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.length < limit ? undefined : rows.map(({ number }) => number)
}

/** Returns the counter series of a tenant's tickets. */
export function numbersOf(tenant: string): string {
  return `chat-ticket/${tenant}`
}

/**
 * Counts matching tickets. Without a filter, the latest number is the count: numbers have no gaps, and tickets are
 * never deleted.
 */
async function ticketTotal(reader: Reader, tenant: string, filter: TicketFilter): Promise<number> {
  if (filter.among?.length === 0) return 0
  const { search, ...rest } = filter
  if (isPlain(rest) && !search) return lastOf(reader, numbersOf(tenant))
  const single = isPlain(rest) && search ? singleTerm(reader, tenant, search) : undefined
  const counted = single
    ? reader.q.selectFrom(single.as('matching'))
    : reader.q.selectFrom(matchingTickets(reader, tenant, filter).select('number').as('matching'))
  const { total } = await counted
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Returns the query for the matching numbers if they can be counted without reading the tickets. */
function singleTerm(reader: Reader, tenant: string, { numbers, questions, exact }: Search) {
  if (numbers.length > 0) return undefined
  return exact.length > 0 ? heldAmong(reader, tenant, questions, exact) : answeringAll(reader, tenant, questions)
}

export function matchingTickets(reader: Reader, tenant: string, filter: TicketFilter) {
  let matching = reader.q.selectFrom('chat_tickets').where('chat_tickets.tenant', '=', tenant)
  if (filter.statuses) matching = matching.where('status', 'in', filter.statuses)
  if (filter.categories) matching = matching.where('status_category', 'in', filter.categories)
  if (filter.formCode) matching = matching.where('form_code', '=', filter.formCode)
  if (filter.account) matching = matching.where('customer_account', '=', filter.account)
  if (filter.priority !== undefined) matching = matching.where('priority', '=', filter.priority)
  if (filter.updatedSince !== undefined) matching = matching.where('updated_at', '>=', filter.updatedSince)
  if (filter.among) matching = matching.where('number', 'in', filter.among)
  if (!filter.search) return matching
  const { numbers, questions, exact } = filter.search
  for (const number of numbers) matching = matching.where('number', '=', number)
  if (questions.length === 0) {
    if (exact.length > 0) matching = matching.where('number', 'in', holding(reader, tenant, exact))
    return matching
  }
  if (exact.length > 0) return matching.where('number', 'in', heldAmong(reader, tenant, questions, exact))
  const all = answeringAll(reader, tenant, questions)
  return all ? matching.where('number', 'in', all) : matching
}

/**
 * Returns the numbers of tickets that match all queries and contain all texts. The texts are read last and only for
 * matching tickets. By default, PostgreSQL would start with the texts and query the terms of each ticket again.
 */
function heldAmong(reader: Reader, tenant: string, questions: readonly Question[], texts: readonly string[]) {
  const candidates = answeringAll(reader, tenant, questions)
  if (!candidates) return holding(reader, tenant, texts)
  let held = reader.q
    .with(
      (cte) => cte('candidates').materialized(),
      () => candidates,
    )
    .selectFrom('candidates')
    .select('candidates.number')
  for (const text of texts) held = held.where(textOf(tenant, 'candidates.number', text))
  return held
}

/**
 * Returns the distinct numbers of tickets that match all queries; undefined without queries. Each query runs separately
 * and the results are intersected: PostgreSQL cannot estimate the frequency of a word and would look up each ticket of
 * one query in the other.
 */
function answeringAll(reader: Reader, tenant: string, [first, ...rest]: readonly Question[]) {
  if (!first) return undefined
  if (rest.length === 0) return answering(reader, tenant, first).distinct()
  let numbers = answering(reader, tenant, first)
  for (const question of rest) numbers = numbers.intersect(answering(reader, tenant, question))
  return numbers
}

/** Returns the numbers of tickets whose terms match a query. */
function answering({ q }: Reader, tenant: string, question: Question) {
  const terms = q.selectFrom('chat_ticket_terms').select('number').where('tenant', '=', tenant)
  switch (question.kind) {
    case 'term':
      return terms.where('term', '=', question.term)
    case 'prefix':
      return terms.where('term', '>=', question.prefix).where('term', '<', `${question.prefix}\u{10FFFF}`)
    case 'word':
      return terms.where('term', 'in', (eb) =>
        eb
          .selectFrom('chat_ticket_words')
          .select('word')
          .where('tenant', '=', tenant)
          .where(has('word', question.part)),
      )
  }
}

/** Returns the numbers of tickets that contain all texts. Reads the text of every ticket once. */
function holding({ q }: Reader, tenant: string, texts: readonly string[]) {
  const all = q.selectFrom('chat_ticket_texts').select('number').where('tenant', '=', tenant)
  const [text, more] = texts
  if (text !== undefined && more === undefined) return all.where(has('text', text)).distinct()
  let whole = all.groupBy('number')
  for (const each of texts)
    whole = whole.having(sql<boolean>`max(case when ${has('text', each)} then 1 else 0 end) = 1`)
  return whole
}

/** Returns the condition that a text of the ticket with this number contains the searched text. */
function textOf(tenant: string, number: string, text: string) {
  return sql<boolean>`exists (
    select 1 from chat_ticket_texts
    where chat_ticket_texts.tenant = ${tenant} and chat_ticket_texts.number = ${sql.ref(number)}
      and ${has('chat_ticket_texts.text', text)}
  )`
}

function has(column: string, text: string) {
  return sql<boolean>`${sql.ref(column)} like ${likeText(text)} escape '\\'`
}

/** Returns a LIKE pattern for texts that contain this one, with special characters escaped. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
