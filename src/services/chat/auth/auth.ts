import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import type { AuthenticateRequest } from '../../../http/contract/contract.ts'
import { storable } from '../../../http/contract/storable-text.ts'
import type { Problem } from '../../../kit/problem.ts'
import { chat, refuse } from '../api/contract.ts'
import { roomOf } from '../queries/rooms.ts'
import { agentOf, keyWithTenant, spendTicket, tenantOfKey } from '../queries/tenants.ts'
import type { AgentCaller, Chat, ChatTenant, Customer, SignedCustomer, Visitor } from '../service.ts'
import { type RequestLimit, rateFields, rates } from './rate-limits.ts'
import { accountOfToken } from './token-holders.ts'
import { idInKey, isKey, readRoomToken, readStreamTicket, tokenLifeMs } from './tokens.ts'

/** Parts of a request or stream that authentication uses. */
export type AuthRequest = Pick<
  AuthenticateRequest,
  'headers' | 'url' | 'address' | 'method' | 'params' | 'responseHeaders'
>

/** A request body that may contain credentials. */
type Sent = Pick<AuthenticateRequest, 'body' | 'isTooLarge'>

/**
 * Authenticates the merchant's back end by API key. Checks in this order: the key, the plan, the rate. Requests without
 * a valid key do not use up the key's rate. A plan below Pro is refused before anything about a ticket is revealed.
 */
export async function authenticateBot(app: Chat, request: AuthenticateRequest): Promise<ChatTenant> {
  const key = request.headers['x-chat-apikey'] ?? ''
  const { tenant } = await holderOf(app, 'api', key, request)
  const isTicketEndpoint = request.endpoint?.access === 'tickets'
  if (isTicketEndpoint) checkPlan(tenant)
  const limits: RequestLimit[] = [{ key: `key ${key}`, limit: rates.apiKey }]
  const room = request.params['roomId']
  if (request.endpoint === chat.endpoints.sendCustomerText && room !== undefined)
    limits.push({ key: `text ${tenant.code} ${room}`, limit: rates.customerText })
  await spend(app, request, limits)
  return tenant
}

/** Authenticates an agent by token. */
export async function authenticateAgent(app: Chat, request: AuthenticateRequest): Promise<AgentCaller> {
  const caller = await agentOfToken(app, request)
  if (request.endpoint?.access === 'agentTickets') checkPlan(caller.tenant)
  return caller
}

export async function agentOfToken(app: Chat, request: AuthRequest): Promise<AgentCaller> {
  const token = request.headers['x-chat-agenttoken'] ?? ''
  const { tenant, key } = await holderOf(app, 'agent', token, request)
  const agent = await app.store.read((reader) => agentOf(reader, tenant.code, key.agent_id ?? ''))
  if (!agent) throw refuse('UNAUTHORIZED', 'The key is unknown or revoked')
  await spend(app, request, [{ key: `agent ${agent.id}`, limit: rates.agentToken }])
  return { tenant, keyId: key.id, agentId: agent.id, displayName: agent.display_name }
}

function checkPlan(tenant: ChatTenantRow): void {
  if (tenant.plan === 'free') throw refuse('PLAN_REQUIRED', 'Tickets require the Pro plan or a higher one')
}

async function holderOf(app: Chat, kind: 'api' | 'agent', text: string, request: AuthRequest) {
  const id = idInKey(kind, text)
  const holder = id === undefined ? undefined : await app.store.read((reader) => keyWithTenant(reader, id))
  const isGood =
    holder !== undefined &&
    holder.key.kind === kind &&
    holder.key.revoked_at === null &&
    isKey(holder.tenant, holder.key, text)
  if (!isGood) throw await failed(app, request, refuse('UNAUTHORIZED', 'The key is missing, unknown or revoked'))
  return holder
}

/**
 * Returns the refusal of an invalid key, ticket or token, and counts it. Throws RATE_LIMITED after too many failures
 * from one address; holders of valid credentials at the same address are not affected.
 */
async function failed(app: Chat, request: AuthRequest, refusal: Problem): Promise<Problem> {
  await spend(app, request, [{ key: `failed ${request.address}`, limit: rates.failedKey }])
  return refusal
}

/** Authenticates a merchant's page: the public key names the merchant, and the page's origin must be allowed. */
export async function authenticateVisitor(app: Chat, request: AuthRequest, sent?: Sent): Promise<Visitor> {
  const tenant = await tenantOfPage(app, request, sent)
  return { tenant, roomToken: request.headers['x-chat-room-token'], address: request.address }
}

