import type { TriageTicket } from '../../domain/tickets/priority.ts'
import type { StatusCategory } from '../../domain/tickets/workflow.ts'
import { statusCategories } from '../../domain/tickets/workflow.ts'

/**
 * Tickets as any instance may write them. The document shows what is sent and not what comes back, so what is there is read
 * and what is not is told as unknown: `null`, and for a moment NaN, of which no rule makes a reason.
 */

export interface DeskTicket extends TriageTicket {
  readonly formCode: string | null
  readonly customerDisplayName: string | null
  readonly customerLanguage: string | null
  readonly roomId: string | null
  readonly assigneeName: string | null
  /** Null where the instance does not tell. */
  readonly allowedTransitions: readonly string[] | null
  readonly version: number | null
  readonly fieldValues: readonly { readonly fieldCode: string; readonly value: unknown }[]
  readonly commentCount: number | null
}

export interface DeskComment {
  readonly commentId: string | null
  readonly content: string
  readonly visibility: string | null
  readonly authorType: string | null
  readonly authorDisplayName: string | null
  readonly clientCommentId: string | null
  readonly createdAt: string | null
}

export interface DeskChange {
  readonly at: string | null
  readonly kind: string
  readonly actorType: string | null
  readonly actorDisplayName: string | null
  readonly from: string | null
  readonly to: string | null
}

/** One ticket, read whole. `comments` is null where the instance does not show them. */
export interface WholeDeskTicket extends DeskTicket {
  readonly comments: readonly DeskComment[] | null
  readonly history: readonly DeskChange[] | null
}

