import type { Sender } from '../../../http/contract/contract.ts'
import { type Service, serve } from '../../../http/server/handle.ts'
import { reachedBy } from '../../../http/server/public-url.ts'
import { agent, chat, widget } from '../api/contract.ts'
import { authenticateAgent, authenticateBot, corsFor, widgetCalling } from '../auth/auth.ts'
import { pollEvents } from '../events/long-poll.ts'
import { typeAsAgent, typeAsCustomer } from '../events/typing.ts'
import { abortUpload, agentUploader, completeUpload, initializeUpload, readUpload } from '../media/uploads.ts'
import {
  assignRoom,
  listAgents,
  listRooms,
  markAgentRead,
  readRoom,
  readStats,
  setRoomOpen,
} from '../rooms/agent-rooms.ts'
import { readMessages, readWindow, reply, sendCustomerText, sendFromWidget } from '../rooms/messages.ts'
import { rateConversation } from '../rooms/ratings.ts'
import {
  freshToken,
  identify,
  makeStreamTicket,
  markCustomerRead,
  openRoom,
  openWidgetRoom,
  readCustomerRoom,
} from '../rooms/rooms.ts'
import { mailTranscript } from '../rooms/transcripts.ts'
import type { AgentCaller, Chat, ChatTenant, Customer, SignedCustomer, Visitor } from '../service.ts'
import { listForms, readForm } from '../tickets/forms.ts'
import { listTickets, readTicket } from '../tickets/list-tickets.ts'
import {
  createOwnTicket,
  listOwnForms,
  listOwnTickets,
  readOwnTicket,
  replyToOwnTicket,
} from '../tickets/own-tickets.ts'
import { setStatus } from '../tickets/ticket-status.ts'
import { changeTicket, comment, createTicket } from '../tickets/tickets.ts'
import { readConfig } from '../widget/config.ts'

/** Actor in a ticket's history for a back end that sends no name. */
const bot = { type: 'api', name: 'API' } as const

const asAgent = ({ agentId, displayName }: AgentCaller) => ({ type: 'agent', name: displayName, agentId }) as const

/** Returns the three APIs of the chat: for the merchant's back end, the customer's browser, and agents. */
export function chatServices(app: Chat): Service[] {
  return [chatService(app), widgetService(app), agentService(app)]
}

/** Returns the bot and ticket API. */
export function chatService(app: Chat): Service {
  return serve<typeof chat, { bot: ChatTenant; tickets: ChatTenant }>(
    chat,
    (request) => authenticateBot(app, request),
    {
      openRoom: ({ caller, body }) => openRoom(app, caller, body),
      sendCustomerText: ({ caller, params, body }) => sendCustomerText(app, caller, params.roomId, body),
      messages: ({ caller, params, query, sender }) =>
        readMessages(reachedBy(app, sender), caller, params.roomId, query, sender.headers['if-none-match']),
      tickets: ({ caller, query }) => listTickets(app, caller, query),
      ticket: ({ caller, params }) => readTicket(app, caller, params.ticketId),
      createTicket: ({ caller, body, sender }) => createTicket(app, caller, bot, body, keyOf(sender)),
      comment: ({ caller, params, body, sender }) => comment(app, caller, bot, params.ticketId, body, keyOf(sender)),
      setStatus: ({ caller, params, body }) => setStatus(app, caller, bot, params.ticketId, body),
      forms: ({ caller }) => listForms(app, caller),
      form: ({ caller, params }) => readForm(app, caller, params.formCode),
    },
  )
}