async function tenantOfPage(app: Chat, request: AuthRequest, sent?: Sent): Promise<ChatTenantRow> {
  const outside = tenantKeyOutside(request)
  // A key in a body that is too large was not read, so it must not be reported as wrong.
  if (outside === undefined && sent?.isTooLarge) throw refuse('PAYLOAD_TOO_LARGE', 'The body is too large')
  const key = outside ?? tenantKeyIn(sent?.body)
  const tenant = key ? await app.store.read((reader) => tenantOfKey(reader, key)) : undefined
  if (!tenant)
    throw await failed(app, request, refuse('INVALID_TENANT_KEY', 'The tenantKey is unknown or was replaced'))
  const { origin } = request.headers
  if (origin !== undefined && !isAllowedOrigin(tenant, origin))
    throw refuse('ORIGIN_NOT_ALLOWED', `The widget is not allowed on ${origin}`)
  return tenant
}

/** Authenticates a customer who opens a stream: by room token, or by a ticket for this one stream. */
export async function authenticateStream(app: Chat, request: AuthRequest): Promise<Customer> {
  const ticket = queryOf(request.url, 'ticket')
  if (ticket === undefined || request.headers['x-chat-room-token'] !== undefined)
    return authenticateCustomer(app, request)
  const tenant = await tenantOfPage(app, request)
  const roomId = request.params['roomId']
  const now = app.machineNow()
  const claim = readStreamTicket(tenant, ticket, now)
  const room =
    claim && claim.roomId === roomId
      ? await app.store.read((reader) => roomOf(reader, tenant.code, claim.roomId))
      : undefined
  const isGood =
    claim !== undefined &&
    room?.token_epoch === claim.epoch &&
    (await app.store.write((tx) => spendTicket(tx, claim.nonce, claim.expiresAt)))
  if (!isGood) {
    const reason = 'The stream ticket is not valid for this room, was already used, or has expired'
    throw await failed(app, request, refuse('INVALID_ROOM_TOKEN', reason))
  }
  // The stream may stay open as long as one with a new token.
  return { tenant, room, tokenExpiresAt: (await app.store.read(async (reader) => reader.now)) + tokenLifeMs }
}

/** Authenticates a customer by the token of the room in the path. */
export async function authenticateCustomer(app: Chat, request: AuthRequest, sent?: Sent): Promise<Customer> {
  const tenant = await tenantOfPage(app, request, sent)
  const token = request.headers['x-chat-room-token'] ?? ''
  const roomId = request.params['roomId']
  const grant = await app.store.read(async (reader) => {
    const claim = readRoomToken(tenant, token, reader.now)
    const room = claim && claim.roomId === roomId ? await roomOf(reader, tenant.code, claim.roomId) : undefined
    return room && room.token_epoch === claim?.epoch ? { room, expiresAt: claim.expiresAt } : undefined
  })
  if (!grant) {
    const reason = 'The room token is missing, expired, revoked or for another room'
    throw await failed(app, request, refuse('INVALID_ROOM_TOKEN', reason))
  }
  return { tenant, room: grant.room, tokenExpiresAt: grant.expiresAt }
}

/** Accounts of visitors without a signed identity. */
const anonymous = /^web:/

/**
 * Authenticates a customer whom the merchant's signature identified. The room token of an anonymous visitor is not
 * enough: its account belongs to a browser and not to a person.
 */
async function authenticateSigned(app: Chat, request: AuthenticateRequest): Promise<SignedCustomer> {
  const tenant = await tenantOfPage(app, request, request)
  checkPlan(tenant)
  const token = request.headers['x-chat-room-token'] ?? ''
  const account = await app.store.read((reader) => accountOfToken(reader, tenant, token))
  if (account === undefined) {
    const reason = 'The room token is missing, unknown, revoked or expired'
    throw await failed(app, request, refuse('INVALID_ROOM_TOKEN', reason))
  }
  if (anonymous.test(account))
    throw refuse('IDENTITY_INVALID', 'Tickets are shown to customers with a signed identity only')
  return { tenant, account }
}

export async function widgetCalling(
  app: Chat,
  request: AuthenticateRequest,
): Promise<Visitor | Customer | SignedCustomer> {
  const { endpoint } = request
  if (endpoint?.access === 'account') {
    const signed = await authenticateSigned(app, request)
    await spend(app, request, accountLimits(signed, request.address, endpoint))
    return signed
  }
  if (endpoint?.access === 'customer') {
    const customer = await authenticateCustomer(app, request, request)
    await spend(app, request, customerLimits(customer, request.address, endpoint))
    return customer
  }
  const visitor = await authenticateVisitor(app, request, request)
  const clientKey = `${visitor.tenant.code} ${request.address}`
  await spend(app, request, visitorLimits(visitor, clientKey, endpoint))
  return visitor
}

function accountLimits(
  { tenant }: SignedCustomer,
  address: string,
  { path, method }: { path: string; method: string },
): RequestLimit[] {
  const clientKey = `${tenant.code} ${address}`
  if (method !== 'POST') return [{ key: `call ${clientKey}`, limit: rates.widgetCall }]
  return [
    { key: `ticket ${clientKey}`, limit: path === '/tickets' ? rates.widgetTicket : rates.widgetMessage },
    { key: `tickets ${tenant.code}`, limit: rates.widgetRoomsOfTenant },
  ]
}