export interface ListPage {
  readonly items: readonly DeskTicket[]
  /** How many there are in all; null where the instance does not tell. */
  readonly total: number | null
  /** Whether more follow; null where the instance does not tell. */
  readonly hasMore: boolean | null
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first of these fields that holds anything. */
function any(from: Fields, ...names: readonly string[]): unknown {
  for (const name of names) if (from[name] !== undefined && from[name] !== null) return from[name]
  return undefined
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}

function count(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}

/** A moment as epoch milliseconds; NaN where none is told. */
function moment(value: unknown): number {
  if (typeof value === 'number') return value < 100_000_000_000 ? value * 1000 : value
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** A moment of which it is known that it has not come: the field is there and empty. */
function maybeMoment(from: Fields, name: string): number | null {
  return from[name] === null ? null : moment(from[name])
}

/** What lies within a wrapper that instances put around a single thing. */
function unwrapped(body: unknown, ...names: readonly string[]): Fields {
  if (!isFields(body)) return {}
  for (const name of names) {
    const inner = body[name]
    if (isFields(inner)) return inner
  }
  return body
}

const numbersOfPriority: Readonly<Record<string, number>> = { low: 1, normal: 2, medium: 2, high: 3, urgent: 4 }

/** A ticket out of a reply; undefined when there is none in it. */
export function readTicket(body: unknown): WholeDeskTicket | undefined {
  const from = unwrapped(body, 'ticket', 'data', 'result')
  const ticketId = text(any(from, 'ticketId', 'id'))
  const status = text(
    isFields(from['status']) ? any(from['status'], 'code', 'status') : any(from, 'status', 'statusCode'),
  )
  if (ticketId === null || status === null) return undefined
  const assignee = any(from, 'assignee')
  const priority = any(from, 'priority')
  const category = text(from['statusCategory'])
  const transitions = from['allowedTransitions']
  const author = text(from['lastPublicAuthorType'])
  const values = from['fieldValues']
  return {
    ticketId,
    ticketNumber: count(any(from, 'ticketNumber', 'number')) ?? 0,
    title: text(any(from, 'title', 'subject')) ?? '',
    description: text(from['description']) ?? '',
    status,
    statusCategory: statusCategories.find((known): known is StatusCategory => known === category) ?? null,
    priority: count(priority) ?? numbersOfPriority[String(priority).toLowerCase()] ?? 2,
    customerAccount: text(from['customerAccount']),
    assigneeId: isFields(assignee) ? text(any(assignee, 'agentId', 'id')) : text(any(from, 'assigneeId')),
    assigneeName: isFields(assignee) ? text(any(assignee, 'displayName', 'name')) : null,
    createdAt: moment(any(from, 'createdAt', 'created_at')),
    updatedAt: moment(any(from, 'updatedAt', 'updated_at')),
    firstResponseAt: maybeMoment(from, 'firstResponseAt'),
    lastPublicAuthorType: author === 'customer' || author === 'agent' ? author : null,
    snoozedUntil: any(from, 'snoozedUntil') === undefined ? null : moment(from['snoozedUntil']),
    reopenCount: count(from['reopenCount']) ?? 0,
    formCode: text(from['formCode']),
    customerDisplayName: text(from['customerDisplayName']),
    customerLanguage: text(from['customerLanguage']),
    roomId: text(from['roomId']),
    allowedTransitions: Array.isArray(transitions) ? transitions.flatMap((code) => text(code) ?? []) : null,
    version: count(from['version']),
    fieldValues: Array.isArray(values)
      ? values.flatMap((each) =>
          isFields(each) ? [{ fieldCode: text(each['fieldCode']) ?? '', value: each['value'] }] : [],
        )
      : [],
    commentCount: count(from['commentCount']),
    comments: Array.isArray(from['comments']) ? from['comments'].filter(isFields).map(readComment) : null,
    history: Array.isArray(from['history']) ? from['history'].filter(isFields).map(readChange) : null,
  }
}

/** A comment out of a reply. */
export function readComment(body: unknown): DeskComment {
  const from = unwrapped(body, 'comment', 'data', 'result')
  return {
    commentId: text(any(from, 'commentId', 'id')),
    content: text(any(from, 'content', 'text', 'body')) ?? '',
    visibility: text(from['visibility']),
    authorType: text(from['authorType']),
    authorDisplayName: text(any(from, 'authorDisplayName', 'author')),
    clientCommentId: text(from['clientCommentId']),
    createdAt: text(any(from, 'createdAt', 'created_at')),
  }
}

function readChange(from: Fields): DeskChange {
  return {
    at: text(any(from, 'at', 'createdAt')),
    kind: text(any(from, 'kind', 'type')) ?? '',
    actorType: text(from['actorType']),
    actorDisplayName: text(any(from, 'actorDisplayName', 'actor')),
    from: text(from['from']),
    to: text(from['to']),
  }
}

/** A page of a list out of a reply; undefined when there is no list in it. */
export function readPage(body: unknown): ListPage | undefined {
  const within = isFields(body) && isFields(body['data']) ? body['data'] : body
  const list = listIn(within)
  if (list === undefined) return undefined
  const about = isFields(within) ? within : {}
  const page = count(about['page'])
  const pages = count(any(about, 'totalPages', 'pageCount'))
  return {
    items: list.flatMap((each) => readTicket(each) ?? []),
    total: count(any(about, 'total', 'totalCount')),
    hasMore:
      typeof about['hasMore'] === 'boolean' ? about['hasMore'] : page === null || pages === null ? null : page < pages,
  }
}

function listIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body
  if (!isFields(body)) return undefined
  for (const name of ['items', 'tickets', 'data', 'results', 'rows', 'list'])
    if (Array.isArray(body[name])) return body[name]
  return undefined
}

/** Words around a list of codes that are none. */
const fillers = new Set(
  'a an and are be code codes either expected for form has in is it its known list must no not of one or the this ticket unknown use valid allowed available status statuses invalid workflow value values options choices'.split(
    ' ',
  ),
)

/**
 * The status codes that a refusal lists (3-chat-api: an unrecognised code responds 400 and the message lists the valid ones).
 * How it lists them is not shown: they are taken from the particulars where those name them, else from the message.
 */
export function codesIn(message: string, details: unknown, sent: string): string[] {
  const told = Array.isArray(details) ? details.filter(isFields) : isFields(details) ? [details] : []
  for (const each of told) {
    const codes = any(each, 'validCodes', 'allowed', 'codes', 'validStatuses')
    if (Array.isArray(codes)) return codes.flatMap((code) => text(code) ?? [])
  }
  const rest = message.replaceAll(sent, ' ')
  // The list is what comes last: behind the last colon, or within the last brackets.
  const part =
    /\[([^\]]+)\][^[]*$/.exec(rest)?.[1] ?? /\(([^()]+)\)[^(]*$/.exec(rest)?.[1] ?? rest.split(':').at(-1) ?? ''
  const words = part.split(/[\s,;|/"'`“”‘’()[\]{}]+/).map((word) => word.replace(/[.!?]+$/, ''))
  return [...new Set(words.filter((word) => /^[\p{L}\p{N}_.-]{1,64}$/u.test(word) && !fillers.has(word.toLowerCase())))]
}

/** The messages out of a reply, each as it came. */
export function readMessages(body: unknown): readonly Fields[] {
  const within = isFields(body) && isFields(body['data']) ? body['data'] : body
  const list = isFields(within) && Array.isArray(within['messages']) ? within['messages'] : listIn(within)
  return (list ?? []).filter(isFields)
}

/** One message as it is told beside a ticket. */
export interface TalkLine {
  readonly seq: number | null
  readonly by: string
  /** Null where the instance does not tell. */
  readonly senderType: string | null
  readonly at: string | null
  readonly text: string
  readonly files: readonly string[]
}

/** A room as it stands, and what was said in it last. */
export interface RoomTalk {
  readonly status: string | null
  readonly waitingSince: string | null
  readonly agentUnreadCount: number | null
  /** The number of the latest message; null where messages have none. */
  readonly lastSeq: number | null
  readonly lines: readonly TalkLine[]
}

/** A page of messages out of a reply, and how many pages there are; null where the instance does not tell. */
export function readRoomPage(body: unknown): { readonly lines: readonly TalkLine[]; readonly pages: number | null } {
  const within = isFields(body) && isFields(body['data']) ? body['data'] : body
  const about = isFields(within) ? within : {}
  return { lines: readMessages(body).map(readTalkLine), pages: count(any(about, 'totalPages', 'pageCount')) }
}

function readTalkLine(from: Fields): TalkLine {
  const senderType = text(any(from, 'senderType', 'authorType'))
  const carried = any(from, 'attachments', 'files')
  const named = (Array.isArray(carried) ? carried : []).filter(isFields)
  return {
    seq: count(from['seq']),
    by: text(any(from, 'senderDisplayName', 'senderId', 'author')) ?? senderType ?? 'somebody',
    senderType,
    at: text(any(from, 'createdAt', 'created_at', 'sentAt')),
    text: text(any(from, 'text', 'content', 'body')) ?? '',
    files: named.map((file) => text(any(file, 'fileName', 'name')) ?? 'file'),
  }
}

/** A room out of a reply, where there is one, with what was said last. */
export function readTalk(body: unknown, lines: readonly TalkLine[]): RoomTalk {
  const from = unwrapped(body, 'room', 'data', 'result')
  return {
    status: text(from['status']),
    waitingSince: text(from['waitingSince']),
    agentUnreadCount: count(from['agentUnreadCount']),
    // What is shown is what was seen: the room's own count may be ahead of it by now.
    lastSeq: lines.at(-1)?.seq ?? null,
    lines,
  }
}

/** The room's id out of a reply (3-chat-api: the response carries `roomId`). */
export function readRoomId(body: unknown): { readonly roomId: string; readonly created: boolean | null } | undefined {
  const from = unwrapped(body, 'room', 'data', 'result')
  const roomId = text(any(from, 'roomId', 'id'))
  return roomId === null
    ? undefined
    : { roomId, created: typeof from['created'] === 'boolean' ? from['created'] : null }
}

/** A file that a message carries. */
export interface CarriedFile {
  readonly messageId: string | null
  readonly mediaId: string | null
  readonly fileName: string
  readonly link: string
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** The files out of a page of messages, and how many messages the page has. */
export function readFiles(body: unknown): { readonly files: readonly CarriedFile[]; readonly count: number } {
  const messages = readMessages(body)
  const files = messages.flatMap((message) => {
    const carried = any(message, 'attachments', 'files')
    return (Array.isArray(carried) ? carried : []).filter(isFields).flatMap((from): CarriedFile[] => {
      const link = text(any(from, 'downloadUrl', 'url', 'href'))
      if (link === null || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return []
      const sha256 = text(from['sha256'])
      return [
        {
          messageId: text(any(message, 'messageId', 'id')),
          mediaId: text(any(from, 'mediaId', 'id')),
          fileName: text(any(from, 'fileName', 'name')) ?? '',
          link,
          sizeBytes: count(any(from, 'sizeBytes', 'size')),
          sha256: sha256 !== null && /^[0-9a-f]{64}$/i.test(sha256) ? sha256 : null,
        },
      ]
    })
  })
  return { files, count: messages.length }
}
