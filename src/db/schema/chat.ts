import type { StatusCategory } from '../../domain/tickets/workflow.ts'

/** The chat's tables, all beginning with `chat_`. */
export interface ChatTables {
  chat_tenants: ChatTenantRow
  chat_keys: ChatKeyRow
  chat_agents: ChatAgentRow
  chat_inboxes: ChatInboxRow
  chat_rooms: ChatRoomRow
  chat_messages: ChatMessageRow
  chat_events: ChatEventRow
  chat_forms: ChatFormRow
  chat_tickets: ChatTicketRow
  chat_ticket_comments: ChatCommentRow
  chat_ticket_history: ChatHistoryRow
  chat_ticket_words: ChatWordRow
  chat_ticket_terms: ChatTermRow
  chat_ticket_texts: ChatTextRow
  chat_uploads: ChatUploadRow
  chat_media: ChatMediaRow
  chat_spent_tickets: ChatSpentTicketRow
  chat_life: ChatLifeRow
}

export type ChatPlan = 'free' | 'pro' | 'enterprise'

/** A merchant whose customers write. */
export interface ChatTenantRow {
  code: string
  name: string
  plan: ChatPlan
  /** Public: what the widget is embedded with. */
  tenant_key: string
  /** What keys, tokens and links are signed with. */
  secret: string
  /** What the merchant's back end signs a customer's identity with. */
  identity_secret: string
  default_form: string
  /** Where the widget may be embedded, as a JSON list of origins; an empty list is everywhere. */
  origins: string
  /** The look of the widget, as JSON. */
  look: string
  created_at: number
  /** What was chosen of how much customers may send, as JSON. */
  limits: string
  /** How often tokens of its rooms were taken back: when it has grown, open streams are looked at. */
  revocations: number
  /** The identity secret before the latest rotation, accepted until a moment. */
  identity_secret_before: string | null
  identity_before_until: number | null
  /** When the identity secret was shown; it is shown once. */
  identity_shown_at: number | null
}

/** A key of the bot API, or an agent's token. The key itself is not kept: it is made of its id and the tenant's secret. */
export interface ChatKeyRow {
  id: string
  tenant: string
  kind: 'api' | 'agent'
  agent_id: string | null
  created_at: number
  revoked_at: number | null
}

export interface ChatAgentRow {
  id: string
  tenant: string
  display_name: string
  created_at: number
}

export interface ChatInboxRow {
  tenant: string
  code: string
  created_at: number
}

export interface ChatRoomRow {
  id: string
  tenant: string
  customer_account: string
  customer_display_name: string | null
  customer_language: string | null
  customer_email: string | null
  channel: string
  inbox: string
  status: 'open' | 'closed'
  assignee_id: string | null
  /** Tokens of an earlier epoch no longer open the room. */
  token_epoch: number
  /** The number of the latest message; messages are numbered from 1 without gaps. */
  last_seq: number
  /** The number of the latest event. */
  last_event: number
  last_message_at: number | null
  last_message_preview: string | null
  customer_read_seq: number
  agent_read_seq: number
  customer_unread: number
  agent_unread: number
  /** Since when the customer waits for an answer. */
  waiting_since: number | null
  created_at: number
  updated_at: number
  closed_at: number | null
}

export type SenderType = 'customer' | 'agent' | 'bot' | 'system'

export interface ChatMessageRow {
  room_id: string
  seq: number
  id: string
  sender_type: SenderType
  sender_id: string | null
  sender_name: string | null
  message_type: 'text' | 'media' | 'event'
  text: string
  client_message_id: string | null
  event_kind: string | null
  ticket_id: string | null
  /** The media ids, as a JSON list. */
  attachments: string
  /** Whose unread count it adds to. */
  unread_for: 'customer' | 'agent' | 'nobody'
  created_at: number
}

