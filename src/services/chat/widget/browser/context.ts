/**
 * Types of the loader, the conversation, the page and the server, shared by all parts of the widget. There are only
 * types here, so nothing is sent to browsers.
 */

import type { Strings } from '../messages.ts'

export type { Strings }

export interface Message {
  readonly messageId?: string
  readonly clientMessageId?: string | null
  readonly seq?: number
  readonly senderType: 'customer' | 'agent' | 'bot' | 'system'
  readonly senderId?: string | null
  readonly senderDisplayName?: string | null
  readonly text?: string
  readonly eventKind?: string
  readonly createdAt?: string
  readonly attachments?: readonly {
    readonly fileName: string
    readonly contentType: string
    readonly downloadUrl: string
    /** Size of a picture in pixels. */
    readonly width?: number | null
    readonly height?: number | null
  }[]
  /** True until it is sent. */
  readonly pending?: boolean
  readonly failed?: boolean
  /** Upload progress in percent. */
  readonly progress?: number
  /** True once the server has delivered it to the agents. */
  readonly isOut?: boolean
}

/** Fields of a room that the widget uses. */
export interface Room {
  readonly roomId: string
  readonly lastSeq?: number
  readonly customerReadSeq?: number
  readonly customerUnreadCount?: number
  readonly agentReadSeq?: number
  readonly status?: 'open' | 'closed'
  readonly assignee?: { readonly agentId: string; readonly displayName: string } | null
  readonly customerEmail?: string | null
  /** True if the customer may rate the conversation that ended last. */
  readonly rateable?: boolean
}

export interface MenuEntry {
  readonly label: string
  readonly message?: string
  readonly url?: string
}

export interface SocialChannel {
  readonly kind: string
  readonly label: string
  readonly url: string
}

export interface Config {
  readonly primaryColor?: string
  readonly theme?: string
  readonly launcherLabel?: string | null
  readonly greeting?: string | null
  readonly menu?: readonly MenuEntry[]
  readonly socialChannels?: readonly SocialChannel[]
  /** Texts of the launcher in the page's language. */
  readonly launcher?: { readonly chat: string; readonly unread: string; readonly away: string }
  /** Paths of the agents' pictures, by agent id. */
  readonly faces?: Readonly<Record<string, string>>
  readonly hours?: { readonly isOpen: boolean; readonly changesAt: string | null } | null
  readonly replyMinutes?: number | null
  /** True if logged-in customers may see their tickets. */
  readonly tickets?: boolean
  readonly upload?: { readonly contentTypes: readonly string[]; readonly maxFileBytes: number }
}

/** A message in the send queue. */
export interface Queued {
  readonly clientMessageId: string
  readonly text: string
  /** True if the server refused it: it waits until the customer retries. */
  readonly failed?: boolean
}

/** The customer on the page. Without an account it is an anonymous visitor. */
export interface Customer {
  account?: string | undefined
  /** `issuedAt.signature`, made by the merchant's server. */
  identity?: string | undefined
  name?: string | undefined
  email?: string | undefined
}

/** A customer's state in the browser, stored per tenant key and account. */
export interface StoredState {
  /** The room token; before the account has a room, its identity token. */
  token?: string | undefined
  /** Time at which the token expires. */
  until?: string | undefined
  roomId?: string | undefined
  unread?: number
  queue?: readonly Queued[]
  /** Text typed but not sent. */
  draft?: string
  /** Started uploads by file name, size and date. */
  uploads?: Readonly<Record<string, string>>
  /** The last 9 identities that the server has accepted. */
  proofs?: readonly string[]
  /** The name and email address that the server has. */
  customer?: string
  /** Time until which to poll, because a proxy buffers streams; epoch milliseconds. */
  polls?: number
  /** True if a new message plays a sound. */
  sound?: boolean
  /** The email address that the customer has entered here. */
  email?: string
}

/** Session of one customer in this tab, until another customer is identified. */
export interface Session {
  /** The name of its storage key, channel and locks. */
  readonly name: string
  readonly customer: Customer
  /** True if the server refused the identity. */
  isRefused: boolean
  load(): StoredState
  /** Merges the change into the stored state. Does nothing once the session has ended. */
  save(change: StoredState): void
  /** Removes the stored state if this page wrote it after another had removed it. */
  undo(): void
  /** Removes the stored state and ends the session. */
  forget(): void
  /** Ends the session: from now on `load` returns the last state, and nothing is stored. */
  end(): void
}

// biome-ignore lint/suspicious/noExplicitAny: listeners are the page's own and take what their event brings
export type Listener = (detail?: any) => void

/** Interface that the loader passes to the conversation. */
export interface Context {
  readonly data: DOMStringMap
  readonly key: string
  readonly base: string
  readonly wrap: HTMLElement
  readonly root: ShadowRoot
  readonly launcher: HTMLElement
  config: Config
  isOpen: boolean
  emit(name: string, detail?: unknown): void
  make<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    props?: Partial<HTMLElementTagNameMap[Tag]>,
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[Tag]
  showUnread(count: number): void
  browserLanguage(): string
  /** Loads one of the widget's further scripts, with its texts. */
  // biome-ignore lint/suspicious/noExplicitAny: each caller names the type of its script
  load(name: 'files' | 'extras' | 'tickets'): Promise<any>
  /** Removes the widget, because the page is not allowed to use it. */
  removeWidget(): void
  close(): void
  /** Reads the back office's settings again if they are older than a minute. */
  refresh(): void
}

/** The conversation of one session, as the loader controls it. */
export interface Conversation {
  /** Applies the back office's settings, which may arrive after the conversation was opened. */
  configure(): void
  /** Shows or hides the conversation. Takes the focus unless `keepsFocus` is true. */
  show(isOpen: boolean, keepsFocus?: boolean): void
  markRead(): void
  /** Sends a changed identity, name or email address to the server. */
  identify(): void
  stop(): void
}

/** Arguments of `identify`. */
export interface Identification {
  readonly account?: unknown
  /** `issuedAt.signature`, an object with these two, or its JSON. */
  readonly identity?: unknown
  readonly name?: unknown
  readonly email?: unknown
}

/** Control functions in `window.ChatWidget`. */
export interface Control {
  open(): void
  close(): void
  toggle(): void
  getUnreadCount(): number
  markRead(): void
  identify(customer: Identification): void
  reset(): void
  on(name: string, listener: Listener): void
  off(name: string, listener: Listener): void
  destroy(): void
}
