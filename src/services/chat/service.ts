import type { ChatRoomRow, ChatTenantRow } from '../../db/schema/chat.ts'
import type { Store, Tx } from '../../db/store.ts'
import type { Ambient } from '../../kit/ambient.ts'
import type { Log } from '../../kit/log.ts'
import type { Limiter } from './auth/rate-limits.ts'
import type { Broadcaster } from './events/broadcaster.ts'
import type { Cursors } from './events/cursors.ts'

/** Dependencies of the chat service. */
export interface ChatOptions extends Ambient {
  readonly store: Store
  readonly log: Log
  /** The machine's own clock, for rates and streams, independent of the world's clock. */
  machineNow(): number
  readonly config: ChatConfig
  /** Stores an email to a customer in the world's mails, in the transaction. */
  mail(tx: Tx, mail: ChatMail): Promise<void>
}

export interface ChatMail {
  readonly tenant: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
}

export interface ChatConfig {
  /** Public base URL for customers' browsers. */
  publicUrl(): string
  /** True if request rates are limited. */
  readonly rateLimits: boolean
  /** Folder of uploaded files; shared by all processes on one database. */
  readonly mediaFolder: string
}

/** The opened chat: its options and its state in memory. */
export interface Chat extends ChatOptions {
  readonly limiter: Limiter
  /** Called after a commit, to notify subscribers. */
  readonly listeners: Set<ChangeListener>
  /** Chunks being received in this process, by upload. */
  readonly chunks: Map<string, Promise<void>>
  readonly cursors: Cursors
  readonly broadcaster: Broadcaster
}

/** The chat without its broadcaster, which depends on the other parts. */
export type ChatCore = Omit<Chat, 'broadcaster'>

export type ChangeListener = (changed: Changed) => void

/** Subject of a change: a room, or only the tenant. */
export interface Changed {
  readonly tenant: string
  readonly roomId: string | null
}

/**
 * Write groups: rooms with their messages, and tickets. Both get many small writes to neighboring rows. A write to a
 * ticket that also writes to a room belongs to the rooms. Otherwise it would conflict with a busy room each time.
 */
export type WriteGroup = 'chat-rooms' | 'chat-tickets'

/**
 * Runs a write and notifies subscribers after the commit. The work adds the rooms and tenants it changed to `changes`.
 */
export async function changing<T>(
  app: Chat,
  work: (tx: Tx, changes: Changed[]) => Promise<T>,
  writeGroup: WriteGroup = 'chat-rooms',
): Promise<T> {
  let changes: Changed[] = []
  const value = await app.store.write(
    (tx) => {
      // The work may be repeated from the start; only the last run counts.
      changes = []
      return work(tx, changes)
    },
    { writeGroup },
  )
  for (const changed of changes) for (const wake of app.listeners) wake(changed)
  return value
}

/** An authenticated merchant. */
export type ChatTenant = ChatTenantRow

/** A visitor of a merchant's page, identified only by the page's public key. */
export interface Visitor {
  readonly tenant: ChatTenant
  /** Room token from the browser, not yet verified. */
  readonly roomToken: string | undefined
  readonly address: string
}

/** A customer authenticated by room token. */
export interface Customer {
  readonly tenant: ChatTenant
  readonly room: ChatRoomRow
  /** Expiry of the token, epoch milliseconds. */
  readonly tokenExpiresAt: number
}

/** A customer whose account the merchant has signed, authenticated by room token or identity token. */
export interface SignedCustomer {
  readonly tenant: ChatTenant
  readonly account: string
}

/** Sender of files into a room: its customer, or an agent. */
export interface Uploader {
  readonly tenant: ChatTenant
  readonly room: ChatRoomRow
  /** The agent; absent for the customer. */
  readonly agent?: Pick<AgentCaller, 'agentId' | 'displayName'>
}

export interface AgentCaller {
  readonly tenant: ChatTenant
  /** Token that authenticated the agent. */
  readonly keyId: string
  readonly agentId: string
  readonly displayName: string
}