/** Something that happened, told to whoever listens. */
export interface ChatEventRow {
  id: string
  tenant: string
  /** The room and the number in it; both null for what concerns no room. */
  room_id: string | null
  n: number | null
  /** The place in the tenant's own order, given soon after the event has become visible. */
  position: number | null
  kind: 'message.created' | 'room.updated' | 'ticket.updated'
  /** JSON. Of a message only its `seq`. */
  data: string
  at: number
}

/** One version of a form; the highest is in force, and tickets keep the one they were made with. */
export interface ChatFormRow {
  tenant: string
  code: string
  version: number
  is_active: number
  /** JSON of a FormDefinition. */
  definition: string
  created_at: number
}

export interface ChatTicketRow {
  id: string
  tenant: string
  number: number
  form_code: string
  form_version: number
  title: string
  description: string
  status: string
  status_category: StatusCategory
  priority: number
  customer_account: string | null
  customer_display_name: string | null
  customer_language: string | null
  room_id: string | null
  assignee_id: string | null
  field_values: string
  comment_count: number
  public_comment_count: number
  last_comment_at: number | null
  last_public_author: 'customer' | 'agent' | null
  snoozed_until: number | null
  version: number
  history_count: number
  created_at: number
  updated_at: number
  first_response_at: number | null
  resolved_at: number | null
  closed_at: number | null
  reopen_count: number
}

export interface ChatCommentRow {
  id: string
  ticket_id: string
  seq: number
  content: string
  visibility: 'internal' | 'public'
  author_type: 'customer' | 'agent'
  author_name: string
  client_comment_id: string | null
  /** JSON: who was told of it. */
  notified: string
  /** The ticket's version with this comment. */
  ticket_version: number
  created_at: number
}

export interface ChatHistoryRow {
  id: string
  ticket_id: string
  seq: number
  kind: string
  actor_type: 'customer' | 'agent' | 'api' | 'system'
  actor_name: string
  from_value: string | null
  to_value: string | null
  comment_id: string | null
  note: string | null
  at: number
  /** JSON of the milestones before a status change, to which a take-back returns. */
  state_before: string | null
}

/** A word that is in some ticket of a tenant. */
export interface ChatWordRow {
  tenant: string
  word: string
}

/** A word or pair of signs, and a ticket it is in. */
export interface ChatTermRow {
  tenant: string
  term: string
  number: number
}

/** What can be searched of a ticket, folded: part 0 is its own text, the others are its comments. */
export interface ChatTextRow {
  tenant: string
  number: number
  part: number
  text: string
}

/** A file on its way in. Its bytes lie in a file of the upload's name, which a finished medium goes on using. */
export interface ChatUploadRow {
  id: string
  tenant: string
  room_id: string
  /** The sender's own id: asked for again, it is the same upload. */
  client_upload_id: string
  file_name: string
  content_type: string
  size_bytes: number
  /** How many bytes are safely on the disk. */
  received_bytes: number
  sha256: string | null
  state: 'open' | 'done' | 'over'
  created_at: number
  expires_at: number
  /** Which copy of the file holds the bytes that were received, and how many further ones were begun. */
  copy: number
  copies: number
  /** Whose turn it is to write, and until when on the machine's clock; a turn that ran out unfinished stays named. */
  writer: string | null
  writer_until: number | null
}

/** One row: a mark that was drawn when the database was made, by the machine's own chance. */
export interface ChatLifeRow {
  life: string
}

/** A ticket for one stream that was used, until it would be over by itself. */
export interface ChatSpentTicketRow {
  nonce: string
  /** On the machine's clock. */
  expires_at: number
}

/** A file that was sent in a message. */
export interface ChatMediaRow {
  id: string
  tenant: string
  room_id: string
  upload_id: string
  /** The copy of the upload's file that was sent. */
  copy: number
  /** The message it was sent in. */
  seq: number
  file_name: string
  content_type: string
  size_bytes: number
  sha256: string
  width: number | null
  height: number | null
  created_at: number
}
