import type { ChatPlan, ChatTenantRow } from '../../db/schema/chat.ts'
import type { FormDefinition } from '../../domain/tickets/form.ts'
import type { FormFault } from '../../domain/tickets/form-errors.ts'
import { letters } from '../../kit/ids.ts'
import { Problem } from '../../kit/problem.ts'
import { countText } from '../../kit/text/count-text.ts'
import { checkAgentName } from './admin/agent-name.ts'
import { faultInChannel, maxChannels, type SocialChannel } from './api/social-channels.ts'
import { keyText } from './auth/tokens.ts'
import { limitBounds, limitsOf, type UploadLimits } from './media/limits.ts'
import { raiseEpochs } from './queries/rooms.ts'
import {
  allChatTenants,
  chatKeyOf,
  chatKeysOf,
  chatTenantOf,
  insertAgent,
  insertChatKey,
  insertChatTenant,
  revokeChatKey,
  saveChatTenant,
} from './queries/tenants.ts'
import { formVersions, insertForm } from './queries/tickets.ts'
import type { Chat, WriteGroup } from './service.ts'
import { readFormFile, storedForm } from './tickets/form-file.ts'
import { type Repair, repairForms } from './tickets/form-repair.ts'
import { defaultLook, type Look, lookOf } from './widget/config.ts'

/** Actions of the merchant's back office (3-chat-api). */

/** Form of every new tenant: all transitions between its statuses are allowed. */
export const generalForm: FormDefinition = {
  title: 'General',
  description: '',
  fields: [
    {
      fieldCode: 'txnId',
      label: 'Transfer',
      type: 'text',
      required: false,
      visibleToCustomer: true,
      validation: { minLength: 1, maxLength: 64, pattern: '[A-Za-z0-9_.:-]+' },
      requiredOnStatus: [],
    },
    {
      fieldCode: 'amount',
      label: 'Amount',
      type: 'decimal',
      required: false,
      visibleToCustomer: true,
      validation: { min: '0' },
      requiredOnStatus: [],
    },
  ],
  workflow: {
    initialStatus: 'open',
    statuses: [
      { code: 'open', label: 'Open', category: 'open' },
      { code: 'in_progress', label: 'In progress', category: 'open' },
      { code: 'waiting_customer', label: 'Waiting for customer', category: 'waiting' },
      { code: 'resolved', label: 'Resolved', category: 'resolved' },
      { code: 'closed', label: 'Closed', category: 'closed' },
    ],
    transitions: null,
  },
}

/** Returns the row of a merchant, or throws CHAT_TENANT_NOT_FOUND. */
export async function theTenant(reader: Parameters<typeof chatTenantOf>[0], code: string): Promise<ChatTenantRow> {
  const tenant = await chatTenantOf(reader, code)
  if (!tenant) throw new Problem('CHAT_TENANT_NOT_FOUND', `There is no chat tenant ${code}`)
  return tenant
}

/** Returns the row of a merchant; undefined if it does not exist. */
export function readChatTenant(app: Chat, code: string): Promise<ChatTenantRow | undefined> {
  return app.store.read((reader) => chatTenantOf(reader, code))
}

/** Creates a merchant with the form `general` and a first API key. */
export function createChatTenant(
  app: Chat,
  input: { code: string; name?: string; plan: ChatPlan; origins?: readonly string[]; look?: Partial<Look> },
): Promise<ChatTenantRow> {
  return app.store.write(async (tx) => {
    if (await chatTenantOf(tx, input.code))
      throw new Problem('CHAT_TENANT_EXISTS', `Chat tenant ${input.code} already exists`)
    const tenant: ChatTenantRow = {
      code: input.code,
      name: input.name ?? input.code,
      plan: input.plan,
      tenant_key: aTenantKey(app),
      secret: letters(43, app.random),
      identity_secret: letters(43, app.random),
      default_form: 'general',
      origins: JSON.stringify(input.origins ?? []),
      look: JSON.stringify({ ...defaultLook, ...input.look }),
      created_at: tx.now,
      limits: '{}',
      revocations: 0,
      identity_secret_before: null,
      identity_before_until: null,
      identity_shown_at: null,
    }
    await insertChatTenant(tx, tenant)
    await insertForm(tx, {
      tenant: input.code,
      code: 'general',
      version: 1,
      is_active: 1,
      definition: JSON.stringify(generalForm),
      created_at: tx.now,
    })
    await insertChatKey(tx, aKey(app, input.code, tx.now))
    return tenant
  })
}

function aTenantKey(app: Chat): string {
  return `wk_${letters(24, app.random)}`
}

function aKey(app: Chat, tenant: string, now: number) {
  return { id: app.id(), tenant, kind: 'api', agent_id: null, created_at: now, revoked_at: null } as const
}

/** Creates another API key; existing keys stay valid. */
export function createApiKey(app: Chat, code: string): Promise<{ keyId: string; apiKey: string }> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const key = aKey(app, code, tx.now)
    await insertChatKey(tx, key)
    return { keyId: key.id, apiKey: keyText(tenant, key) }
  })
}

