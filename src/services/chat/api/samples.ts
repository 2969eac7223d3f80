import {
  type ApiSamples,
  fromResponse,
  fromVariable,
  type Sample,
  type Step,
  unique,
} from '../../../http/docs/samples/sample.ts'
import { identityVector } from './signature-vectors.ts'

const baseUrl = 'Scheme, host and port of the chat.'
const roomId = fromResponse('room', ['roomId'], 'room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6')
const ticketId = fromResponse('ticket', ['ticketId'], 'tkt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6')

const fields = {
  roomId: 'room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
  messageId: 'msg_01J8Z3V6B7C8D9E0F1G2H3J4K5',
  ticketId: 'tkt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6',
  customerAccount: 'ann',
  customerDisplayName: 'Ann',
  channel: 'web',
  inboxCategoryCode: 'general',
  text: 'Where is my withdrawal?',
  title: 'Withdrawal is missing',
  description: 'Requested on 1 March, not received.',
  content: 'We are looking into it.',
  formCode: 'general',
  roomToken: 'rt_cm9vbV8wMUo4…',
  displayName: 'Desk 1',
}

const room = { customerAccount: 'ann', customerDisplayName: 'Ann' } as const
const newRoom: Step = { call: 'openRoom', as: 'room', body: room }
const input = {
  title: 'Withdrawal is missing',
  description: 'Requested on 1 March, not received.',
  customerAccount: 'ann',
} as const
const newTicket: Step = { call: 'createTicket', as: 'ticket', body: input }

/** Samples of the ticket endpoints, which the bot and the agent API share. */
const ticketSamples = {
  tickets: { query: { page: 1, pageSize: 20, sort: '-updatedAt' } },
  ticket: { first: [newTicket], params: { ticketId } },
  createTicket: { body: input },
  comment: {
    first: [newTicket],
    params: { ticketId },
    body: { content: 'We are looking into it.', visibility: 'internal' },
  },
  setStatus: {
    first: [newTicket],
    params: { ticketId },
    body: { status: 'in_progress' },
  },
  forms: {},
  form: { params: { formCode: 'general' } },
} satisfies Record<string, Sample>

/** Code samples of the bot and ticket API. They run in a new demo world. */
export const chatSamples: ApiSamples = {
  environment: { BASE_URL: baseUrl, API_KEY: 'API key of the merchant.' },
  readyFile: { BASE_URL: 'baseUrl', API_KEY: 'chat.apiKey' },
  keyHeader: 'X-Chat-ApiKey',
  endpoints: {
    openRoom: { body: { ...room, initialMessage: 'Where is my withdrawal?' } },
    sendCustomerText: {
      first: [newRoom],
      params: { roomId },
      body: { text: 'Where is my withdrawal?', clientMessageId: unique('message') },
    },
    messages: { first: [newRoom], params: { roomId }, query: { page: 1 } },
    ...ticketSamples,
  },
  fields,
  vectors: [identityVector],
}

const file = 'Receipt 1042: 10.00 USD'
const upload = {
  fileName: 'receipt.txt',
  contentType: 'text/plain',
  sizeBytes: file.length,
  clientUploadId: unique('upload'),
}
const uploadId = fromResponse('upload', ['uploadId'], 'upl_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6')
const offset: Step = { header: 'Upload-Offset', value: ['0'] }

const firstRoom: readonly Step[] = [
  { call: 'rooms', as: 'rooms', query: { pageSize: 1 } },
  { unlessEmpty: 'rooms', list: 'items', message: 'No customer has opened a room yet.' },
]
const inRoom = {
  params: { roomId: fromResponse('rooms', ['items', 0, 'roomId'], fields.roomId) },
  first: firstRoom,
} as const

const agentUpload: Step = { call: 'initializeUpload', as: 'upload', params: inRoom.params, body: upload }
const ofAgentUpload = { params: { ...inRoom.params, uploadId }, first: [...firstRoom, agentUpload] }

/** Code samples of the agent API. Those of one room take the first of the list. */
export const agentSamples: ApiSamples = {
  environment: { BASE_URL: baseUrl, API_KEY: 'Token of the agent.' },
  readyFile: { BASE_URL: 'baseUrl', API_KEY: 'chat.agentToken' },
  keyHeader: 'X-Chat-AgentToken',
  endpoints: {
    me: {},
    events: { isStream: true },
    agents: {},
    rooms: { query: { status: 'open', pageSize: 20 } },
    room: inRoom,
    messages: inRoom,
    reply: { ...inRoom, body: { text: 'It is on its way.', clientMessageId: unique('message') } },
    read: { ...inRoom, body: { seq: 1 } },
    unread: { ...inRoom, body: { seq: 1 } },
    typing: { ...inRoom, body: { typing: true } },
    abortUpload: ofAgentUpload,
    completeUpload: {
      ...ofAgentUpload,
      first: [...ofAgentUpload.first, offset, { call: 'uploadChunk', params: ofAgentUpload.params, body: file }],
      body: { clientMessageId: unique('message'), text: 'Your receipt' },
    },
    // A room has at most 3 open uploads: those that leave theirs open come last.
    initializeUpload: { ...inRoom, body: upload },
    uploadChunk: { ...ofAgentUpload, first: [...ofAgentUpload.first, offset], body: file },
    upload: ofAgentUpload,
    assign: {
      ...inRoom,
      first: [...firstRoom, { call: 'me', as: 'me' }],
      body: { agentId: fromResponse('me', ['agentId'], 'agt_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6') },
    },
    close: inRoom,
    reopen: inRoom,
    stats: {},
    ...ticketSamples,
    changeTicket: { first: [newTicket], params: { ticketId }, body: { priority: 2 } },
  },
  fields,
  vectors: [],
}

