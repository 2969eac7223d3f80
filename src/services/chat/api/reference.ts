import { Type } from 'typebox'
import type { Credential, RawRoute } from '../../../http/contract/contract.ts'
import { Whole } from '../../../http/contract/shared-schemas.ts'
import { RoomId, UploadId } from './schemas.ts'

/** Parts of the chat's references beyond the endpoints: credentials, groups, and the routes of streams and files. */

const apiKey = (location: 'header' | 'query', name: string, description: string) =>
  ({ type: 'apiKey', in: location, name, description }) as const satisfies Credential

export const botCredentials = {
  ApiKey: apiKey('header', 'X-Chat-ApiKey', 'Created in the merchant back office. For the server only.'),
}
export const botAccepts = { bot: [['ApiKey']], tickets: [['ApiKey']] }

export const agentCredentials = {
  AgentToken: apiKey('header', 'X-Chat-AgentToken', "An agent's token, created in the merchant back office."),
}
export const agentAccepts = { agent: [['AgentToken']], agentTickets: [['AgentToken']] }

export const widgetCredentials = {
  TenantKey: apiKey('header', 'X-Chat-Tenant-Key', 'The public front-end key.'),
  TenantKeyInQuery: apiKey('query', 'tenantKey', 'The public front-end key.'),
  RoomToken: apiKey('header', 'X-Chat-Room-Token', 'The token from the response that opened the room.'),
  StreamTicket: apiKey('query', 'ticket', 'A ticket for one stream, valid for 30 seconds.'),
}
export const widgetAccepts = {
  visitor: [['TenantKey'], ['TenantKeyInQuery']],
  customer: [
    ['TenantKey', 'RoomToken'],
    ['TenantKeyInQuery', 'RoomToken'],
  ],
  account: [
    ['TenantKey', 'RoomToken'],
    ['TenantKeyInQuery', 'RoomToken'],
  ],
  listener: [
    ['TenantKey', 'RoomToken'],
    ['TenantKeyInQuery', 'RoomToken'],
    ['TenantKeyInQuery', 'StreamTicket'],
  ],
  link: [],
}

export const groups = {
  identity: 'Signature that identifies the customer on the page.',
  rooms: 'Chat rooms: messages, read positions, files, events.',
  tickets: 'Tickets with their comments and statuses. Requires the Pro plan or a higher one.',
  forms: 'Ticket forms and their workflows.',
  config: 'Appearance and settings of the widget.',
  media: 'Files that customers and agents sent.',
  me: 'The agent of the token.',
  agents: 'Agents that rooms and tickets can be assigned to.',
  stats: 'Counts of open work.',
  events: 'Live events.',
}

const events = {
  200: {
    description:
      'Server-sent events: ready, message.created, room.updated, ticket.updated, typing, resync, goodbye. A comment line every 15 seconds keeps the connection open.',
    type: 'text/event-stream',
  },
}
const Cursor = Type.Object({ 'Last-Event-ID': Type.Optional(Type.String({ description: 'Resume after this event.' })) })
const CursorInQuery = { lastEventId: Type.Optional(Type.String({ description: 'Alternative to Last-Event-ID.' })) }

/** Upload of the next bytes of a file, the same for customers and agents. */
const chunk = {
  method: 'PUT',
  path: '/rooms/:roomId/media/:uploadId/chunk',
  summary: 'Upload the next bytes of a file',
  description: 'After a dropped connection, get the number of received bytes and continue from there.',
  params: Type.Object({ roomId: RoomId, uploadId: UploadId }),
  headers: Type.Object({
    'Upload-Offset': Type.Integer({ minimum: 0, description: 'Number of bytes sent before this chunk.' }),
    'Content-Digest': Type.Optional(
      Type.String({ description: 'sha-256 of the chunk (RFC 9530). A chunk with a different digest is discarded.' }),
    ),
  }),
  sends: 'application/octet-stream',
  responses: {
    200: {
      description: 'The chunk was saved',
      headers: Type.Object({ 'Upload-Offset': Type.Integer({ description: 'Number of bytes received so far.' }) }),
      type: 'application/json',
      schema: Type.Object({ uploadId: UploadId, receivedBytes: Whole(0), complete: Type.Boolean() }),
    },
  },
} as const
const chunkRefusals = [
  'UPLOAD_NOT_FOUND',
  'UPLOAD_OFFSET_MISMATCH',
  'UPLOAD_LOCKED',
  'UPLOAD_EXPIRED',
  'CHECKSUM_MISMATCH',
] as const

const fileHeaders = Type.Object({
  ETag: Type.String({ description: 'Changes with the content only.' }),
  'Accept-Ranges': Type.Literal('bytes'),
  'Content-Disposition': Type.String({ description: 'The name of the file, and whether a browser may show it.' }),
})

/** The widget's stream and file routes. */
export const widgetRoutes = {
  events: {
    method: 'GET',
    path: '/rooms/:roomId/events',
    access: 'listener',
    summary: 'Stream the events of a room',
    description: 'Ends with a goodbye event when the token expires or the server stops.',
    params: Type.Object({ roomId: RoomId }),
    query: Type.Object(CursorInQuery),
    headers: Cursor,
    responses: events,
    refusals: ['INVALID_ROOM_TOKEN', 'TOO_MANY_STREAMS'],
  },
  uploadChunk: { ...chunk, access: 'customer', refusals: ['INVALID_ROOM_TOKEN', ...chunkRefusals] },
  media: {
    method: 'GET',
    path: '/media/:mediaId',
    access: 'link',
    summary: 'Download a file by the signed link of an attachment',
    params: Type.Object({ mediaId: Type.String() }),
    query: Type.Object({
      exp: Type.Integer({ description: 'Expiry time of the link.' }),
      sig: Type.String({ description: 'Signature of the link.' }),
    }),
    headers: Type.Object({
      Range: Type.Optional(Type.String({ description: 'A single byte range.' })),
      'If-None-Match': Type.Optional(Type.String()),
      'If-Range': Type.Optional(Type.String()),
    }),
    responses: {
      200: {
        description: 'The file, with its own Content-Type',
        type: 'application/octet-stream',
        headers: fileHeaders,
      },
      206: {
        description: 'The requested range',
        type: 'application/octet-stream',
        headers: Type.Object({
          ...fileHeaders.properties,
          'Content-Range': Type.String({ description: 'First and last byte, and the size of the file.' }),
        }),
      },
      304: { description: 'The file is unchanged (If-None-Match)' },
      416: {
        description: 'The range is outside of the file',
        headers: Type.Object({ 'Content-Range': Type.String({ description: 'The size of the file.' }) }),
      },
    },
    refusals: ['NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, RawRoute>>

/** The agents' stream and upload routes. */
export const agentRoutes = {
  events: {
    method: 'GET',
    path: '/events',
    access: 'agent',
    summary: 'Stream the events of all rooms and tickets',
    query: Type.Object(CursorInQuery),
    headers: Cursor,
    responses: events,
    refusals: ['TOO_MANY_STREAMS'],
  },
  uploadChunk: { ...chunk, access: 'agent', refusals: ['ROOM_NOT_FOUND', ...chunkRefusals] },
} as const satisfies Readonly<Record<string, RawRoute>>
