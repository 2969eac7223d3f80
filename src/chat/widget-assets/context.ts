/** What the widget's two parts know of each other, of the page and of the server: types alone, nothing of this is sent to browsers. */

export interface Message {
  readonly messageId?: string
  readonly clientMessageId?: string | null
  readonly seq?: number
  readonly senderType: 'customer' | 'agent' | 'bot' | 'system'
  readonly senderDisplayName?: string | null
  readonly text?: string
  readonly eventKind?: string
  readonly createdAt?: string
  readonly attachments?: readonly {
    readonly fileName: string
    readonly contentType: string
    readonly downloadUrl: string
  }[]
  /** Of one that is still to be sent. */
  readonly pending?: boolean
  readonly failed?: boolean
  /** Of a file on its way, per cent. */
  readonly progress?: number
}

/** What of a room the widget looks at. */
export interface Room {
  readonly roomId: string
  readonly lastSeq?: number
  readonly customerUnreadCount?: number
}

export interface MenuEntry {
  readonly label: string
  readonly message?: string
  readonly url?: string
}

export interface Config {
  readonly primaryColor?: string
  readonly theme?: string
  readonly launcherLabel?: string | null
  readonly greeting?: string | null
  readonly menu?: readonly MenuEntry[]
  readonly upload?: { readonly contentTypes: readonly string[]; readonly maxFileBytes: number }
}

/** A message that waits to be sent. */
export interface Queued {
  readonly clientMessageId: string
  readonly text: string
  /** The server refused it: it waits for its writer to try again. */
  readonly failed?: boolean
}

/** What a browser keeps of a conversation, beside one tenant key. */
export interface Kept {
  token?: string | undefined
  /** Until when the token is good. */
  until?: string | undefined
  roomId?: string | undefined
  unread?: number
  queue?: readonly Queued[]
  /** What is half written. */
  draft?: string
  /** Uploads that were begun, by what the file looks like from outside. */
  uploads?: Readonly<Record<string, string>>
}

export type Language = 'en' | 'zh-hant' | 'zh-hans' | 'ja' | 'ko' | 'th' | 'vi' | 'ar'

// biome-ignore lint/suspicious/noExplicitAny: listeners are the page's own and take what their event brings
export type Listener = (detail?: any) => void

/** What the loader hands to the conversation. */
export interface Context {
  readonly data: DOMStringMap
  readonly key: string
  readonly base: string
  readonly wrap: HTMLElement
  readonly root: ShadowRoot
  readonly launcher: HTMLElement
  config: Config
  isOpen: boolean
  load(): Kept
  save(change: Kept): void
  emit(name: string, detail?: unknown): void
  make<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    props?: Partial<HTMLElementTagNameMap[Tag]>,
    ...kids: (Node | string)[]
  ): HTMLElementTagNameMap[Tag]
  showUnread(count: number): void
  language(): Language
  tongue(): string
  /** Takes the widget away: the page may not have it. */
  gone(): void
  close(): void
}

/** The conversation, as the loader moves it. */
export interface Conversation {
  /** Takes over what the back office chose, which may come after the conversation was opened. */
  configure(): void
  show(isOpen: boolean): void
  markRead(): void
  stop(): void
}

/** What a page finds as `window.ChatWidget`. */
export interface Control {
  open(): void
  close(): void
  toggle(): void
  getUnreadCount(): number
  markRead(): void
  on(name: string, listener: Listener): void
  off(name: string, listener: Listener): void
  destroy(): void
}

/** The conversation's words, in this order for every language. In the last, `%` is the name of who is writing. */
export type Words = readonly [
  title: string,
  close: string,
  hint: string,
  send: string,
  attach: string,
  connecting: string,
  offline: string,
  notSent: string,
  sending: string,
  notUploaded: string,
  earlier: string,
  you: string,
  support: string,
  closed: string,
  uploading: string,
  updated: string,
  writing: string,
]