const visitor: readonly Step[] = [
  { call: 'openRoom', as: 'room', body: { customerDisplayName: 'Ann' } },
  { header: 'X-Chat-Room-Token', value: [fromResponse('room', ['roomToken'], fields.roomToken)] },
]
const ofRoom = { params: { roomId } } as const
const newUpload: Step = { call: 'initializeUpload', as: 'upload', ...ofRoom, body: upload }
const ofUpload = { params: { roomId, uploadId } } as const
const wholeUpload: readonly Step[] = [newUpload, offset, { call: 'uploadChunk', ...ofUpload, body: file }]
const completed = { ...ofUpload, body: { clientMessageId: unique('message'), text: 'My receipt' } } as const
const sentFile: readonly Step[] = [...wholeUpload, { call: 'completeUpload', as: 'message', ...completed }]
const downloadUrl = fromResponse(
  'message',
  ['attachments', 0, 'downloadUrl'],
  'https://chat.example/api/widget/v1/media/med_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6?exp=1772323800&sig=…',
)
const identity: readonly Step[] = [
  { set: 'issuedAt', to: { kind: 'unix-time' } },
  { set: 'signature', to: { kind: 'hmac', text: ['ann.', fromVariable('issuedAt', 1772323200)] } },
]

const signedIdentity = {
  identity: {
    customerAccount: 'ann',
    issuedAt: fromVariable('issuedAt', 1772323200),
    signature: fromVariable('signature', identityVector.signature),
  },
}
/** Steps that identify the customer by the merchant's signature. */
const asAnn: readonly Step[] = [
  ...identity,
  { call: 'identify', as: 'ann', body: signedIdentity },
  { header: 'X-Chat-Room-Token', value: [fromResponse('ann', ['roomToken'], fields.roomToken)] },
]
const ownOrder = {
  formCode: 'general',
  title: 'Withdrawal is missing',
  description: 'Requested on 1 March, not received.',
  clientTicketId: unique('ticket'),
}
const withOwnTicket: readonly Step[] = [...asAnn, { call: 'createOwnTicket', as: 'ticket', body: ownOrder }]

/** Code samples of the widget API. */
export const widgetSamples: ApiSamples = {
  environment: {
    BASE_URL: baseUrl,
    API_KEY: 'Public front-end key of the merchant.',
    SECRET: 'Identity secret of the merchant, for the endpoint that takes a signed identity.',
  },
  readyFile: { BASE_URL: 'baseUrl', API_KEY: 'chat.tenantKey' },
  keyHeader: 'X-Chat-Tenant-Key',
  before: { customer: visitor, listener: visitor },
  // A new conversation has no reply and has not ended.
  refused: ['rate', 'mailTranscript'],
  endpoints: {
    config: {},
    openRoom: { body: { customerDisplayName: 'Ann', pageUrl: 'https://shop.example/cashier' } },
    identify: {
      first: identity,
      body: signedIdentity,
    },
    room: ofRoom,
    rate: { ...ofRoom, body: { score: 5, comment: 'Quick and friendly' } },
    mailTranscript: { ...ofRoom, body: { email: 'ann@shop.example', clientTranscriptId: unique('transcript') } },
    ownTickets: { first: asAnn },
    ownTicket: { first: withOwnTicket, params: { ticketId } },
    createOwnTicket: { first: asAnn, body: ownOrder },
    replyToOwnTicket: {
      first: withOwnTicket,
      params: { ticketId },
      body: { content: 'It has arrived. Thank you.', clientCommentId: unique('comment') },
    },
    ownForms: { first: asAnn },
    messages: { ...ofRoom, query: { limit: 50 } },
    send: { ...ofRoom, body: { text: 'Where is my withdrawal?', clientMessageId: unique('message') } },
    read: { ...ofRoom, body: { seq: 0 } },
    typing: { ...ofRoom, body: { typing: true } },
    streamTicket: ofRoom,
    poll: { ...ofRoom, query: { waitMs: 0 } },
    initializeUpload: { ...ofRoom, body: upload },
    uploadChunk: { first: [newUpload, offset], ...ofUpload, body: file },
    upload: { first: [newUpload], ...ofUpload },
    abortUpload: { first: [newUpload], ...ofUpload },
    completeUpload: { first: wholeUpload, ...completed },
    token: ofRoom,
    events: { ...ofRoom, isStream: true },
    media: { first: [...visitor, ...sentFile], link: downloadUrl },
  },
  fields,
  vectors: [identityVector],
}
