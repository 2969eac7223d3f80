import type { TriageTicket } from '../../domain/tickets/priority.ts'
import type { StatusCategory } from '../../domain/tickets/workflow.ts'
import { statusCategories } from '../../domain/tickets/workflow.ts'

/**
 * Parses tickets of any instance. The document does not define responses completely, so missing fields become `null`, and missing
 * times NaN, which no rule treats as a reason.
 */

export interface RemoteTicket extends TriageTicket {
  readonly formCode: string | null
  readonly customerDisplayName: string | null
  readonly customerLanguage: string | null
  readonly roomId: string | null
  readonly assigneeName: string | null
  /** Null if the instance does not return it. */
  readonly allowedTransitions: readonly string[] | null
  readonly version: number | null
  readonly fieldValues: readonly { readonly fieldCode: string; readonly value: unknown }[]
  readonly commentCount: number | null
}

export interface RemoteComment {
  readonly commentId: string | null
  readonly content: string
  readonly visibility: string | null
  readonly authorType: string | null
  readonly authorDisplayName: string | null
  readonly clientCommentId: string | null
  readonly createdAt: string | null
}

export interface RemoteChange {
  readonly at: string | null
  readonly kind: string
  readonly actorType: string | null
  readonly actorDisplayName: string | null
  readonly from: string | null
  readonly to: string | null
}

/** A complete ticket. `comments` is null if the instance does not return them. */
export interface FullTicket extends RemoteTicket {
  readonly comments: readonly RemoteComment[] | null
  readonly history: readonly RemoteChange[] | null
}

export interface ListPage {
  readonly items: readonly RemoteTicket[]
  /** Total number; null if the instance does not return it. */
  readonly total: number | null
  /** True if more follow; null if the instance does not return it. */
  readonly hasMore: boolean | null
}

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the first of these fields that has a value. */
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

/** Parses a time to epoch milliseconds; NaN if missing. */
function moment(value: unknown): number {
  if (typeof value === 'number') return value < 100_000_000_000 ? value * 1000 : value
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}

/** A time that is known to be unset: the field exists but is empty. */
function maybeMoment(from: Fields, name: string): number | null {
  return from[name] === null ? null : moment(from[name])
}

/** Unwraps a single object that instances put into a field. */
function unwrapped(body: unknown, ...names: readonly string[]): Fields {
  if (!isFields(body)) return {}
  for (const name of names) {
    const inner = body[name]
    if (isFields(inner)) return inner
  }
  return body
}

const numbersOfPriority: Readonly<Record<string, number>> = { low: 1, normal: 2, medium: 2, high: 3, urgent: 4 }

/** Parses a ticket of a response; undefined if it has none. */
export function readTicket(body: unknown): FullTicket | undefined {
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

/** Parses a comment of a response. */
export function readComment(body: unknown): RemoteComment {
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

function readChange(from: Fields): RemoteChange {
  return {
    at: text(any(from, 'at', 'createdAt')),
    kind: text(any(from, 'kind', 'type')) ?? '',
    actorType: text(from['actorType']),
    actorDisplayName: text(any(from, 'actorDisplayName', 'actor')),
    from: text(from['from']),
    to: text(from['to']),
  }
}

/** Parses a page of a list; undefined if there is no list. */
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

/** Words around a list of codes that are not codes. */
const optionalWords = new Set(
  'a an and are be code codes either expected for form has in is it its known list must no not of one or the this ticket unknown use valid allowed available status statuses invalid workflow value values options choices'.split(
    ' ',
  ),
)

/**
 * Returns the status codes listed by an error response (3-chat-api: an unrecognized code responds 400 with the valid ones).
 * The format is not documented: codes come from the details if they have them, else from the message.
 */
export function codesIn(message: string, details: unknown, sent: string): string[] {
  const entries = Array.isArray(details) ? details.filter(isFields) : isFields(details) ? [details] : []
  for (const each of entries) {
    const codes = any(each, 'validCodes', 'allowed', 'codes', 'validStatuses')
    if (Array.isArray(codes)) return codes.flatMap((code) => text(code) ?? [])
  }
  const rest = message.replaceAll(sent, ' ')
  // The list comes last: after the last colon, or in the last brackets.
  const part =
    /\[([^\]]+)\][^[]*$/.exec(rest)?.[1] ?? /\(([^()]+)\)[^(]*$/.exec(rest)?.[1] ?? rest.split(':').at(-1) ?? ''
  const words = part.split(/[\s,;|/"'`“”‘’()[\]{}]+/).map((word) => word.replace(/[.!?]+$/, ''))
  return [
    ...new Set(words.filter((word) => /^[\p{L}\p{N}_.-]{1,64}$/u.test(word) && !optionalWords.has(word.toLowerCase()))),
  ]
}

/** Parses the messages of a response. */
export function readMessages(body: unknown): readonly Fields[] {
  const within = isFields(body) && isFields(body['data']) ? body['data'] : body
  const list = isFields(within) && Array.isArray(within['messages']) ? within['messages'] : listIn(within)
  return (list ?? []).filter(isFields)
}

/** A message shown next to a ticket. */
export interface ConversationLine {
  readonly seq: number | null
  readonly by: string
  /** Null if the instance does not return it. */
  readonly senderType: string | null
  readonly at: string | null
  readonly text: string
  readonly files: readonly string[]
}

/** A room and its newest messages. */
export interface RoomConversation {
  readonly status: string | null
  readonly waitingSince: string | null
  readonly agentUnreadCount: number | null
  /** Latest rating of the customer, 1 to 5. */
  readonly rating: number | null
  /** Number of the latest message; null if messages have no numbers. */
  readonly lastSeq: number | null
  readonly lines: readonly ConversationLine[]
}

/** Parses a page of messages, and the number of pages; null if the instance does not return it. */
export function readRoomPage(body: unknown): {
  readonly lines: readonly ConversationLine[]
  readonly pages: number | null
} {
  const within = isFields(body) && isFields(body['data']) ? body['data'] : body
  const about = isFields(within) ? within : {}
  return { lines: readMessages(body).map(readConversationLine), pages: count(any(about, 'totalPages', 'pageCount')) }
}

function readConversationLine(from: Fields): ConversationLine {
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

/** Parses the room of a response, with its newest messages. */
export function readConversation(body: unknown, lines: readonly ConversationLine[]): RoomConversation {
  const from = unwrapped(body, 'room', 'data', 'result')
  return {
    status: text(from['status']),
    waitingSince: text(from['waitingSince']),
    agentUnreadCount: count(from['agentUnreadCount']),
    rating: isFields(from['rating']) ? count(from['rating']['score']) : null,
    // The last shown message counts as seen: the room's own count may already be higher.
    lastSeq: lines.at(-1)?.seq ?? null,
    lines,
  }
}

/** Parses the room ID of a response (3-chat-api: the response has `roomId`). */
export function readRoomId(body: unknown): { readonly roomId: string; readonly created: boolean | null } | undefined {
  const from = unwrapped(body, 'room', 'data', 'result')
  const roomId = text(any(from, 'roomId', 'id'))
  return roomId === null
    ? undefined
    : { roomId, created: typeof from['created'] === 'boolean' ? from['created'] : null }
}

/** A file of a message. */
export interface CarriedFile {
  readonly messageId: string | null
  readonly mediaId: string | null
  readonly fileName: string
  readonly link: string
  readonly sizeBytes: number | null
  readonly sha256: string | null
}

/** Parses the files of a page of messages, and the number of messages. */
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
