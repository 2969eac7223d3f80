import type { ChatRoomRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { type Answer, answer } from '../../../http/contract/contract.ts'
import { letters } from '../../../kit/ids.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import type { CustomerRoom, IdentityInput, Room, RoomInput, WidgetRoomInput } from '../api/schemas.ts'
import { toCustomerRoom, toMessage, toRoom } from '../api/views.ts'
import { accountOfToken } from '../auth/token-holders.ts'
import { identityToken, isIdentity, roomToken, streamTicket, ticketLifeMs } from '../auth/tokens.ts'
import { countUnread, ensureInbox, insertRoom, roomOf, roomOfAccount } from '../queries/rooms.ts'
import { agentNames } from '../queries/tenants.ts'
import { giveTicketsTo } from '../queries/tickets.ts'
import { type Changed, type Chat, type ChatTenant, type Customer, changing, type Visitor } from '../service.ts'
import { answerTicket } from '../tickets/customer-answer.ts'
import { addMessage, addRoomEvent, draftOf, type RoomDraft, saveDraft } from './room-changes.ts'
import { languageTag, messageText, wrong } from './text-rules.ts'

/** Returns the tenant's room with this id. Throws ROOM_NOT_FOUND, also for another tenant's room. */
export async function theRoom(reader: Reader, tenant: ChatTenant, roomId: string): Promise<ChatRoomRow> {
  const room = await roomOf(reader, tenant.code, roomId)
  if (!room) throw refuse('ROOM_NOT_FOUND', `There is no room ${roomId}`)
  return room
}

interface RoomRequest {
  readonly account: string
  readonly displayName?: string | undefined
  readonly language?: string | undefined
  readonly email?: string | undefined
  readonly channel: string
  readonly inbox: string
  readonly initialText?: string | undefined
}

/**
 * Returns the one room of an account, created if necessary. New customer data is saved; channel and inbox category do
 * not change.
 */
async function roomFor(app: Chat, tx: Tx, tenant: ChatTenant, request: RoomRequest, changes: Changed[]) {
  const earlier = await roomOfAccount(tx, tenant.code, request.account)
  const draft = earlier ? draftOf(earlier) : draftOf(await makeRoom(app, tx, tenant, request))
  if (!earlier) addRoomEvent(draft)
  else takeOverProfile(draft, request, tx.now)
  const initial =
    request.initialText !== undefined && draft.room.last_seq === 0
      ? addMessage(app, tx, draft, {
          sender: { type: 'customer', id: request.account, name: draft.room.customer_display_name },
          text: request.initialText,
        })
      : null
  if (draft.events.length > 0) await saveDraft(app, tx, draft, changes)
  if (initial) await answerTicket(app, tx, draft.room, { text: initial.text }, changes)
  return { room: draft.room, created: earlier === undefined, initial }
}

type Profile = Pick<RoomRequest, 'displayName' | 'language' | 'email'>

function takeOverProfile(draft: RoomDraft, { displayName, language, email }: Profile, now: number): void {
  const { room } = draft
  const profile = {
    customer_display_name: displayName || room.customer_display_name,
    customer_language: language || room.customer_language,
    customer_email: email || room.customer_email,
  } as const
  const isSame = (Object.keys(profile) as (keyof typeof profile)[]).every((name) => profile[name] === room[name])
  if (isSame) return
  draft.room = { ...room, ...profile, updated_at: now }
  addRoomEvent(draft)
}

async function makeRoom(app: Chat, tx: Tx, tenant: ChatTenant, request: RoomRequest): Promise<ChatRoomRow> {
  await ensureInbox(tx, tenant.code, request.inbox)
  const room: ChatRoomRow = {
    id: `room_${app.id()}`,
    tenant: tenant.code,
    customer_account: request.account,
    customer_display_name: request.displayName || null,
    customer_language: request.language ?? null,
    customer_email: request.email || null,
    channel: request.channel,
    inbox: request.inbox,
    status: 'open',
    assignee_id: null,
    token_epoch: 1,
    last_seq: 0,
    last_event: 0,
    last_message_at: null,
    last_message_preview: null,
    customer_read_seq: 0,
    agent_read_seq: 0,
    customer_unread: 0,
    agent_unread: 0,
    waiting_since: null,
    created_at: tx.now,
    updated_at: tx.now,
    closed_at: null,
    closed_seq: null,
    rated_seq: null,
    rating: null,
    rating_comment: null,
    rated_at: null,
  }
  if (await insertRoom(tx, room)) {
    await giveTicketsTo(tx, room)
    return room
  }
  // Another writer created it between this transaction's read and its insert, which one engine makes visible.
  const existing = await roomOfAccount(tx, tenant.code, request.account)
  if (!existing) throw new Error('an existing room cannot be read')
  return existing
}

const defaults = { channel: 'api', inbox: 'default' } as const

interface Opened {
  readonly room: ChatRoomRow
  readonly created: boolean
  readonly initial: Parameters<typeof toMessage>[0] | null
  readonly now: number
}

function opening(tenant: ChatTenant, { room, created, initial, now }: Opened) {
  const { token, expiresAt } = roomToken(tenant, room, now)
  return {
    created,
    initialMessage: initial ? toMessage(initial) : null,
    roomToken: token,
    roomTokenExpiresAt: momentText(expiresAt),
  }
}

type OpenedRoom = Omit<Room, 'waitingSince'> & ReturnType<typeof opening>

/** Opens the room of an account: creates it or returns the existing one. Concurrent requests never create two. */
export async function openRoom(app: Chat, tenant: ChatTenant, input: RoomInput): Promise<Answer<OpenedRoom>> {
  const initialText =
    input.initialMessage === undefined ? undefined : messageText(input.initialMessage, 'initialMessage')
  const opened = await changing(app, async (tx, changes) => {
    const done = await roomFor(
      app,
      tx,
      tenant,
      {
        account: input.customerAccount,
        ...profileIn(input),
        channel: input.channel ?? defaults.channel,
        inbox: input.inboxCategoryCode ?? defaults.inbox,
        initialText,
      },
      changes,
    )
    return { ...done, now: tx.now, names: await agentNames(tx, [done.room.assignee_id]) }
  })
  const data = { ...toRoom(opened.room, opened.names), ...opening(tenant, opened) }
  return answer(data, { status: opened.created ? 201 : 200 })
}

type OpenedCustomerRoom = CustomerRoom & ReturnType<typeof opening>

function checkIdentity(tenant: ChatTenant, identity: IdentityInput['identity'], now: number): void {
  if (isIdentity(tenant, identity, now)) return
  const message = 'The identity signature is invalid, or its issuedAt is more than 300 seconds from now'
  throw refuse('IDENTITY_INVALID', message)
}

/**
 * Exchanges a fresh identity for a token, so that the customer can start to write long after the page was loaded. Does
 * not create a room.
 */
export async function identify(app: Chat, { tenant }: Visitor, input: IdentityInput) {
  const { customerAccount } = input.identity
  return changing(app, async (tx, changes) => {
    checkIdentity(tenant, input.identity, tx.now)
    const room = await roomOfAccount(tx, tenant.code, customerAccount)
    if (!room) {
      const { token, expiresAt } = identityToken(tenant, customerAccount, tx.now)
      return { roomId: null, roomToken: token, roomTokenExpiresAt: momentText(expiresAt) }
    }
    const draft = draftOf(room)
    takeOverProfile(draft, profileIn(input), tx.now)
    if (draft.events.length > 0) await saveDraft(app, tx, draft, changes)
    const { token, expiresAt } = roomToken(tenant, room, tx.now)
    return { roomId: room.id, roomToken: token, roomTokenExpiresAt: momentText(expiresAt) }
  })
}

function profileIn(input: Pick<RoomInput, 'customerDisplayName' | 'customerLanguage' | 'customerEmail'>): Profile {
  return {
    displayName: input.customerDisplayName,
    language: input.customerLanguage && languageTag(input.customerLanguage),
    email: input.customerEmail,
  }
}

/**
 * Opens a customer's room from a page: that of a token or of a signed identity's account, else a new one for an
 * anonymous account. A page cannot name an account without a signature.
 */
export async function openWidgetRoom(
  app: Chat,
  { tenant, roomToken: token }: Visitor,
  input: WidgetRoomInput,
): Promise<Answer<OpenedCustomerRoom>> {
  if (input.customerAccount !== undefined)
    throw wrong('customerAccount', 'cannot be set by a page; sign an identity instead')
  const opened = await changing(app, async (tx, changes) => {
    const { identity } = input
    if (identity) checkIdentity(tenant, identity, tx.now)
    const known = token === undefined || identity ? undefined : await accountOfToken(tx, tenant, token)
    if (token !== undefined && !identity && known === undefined)
      throw refuse('INVALID_ROOM_TOKEN', 'The room token is unknown, revoked or expired')
    const done = await roomFor(
      app,
      tx,
      tenant,
      {
        account: identity?.customerAccount ?? known ?? `web:${app.id()}`,
        ...profileIn(input),
        channel: 'web',
        inbox: input.inboxCategoryCode ?? defaults.inbox,
      },
      changes,
    )
    return { ...done, now: tx.now, names: await agentNames(tx, [done.room.assignee_id]) }
  })
  const data = { ...toCustomerRoom(opened.room, opened.names), ...opening(tenant, opened) }
  return answer(data, { status: opened.created ? 201 : 200 })
}

/**
 * Returns a new token. The current one could be returned while it is valid for more than a week, but a new one costs
 * nothing.
 */
export function freshToken(app: Chat, { tenant, room }: Customer) {
  return app.store.read(async (reader) => {
    const { token, expiresAt } = roomToken(tenant, room, reader.now)
    return { roomToken: token, roomTokenExpiresAt: momentText(expiresAt) }
  })
}

/** Creates a ticket for one stream, for a browser's EventSource, which cannot send headers. */
export function makeStreamTicket(app: Chat, { tenant, room }: Customer) {
  // By the machine's clock, so that moving the world's clock does not expire it.
  const expiresAt = app.machineNow() + ticketLifeMs
  const ticket = streamTicket(tenant, room, letters(16, app.random), expiresAt)
  return { ticket, expiresAt: momentText(expiresAt) }
}

export function readCustomerRoom(app: Chat, { tenant, room }: Customer): Promise<CustomerRoom> {
  return app.store.read(async (reader) => {
    const now = await theRoom(reader, tenant, room.id)
    return toCustomerRoom(now, await agentNames(reader, [now.assignee_id]))
  })
}

/** Moves the customer's read position forward, never back. */
export async function markCustomerRead(app: Chat, { tenant, room }: Customer, seq: number) {
  const after = await changing(app, async (tx, changes) => {
    const before = await theRoom(tx, tenant, room.id)
    const position = Math.min(seq, before.last_seq)
    if (position <= before.customer_read_seq) return before
    const draft = draftOf(before)
    draft.room.customer_read_seq = position
    draft.room.customer_unread = await countUnread(tx, room.id, 'customer', position)
    addRoomEvent(draft)
    await saveDraft(app, tx, draft, changes)
    return draft.room
  })
  return { customerReadSeq: after.customer_read_seq, customerUnreadCount: after.customer_unread }
}