/** Returns the API of the widget. */
export function widgetService(app: Chat): Service {
  return serve<typeof widget, { visitor: Visitor; customer: Customer; account: SignedCustomer }>(
    widget,
    (request) => widgetCalling(app, request),
    {
      config: ({ caller, query, sender }) => readConfig(app, caller, query, sender.headers['if-none-match']),
      openRoom: ({ caller, body }) => openWidgetRoom(app, caller, body),
      identify: ({ caller, body }) => identify(app, caller, body),
      room: ({ caller }) => readCustomerRoom(app, caller),
      messages: ({ caller, query, sender }) => readWindow(reachedBy(app, sender), caller, query),
      send: ({ caller, body }) => sendFromWidget(app, caller, body),
      read: ({ caller, body }) => markCustomerRead(app, caller, body.seq),
      poll: ({ caller, query, sender }) => pollEvents(reachedBy(app, sender), app.broadcaster, caller, query),
      initializeUpload: ({ caller, body }) => initializeUpload(app, caller, body),
      upload: ({ caller, params }) => readUpload(app, caller, params.uploadId),
      abortUpload: ({ caller, params }) => abortUpload(app, caller, params.uploadId),
      completeUpload: ({ caller, params, body, sender }) =>
        completeUpload(reachedBy(app, sender), caller, params.uploadId, body),
      token: ({ caller }) => freshToken(app, caller),
      ownTickets: ({ caller }) => listOwnTickets(app, caller),
      ownTicket: ({ caller, params }) => readOwnTicket(app, caller, params.ticketId),
      createOwnTicket: ({ caller, body }) => createOwnTicket(app, caller, body),
      replyToOwnTicket: ({ caller, params, body }) => replyToOwnTicket(app, caller, params.ticketId, body),
      ownForms: ({ caller }) => listOwnForms(app, caller),
      rate: ({ caller, body }) => rateConversation(app, caller, body),
      mailTranscript: ({ caller, body }) => mailTranscript(app, caller, body),
      typing: ({ caller, body }) => typeAsCustomer(app, caller, body.typing),
      streamTicket: async ({ caller }) => makeStreamTicket(app, caller),
    },
    {
      cors: (request) => corsFor(app, request),
    },
  )
}

/** Returns the API for agents. */
export function agentService(app: Chat): Service {
  return serve<typeof agent, { agent: AgentCaller; agentTickets: AgentCaller }>(
    agent,
    (request) => authenticateAgent(app, request),
    {
      me: async ({ caller: { agentId, displayName } }) => ({ agentId, displayName }),
      agents: ({ caller }) => listAgents(app, caller),
      rooms: ({ caller, query }) => listRooms(app, caller, query),
      room: ({ caller, params }) => readRoom(app, caller.tenant, params.roomId),
      messages: ({ caller, params, query, sender }) =>
        readMessages(reachedBy(app, sender), caller.tenant, params.roomId, query, sender.headers['if-none-match']),
      reply: ({ caller, params, body, sender }) => reply(reachedBy(app, sender), caller, params.roomId, body),
      read: ({ caller, params, body }) => markAgentRead(app, caller, params.roomId, { upTo: body.seq }),
      unread: ({ caller, params, body }) => markAgentRead(app, caller, params.roomId, { backTo: body.seq }),
      initializeUpload: async ({ caller, params, body }) =>
        initializeUpload(app, await agentUploader(app, caller, params.roomId), body),
      upload: async ({ caller, params }) =>
        readUpload(app, await agentUploader(app, caller, params.roomId), params.uploadId),
      abortUpload: async ({ caller, params }) =>
        abortUpload(app, await agentUploader(app, caller, params.roomId), params.uploadId),
      completeUpload: async ({ caller, params, body, sender }) =>
        completeUpload(reachedBy(app, sender), await agentUploader(app, caller, params.roomId), params.uploadId, body),
      typing: ({ caller, params, body }) => typeAsAgent(app, caller, params.roomId, body.typing),
      assign: ({ caller, params, body }) => assignRoom(app, caller, params.roomId, body),
      close: ({ caller, params }) => setRoomOpen(app, caller, params.roomId, false),
      reopen: ({ caller, params }) => setRoomOpen(app, caller, params.roomId, true),
      stats: ({ caller }) => readStats(app, caller),
      tickets: ({ caller, query }) => listTickets(app, caller.tenant, query),
      ticket: ({ caller, params }) => readTicket(app, caller.tenant, params.ticketId),
      createTicket: ({ caller, body, sender }) =>
        createTicket(app, caller.tenant, asAgent(caller), body, keyOf(sender)),
      comment: ({ caller, params, body, sender }) =>
        comment(app, caller.tenant, asAgent(caller), params.ticketId, body, keyOf(sender)),
      setStatus: ({ caller, params, body }) => setStatus(app, caller.tenant, asAgent(caller), params.ticketId, body),
      changeTicket: ({ caller, params, body }) =>
        changeTicket(app, caller.tenant, asAgent(caller), params.ticketId, body),
      forms: ({ caller }) => listForms(app, caller.tenant),
      form: ({ caller, params }) => readForm(app, caller.tenant, params.formCode),
    },
  )
}

function keyOf({ headers }: Sender): string | undefined {
  return headers['idempotency-key']
}