function visitorLimits(
  { tenant }: Visitor,
  clientKey: string,
  endpoint: { path: string; method: string } | undefined,
): RequestLimit[] {
  const path = endpoint?.path
  if (path === '/rooms' || path === '/identity')
    return [
      { key: `room ${clientKey}`, limit: rates.widgetRoom },
      { key: `rooms ${tenant.code}`, limit: rates.widgetRoomsOfTenant },
    ]
  if (path === '/config') return [{ key: `config ${clientKey}`, limit: rates.widgetConfig }]
  // An unknown path does not use up the rate for opening rooms.
  return [{ key: `call ${clientKey}`, limit: rates.widgetCall }]
}

/**
 * Returns the rate limits that a request uses. A transcript uses two, so that one room cannot flood an address, and one
 * client cannot reach many addresses.
 */
function customerLimits(
  customer: Customer,
  address: string,
  endpoint: { path: string; method: string },
): RequestLimit[] {
  if (!endpoint.path.endsWith('/transcript')) return [customerLimit(customer, endpoint.path, endpoint.method)]
  return [
    { key: `transcript ${customer.room.id}`, limit: rates.transcript },
    { key: `transcripts ${customer.tenant.code} ${address}`, limit: rates.transcriptAddress },
  ]
}

function customerLimit({ room }: Customer, path: string, method: string): RequestLimit {
  if (path.endsWith('/rating')) return { key: `rating ${room.id}`, limit: rates.rating }
  if (path.endsWith('/read') || path.endsWith('/typing')) return { key: `read ${room.id}`, limit: rates.widgetRead }
  if (path.endsWith('/messages') && method === 'POST') return { key: `message ${room.id}`, limit: rates.widgetMessage }
  if (path.endsWith('/initialize')) return { key: `upload ${room.id}`, limit: rates.uploadStart }
  return { key: `call ${room.id}`, limit: rates.widgetCall }
}

/**
 * Takes from all of the buckets or from none, and adds the remaining rates to the response. Throws RATE_LIMITED when
 * one is empty.
 */
export async function spend(
  app: Chat,
  { responseHeaders }: Pick<AuthRequest, 'responseHeaders'>,
  limits: readonly RequestLimit[],
): Promise<void> {
  if (!app.config.rateLimits) return
  const { waitMs, left } = await app.limiter.take(limits)
  Object.assign(responseHeaders, rateFields(left))
  if (waitMs > 0) throw refuse('RATE_LIMITED', 'Too many requests', { retryAfterMs: waitMs })
}

export function isAllowedOrigin(tenant: ChatTenantRow, origin: string): boolean {
  const origins: string[] = JSON.parse(tenant.origins)
  return origins.length === 0 || origins.includes(origin)
}

/** Returns a query parameter that no schema has validated yet. */
export function queryOf(url: string, name: string): string | undefined {
  const at = url.indexOf('?')
  const text = at < 0 ? null : new URLSearchParams(url.slice(at + 1)).get(name)
  return text === null ? undefined : storable(text)
}

/** Returns the tenant key in the header or query; an empty one counts as absent. */
function tenantKeyOutside({ headers, url }: Pick<AuthRequest, 'headers' | 'url'>): string | undefined {
  return headers['x-chat-tenant-key'] || queryOf(url, 'tenantKey') || undefined
}

/** Returns the tenant key in an unparsed body: authentication needs it before the body is validated. */
function tenantKeyIn(body: Uint8Array | undefined): string | undefined {
  if (!body || body.byteLength === 0) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    if (typeof value !== 'object' || value === null || !('tenantKey' in value)) return undefined
    return typeof value.tenantKey === 'string' ? storable(value.tenantKey) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the CORS headers for a merchant's page. The origin is reflected if the tenant allows it, and if the tenant is
 * unknown, so that the page can read the refusal. There are no cookies, so this grants no access.
 */
export async function corsFor(
  app: Chat,
  request: { headers: Readonly<Record<string, string | undefined>>; url: string },
): Promise<Record<string, string> | undefined> {
  const { origin } = request.headers
  if (origin === undefined) return undefined
  const key = tenantKeyOutside(request)
  const tenant = key ? await app.store.read((reader) => tenantOfKey(reader, key)) : undefined
  if (tenant && !isAllowedOrigin(tenant, origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers':
      'Content-Type, X-Chat-Room-Token, X-Chat-Tenant-Key, Last-Event-ID, Upload-Offset, Content-Digest, Range',
    'access-control-max-age': '7200',
    'access-control-expose-headers':
      'Retry-After, X-Request-Id, RateLimit, RateLimit-Policy, Upload-Offset, Content-Range, ETag, X-Countroom-Time',
  }
}
