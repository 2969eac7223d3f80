import type { ChatRoomRow, ChatTenantRow } from '../../db/schema/chat.ts'
import type { Store, Tx } from '../../db/store.ts'
import type { Ambient } from '../../kit/ambient.ts'
import type { Log } from '../../kit/log.ts'
import type { Limiter } from './auth/rate-limits.ts'
import type { Hub } from './events/broadcaster.ts'
import type { Cursors } from './events/cursors.ts'

/** What the chat service needs to run. */
export interface ChatOptions extends Ambient {
  readonly store: Store
  readonly log: Log
  /** The machine's own clock, which rates and streams go by, however far the world's has been moved. */
  machineNow(): number
  readonly config: ChatConfig
}

export interface ChatConfig {
  /** Where customers' browsers reach the service. */
  publicUrl(): string
  /** Whether request rates are limited. */
  readonly rateLimits: boolean
  /** Where the bytes of uploaded files are kept; shared by all processes on one database. */
  readonly mediaFolder: string
}

/** The chat, opened: what it was given, and what it keeps in memory. */
export interface Chat extends ChatOptions {
  readonly limiter: Limiter
  /** Called after a change was committed, for those who wait to be told. */
  readonly wakes: Set<Wake>
  /** Chunks of uploads that are being taken in this process, by upload. */
  readonly chunks: Map<string, Promise<void>>
  readonly cursors: Cursors
  readonly hub: Hub
}

/** What the hub needs of the chat, of which it is a part. */
export type Listened = Omit<Chat, 'hub'>

export type Wake = (changed: Changed) => void

/** Where something happened: in a room, or only at the tenant's desk. */
export interface Changed {
  readonly tenant: string
  readonly roomId: string | null
}

/**
 * Rooms with their messages, and tickets: of each come many small writes to rows that lie together. A ticket that is told in
 * a room is in the rooms' lane: beside it, it would find a busy room changed again each time it is done.
 */
export type Lane = 'chat-rooms' | 'chat-tickets'

/** A write whose events are told once it is committed. `told` collects the places where something happened. */
export async function changing<T>(
  app: Chat,
  work: (tx: Tx, told: Changed[]) => Promise<T>,
  lane: Lane = 'chat-rooms',
): Promise<T> {
  let told: Changed[] = []
  const value = await app.store.write(
    (tx) => {
      // The work may be run again from the start; only the last run counts.
      told = []
      return work(tx, told)
    },
    { lane },
  )
  for (const changed of told) for (const wake of app.wakes) wake(changed)
  return value
}

/** The merchant who asks, as the gate found it. */
export type ChatTenant = ChatTenantRow

/** Somebody on a merchant's page, known by nothing but the page's public key. */
export interface Visitor {
  readonly tenant: ChatTenant
  /** What the browser says it may open, not yet judged. */
  readonly roomToken: string | undefined
  readonly address: string
}

/** A customer in a room that its token opens. */
export interface Customer {
  readonly tenant: ChatTenant
  readonly room: ChatRoomRow
  /** Until when the token is good, epoch milliseconds. */
  readonly tokenExpiresAt: number
}

export interface AgentCaller {
  readonly tenant: ChatTenant
  /** The token it came in by. */
  readonly keyId: string
  readonly agentId: string
  readonly displayName: string
}