/** Revokes a key or an agent's token, effective at once. */
export function revokeKey(app: Chat, code: string, keyId: string): Promise<void> {
  return app.store.write(async (tx) => {
    const key = await chatKeyOf(tx, keyId)
    if (!key || key.tenant !== code) throw new Problem('CHAT_KEY_NOT_FOUND', `There is no key ${keyId}`)
    await revokeChatKey(tx, keyId)
  })
}

/** Revokes the tokens of a room, or of all rooms of the merchant, effective at once. Returns the number of rooms. */
export function revokeRoomTokens(
  app: Chat,
  code: string,
  of: { readonly roomId?: string; readonly account?: string },
): Promise<number> {
  return app.store.write(
    async (tx) => {
      const { revocations } = await theTenant(tx, code)
      const rooms = await raiseEpochs(tx, code, of)
      if (rooms === 0 && (of.roomId ?? of.account) !== undefined)
        throw new Problem('CHAT_ROOM_NOT_FOUND', `${code} has no room ${of.roomId ?? `of ${of.account}`}`)
      await saveChatTenant(tx, code, { revocations: revocations + 1 })
      return rooms
    },
    { writeGroup: 'chat-rooms' satisfies WriteGroup },
  )
}

/**
 * Replaces the front-end key, as the document allows a tenant's administrator to do; the old one stops working at once.
 */
export function rebuildTenantKey(app: Chat, code: string): Promise<{ tenantKey: string }> {
  return app.store.write(async (tx) => {
    await theTenant(tx, code)
    const tenantKey = aTenantKey(app)
    await saveChatTenant(tx, code, { tenant_key: tenantKey })
    return { tenantKey }
  })
}

export function setPlan(app: Chat, code: string, plan: ChatPlan): Promise<void> {
  return app.store.write(async (tx) => {
    await theTenant(tx, code)
    await saveChatTenant(tx, code, { plan })
  })
}

/**
 * Returns a merchant's widget settings: its public key, its allowed origins (all, if none are set) and its appearance.
 */
export function readWidget(
  app: Chat,
  code: string,
): Promise<{ readonly tenantKey: string; readonly origins: readonly string[]; readonly look: Look }> {
  return app.store.read(async (reader) => {
    const tenant = await theTenant(reader, code)
    return { tenantKey: tenant.tenant_key, origins: JSON.parse(tenant.origins), look: lookOf(tenant) }
  })
}

/** Sets the origins that may embed the widget; an empty list allows all. */
export function setOrigins(app: Chat, code: string, origins: readonly string[]): Promise<void> {
  return app.store.write(async (tx) => {
    await theTenant(tx, code)
    await saveChatTenant(tx, code, { origins: JSON.stringify(origins) })
  })
}

/** Adds a social channel to the widget; the list keeps its order. */
export function addSocialChannel(app: Chat, code: string, channel: SocialChannel): Promise<readonly SocialChannel[]> {
  return changeChannels(app, code, (channels) => {
    const fault = faultInChannel(channel)
    if (fault !== undefined) throw new Problem('CHAT_CHANNEL_INVALID', fault)
    if (channels.some(({ url }) => url === channel.url))
      throw new Problem('CHAT_CHANNEL_EXISTS', `${code} already has the channel ${channel.url}`)
    if (channels.length >= maxChannels)
      throw new Problem('CHAT_CHANNEL_LIMIT', `${code} already has ${maxChannels} social channels, the maximum`)
    return [...channels, channel]
  })
}

/** Removes the social channel with this URL. */
export function removeSocialChannel(app: Chat, code: string, url: string): Promise<readonly SocialChannel[]> {
  return changeChannels(app, code, (channels) => {
    const rest = channels.filter((channel) => channel.url !== url)
    if (rest.length === channels.length)
      throw new Problem('CHAT_CHANNEL_NOT_FOUND', `${code} has no social channel ${url}`)
    return rest
  })
}

function changeChannels(
  app: Chat,
  code: string,
  change: (channels: readonly SocialChannel[]) => readonly SocialChannel[],
): Promise<readonly SocialChannel[]> {
  return app.store.write(async (tx) => {
    const look = lookOf(await theTenant(tx, code))
    const socialChannels = change(look.socialChannels)
    await saveChatTenant(tx, code, { look: JSON.stringify({ ...look, socialChannels }) })
    return socialChannels
  })
}

/** Returns the identity secret, once. Throws CHAT_SECRET_SHOWN afterwards: only a rotation returns a new one. */
export function showIdentitySecret(app: Chat, code: string): Promise<{ identitySecret: string }> {
  return app.store.write(async (tx) => {
    const { identity_secret: identitySecret, identity_shown_at: shownAt } = await theTenant(tx, code)
    if (shownAt !== null) {
      const at = new Date(shownAt).toISOString()
      const next = `countroom console chat identity rotate ${code}`
      throw new Problem(
        'CHAT_SECRET_SHOWN',
        `The identity secret of ${code} was shown at ${at}; for a new one run: ${next}`,
      )
    }
    await saveChatTenant(tx, code, { identity_shown_at: tx.now })
    return { identitySecret }
  })
}

