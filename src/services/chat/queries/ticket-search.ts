import { sql } from 'kysely'
import { lastOf } from '../../../db/counter.ts'
import type { ChatTicketRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { Question, Search, Terms } from '../../../domain/tickets/search-terms.ts'

// ── Finding ──

const rowsAtOnce = 1_000

/** Files a text of a ticket under its terms. */
export async function fileText(
  { q }: Tx,
  { tenant, number, part, text }: { tenant: string; number: number; part: number; text: string },
  { words, others }: Terms,
): Promise<void> {
  await q.insertInto('chat_ticket_texts').values({ tenant, number, part, text }).execute()
  const terms = [...words, ...others]
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
  /** None but these, where they are known. */
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

interface Place {
  readonly sort: TicketSort
  readonly offset: number
  readonly limit: number
}

/** So many can be named one by one. Where more match, some of them are likely to be near the top of any list. */
const fewTickets = 1_000
/** How many tickets at the top of a list are looked at one by one, before all that match are gathered. */
const lookedAt = 2_000

/** One page of a tenant's tickets and how many match in all. */
export async function ticketPage(
  reader: Reader,
  tenant: string,
  filter: TicketFilter,
  place: Place,
): Promise<{ rows: ChatTicketRow[]; total: number }> {
  const { wanted, counted } = await narrowed(reader, tenant, filter)
  const total = counted ?? (await ticketTotal(reader, tenant, wanted))
  if (total <= place.offset) return { rows: [], total }
  const near = total > fewTickets ? await nearTop(reader, tenant, wanted, place) : undefined
  const [column, direction] = orders[place.sort]
  const rows = await found(reader, tenant, near ? { among: near } : wanted)
    .selectAll()
    .orderBy(column, direction)
    .orderBy('number', direction)
    .offset(near ? 0 : place.offset)
    .limit(place.limit)
    .execute()
  return { rows, total }
}

/**
 * Where texts must be read to find the tickets that match, they are read once and not for count and page: the tickets are named,
 * if these are few; else at least counted, where nothing else is asked of them.
 */
async function narrowed(
  reader: Reader,
  tenant: string,
  filter: TicketFilter,
): Promise<{ wanted: TicketFilter; counted?: number }> {
  const { search, ...others } = filter
  if (!search || search.exact.length === 0 || search.numbers.length > 0) return { wanted: filter }
  const held = reader.q
    .selectFrom(heldAmong(reader, tenant, search.questions, search.exact).as('held'))
    .select('held.number')
    .limit(fewTickets + 1)
  if (isPlain(others)) {
    const rows = await held.select((eb) => eb.fn.countAll<number | string>().over().as('total')).execute()
    const [first] = rows
    if (first && rows.length > fewTickets) return { wanted: filter, counted: Number(first.total) }
    return { wanted: { among: rows.map(({ number }) => number) } }
  }
  const rows = await held.execute()
  return { wanted: rows.length > fewTickets ? filter : { ...others, among: rows.map(({ number }) => number) } }
}

/** Whether nothing at all is asked of the tickets by it. */
const isPlain = (filter: TicketFilter): boolean => Object.values(filter).every((each) => each === undefined)

/** The page's tickets, where the first of the list suffice for it: what many match is soon found, and to gather all of it takes long. */
async function nearTop(
  reader: Reader,
  tenant: string,
  { search, ...others }: TicketFilter,
  { sort, offset, limit }: Place,
): Promise<number[] | undefined> {
  if (!search) return undefined
  const [column, direction] = orders[sort]
  const top = found(reader, tenant, others)
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

/** The series that counts a tenant's tickets. */
export function numbersOf(tenant: string): string {
  return `chat-ticket/${tenant}`
}

/** How many tickets match. Of all there are none has to be counted: they are numbered without gaps, and stay. */
async function ticketTotal(reader: Reader, tenant: string, filter: TicketFilter): Promise<number> {
  if (filter.among?.length === 0) return 0
  const { search, ...others } = filter
  if (isPlain(others) && !search) return lastOf(reader, numbersOf(tenant))
  const asked = isPlain(others) && search ? askedAlone(reader, tenant, search) : undefined
  const counted = asked
    ? reader.q.selectFrom(asked.as('matching'))
    : reader.q.selectFrom(found(reader, tenant, filter).select('number').as('matching'))
  const { total } = await counted
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** The numbers that a search comes to, where they can be counted without looking at the tickets. */
function askedAlone(reader: Reader, tenant: string, { numbers, questions, exact }: Search) {
  if (numbers.length > 0) return undefined
  return exact.length > 0 ? heldAmong(reader, tenant, questions, exact) : answeringAll(reader, tenant, questions)
}

export function found(reader: Reader, tenant: string, filter: TicketFilter) {
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
 * The numbers of the tickets whose terms answer all questions, and that hold some texts besides. The texts are read last and of
 * these alone: left to itself, PostgreSQL begins with them, and asks for the terms of each ticket anew.
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
 * The numbers of the tickets whose terms answer all of some questions, each once; nothing where nothing is asked. Each question is
 * answered by itself and what they have in common is kept: asked for those that are in both, PostgreSQL, which cannot know how many
 * a word brings, looks up each ticket of the one among those of the other.
 */
function answeringAll(reader: Reader, tenant: string, [first, ...others]: readonly Question[]) {
  if (!first) return undefined
  if (others.length === 0) return answering(reader, tenant, first).distinct()
  let numbers = answering(reader, tenant, first)
  for (const question of others) numbers = numbers.intersect(answering(reader, tenant, question))
  return numbers
}

/** The numbers of the tickets whose terms answer a question. */
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

/** The numbers of the tickets that hold some texts, each anywhere: every text there is is read for it, once. */
function holding({ q }: Reader, tenant: string, texts: readonly string[]) {
  const all = q.selectFrom('chat_ticket_texts').select('number').where('tenant', '=', tenant)
  const [text, more] = texts
  if (text !== undefined && more === undefined) return all.where(has('text', text)).distinct()
  let whole = all.groupBy('number')
  for (const each of texts)
    whole = whole.having(sql<boolean>`max(case when ${has('text', each)} then 1 else 0 end) = 1`)
  return whole
}

/** Whether a text of the ticket with the number in that column holds this one. */
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

/** The pattern of texts that hold this one, with nothing in it that LIKE would read as a sign of its own. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`
}