/** Replaces the identity secret. The previous one is accepted for the grace period, earlier ones are not. */
export function rotateIdentitySecret(
  app: Chat,
  code: string,
  graceMs: number,
): Promise<{ identitySecret: string; previousValidUntil: number | null }> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const identitySecret = letters(43, app.random)
    const previousValidUntil = graceMs > 0 ? tx.now + graceMs : null
    await saveChatTenant(tx, code, {
      identity_secret: identitySecret,
      identity_secret_before: previousValidUntil === null ? null : tenant.identity_secret,
      identity_before_until: previousValidUntil,
      identity_shown_at: tx.now,
    })
    return { identitySecret, previousValidUntil }
  })
}

/**
 * Sets the upload limits; absent fields are unchanged. Throws CHAT_LIMITS_INVALID for a value out of bounds or a file
 * size above the daily limit.
 */
export function setUploadLimits(app: Chat, code: string, change: Partial<UploadLimits>): Promise<UploadLimits> {
  return app.store.write(async (tx) => {
    const limits: UploadLimits = { ...limitsOf(await theTenant(tx, code)), ...change }
    const outside = limitNames.filter(
      (name) => limits[name] < limitBounds[name].from || limits[name] > limitBounds[name].to,
    )
    if (outside.length > 0 || limits.maxFileBytes > limits.maxBytesPerDay)
      throw new Problem('CHAT_LIMITS_INVALID', limitFault(outside))
    await saveChatTenant(tx, code, { limits: JSON.stringify(limits) })
    return limits
  })
}

const limitNames = Object.keys(limitBounds) as (keyof UploadLimits)[]

function limitFault(outside: readonly (keyof UploadLimits)[]): string {
  if (outside.length === 0) return 'The maximum file size must not exceed the daily limit of a room'
  return outside.map((name) => `${name} is ${limitBounds[name].from} to ${limitBounds[name].to}`).join('; ')
}

/** Creates an agent with a token. */
export async function createAgent(
  app: Chat,
  code: string,
  displayName: string,
): Promise<{ agentId: string; agentToken: string }> {
  checkAgentName(displayName)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const agentId = `agt_${app.id()}`
    const key = { ...aKey(app, code, tx.now), kind: 'agent', agent_id: agentId } as const
    await insertAgent(tx, { id: agentId, tenant: code, display_name: displayName, created_at: tx.now })
    await insertChatKey(tx, key)
    return { agentId, agentToken: keyText(tenant, key) }
  })
}

/**
 * Saves a new version of a form; tickets keep their version. Throws CHAT_FORM_INVALID with all errors of the file.
 * Statuses of the previous version must not be dropped, only deactivated.
 */
export async function saveForm(app: Chat, code: string, formCode: string, file: unknown, isActive = true) {
  const read = await readFormFile(file, formCode)
  if ('faults' in read) throw invalidForm(read.faults)
  const { definition } = read
  return app.store.write(async (tx) => {
    await theTenant(tx, code)
    const versions = await formVersions(tx, code, [formCode])
    const known = versions.map(storedForm).findLast((each) => each !== undefined)
    const { statuses } = definition.workflow
    const dropped = (known?.workflow.statuses ?? []).filter((each) => !statuses.some((one) => one.code === each.code))
    if (dropped.length > 0)
      throw invalidForm(
        dropped.map((status) => ({
          path: '$.workflow.statuses',
          message: `the status "${status.code}" is missing; keep it with "active": false`,
        })),
      )
    const version = (versions.at(-1)?.version ?? 0) + 1
    await insertForm(tx, {
      tenant: code,
      code: formCode,
      version,
      is_active: isActive && read.isActive ? 1 : 0,
      definition: JSON.stringify(definition),
      created_at: tx.now,
    })
    return { formCode, version }
  })
}

function invalidForm(faults: readonly FormFault[]): Problem {
  const list = faults.map(({ path, message }) => `${path} ${message}`).join('; ')
  const count = countText(faults.length, 'error')
  return new Problem('CHAT_FORM_INVALID', `The form has ${count}; nothing was saved: ${list}`, { problems: faults })
}

/** Returns a tenant's keys for the back office: the first active one of each kind. */
export function chatCredentials(app: Chat, code: string) {
  return app.store.read(async (reader) => {
    const tenant = await chatTenantOf(reader, code)
    if (!tenant) return undefined
    const keys = (await chatKeysOf(reader, code)).filter((key) => key.revoked_at === null)
    const first = (kind: 'api' | 'agent') => {
      const key = keys.find((each) => each.kind === kind)
      return key === undefined ? undefined : keyText(tenant, key)
    }
    return {
      tenantKey: tenant.tenant_key,
      apiKey: first('api'),
      agentToken: first('agent'),
      identitySecret: tenant.identity_secret,
    }
  })
}

export function hasChatTenants(app: Chat): Promise<boolean> {
  return app.store.read(async (reader) => (await allChatTenants(reader)).length > 0)
}

/** Repairs the tickets of a merchant that have a broken form version. */
export async function repairTenantForms(app: Chat, code: string): Promise<Repair> {
  await app.store.read((reader) => theTenant(reader, code))
  return repairForms(app, code)
}
