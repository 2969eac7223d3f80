import type { StatusCategory } from '../../domain/tickets/workflow.ts'

/** The chat's tables, all beginning with `chat_`. */
export interface ChatTables {
  chat_tenants: ChatTenantRow
  chat_keys: ChatKeyRow
  chat_agents: ChatAgentRow
  chat_faces: ChatFaceRow
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
  chat_buckets: ChatBucketRow
}

export type ChatPlan = 'free' | 'pro' | 'enterprise'

/** A merchant whose customers use the chat. */
export interface ChatTenantRow {
  code: string
  name: string
  plan: ChatPlan
  /** Public: the widget is embedded with it. */
  tenant_key: string
  /** Key that signs keys, tokens and links. */
  secret: string
  /** Key with which the merchant's back end signs a customer's identity. */
  identity_secret: string
  default_form: string
  /** JSON list of origins that may embed the widget; empty for all. */
  origins: string
  /** Appearance of the widget, as JSON. */
  look: string
  created_at: number
  /** The merchant's own upload limits, as JSON. */
  limits: string
  /** Number of times that room tokens were revoked: when it grows, open streams are checked. */
  revocations: number
  /** Identity secret before the latest rotation, accepted for a limited time. */
  identity_secret_before: string | null
  identity_before_until: number | null
  /** Time the identity secret was shown; it is shown once. */
  identity_shown_at: number | null
}

/**
 * A key of the bot API, or an agent's token. The key itself is not stored: it is derived from its id and the tenant's
 * secret.
 */
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

/** An agent's picture, which customers see. */
export interface ChatFaceRow {
  agent_id: string
  tenant: string
  /** Changes with the picture, so that browsers may keep it. */
  mark: string
  content_type: string
  /** The bytes, as base64. */
  picture: string
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
  /** Number of the latest message; messages are numbered from 1 without gaps. */
  last_seq: number
  /** Number of the latest event. */
  last_event: number
  last_message_at: number | null
  last_message_preview: string | null
  customer_read_seq: number
  agent_read_seq: number
  customer_unread: number
  agent_unread: number
  /** Time since which the customer waits for a reply. */
  waiting_since: number | null
  created_at: number
  updated_at: number
  closed_at: number | null
  /** Number of the message that ended the latest conversation. */
  closed_seq: number | null
  /** `closed_seq` of the conversation that was rated last. */
  rated_seq: number | null
  /** The latest rating, from 1 to 5. */
  rating: number | null
  rating_comment: string | null
  rated_at: number | null
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
  /** Side whose unread count includes it. */
  unread_for: 'customer' | 'agent' | 'nobody'
  created_at: number
}

/** An event that is sent to subscribers. */
export interface ChatEventRow {
  id: string
  tenant: string
  /** Room, and the event's number in it; both null for events without a room. */
  room_id: string | null
  n: number | null
  /** Tenant-wide sequence number, assigned soon after the commit. */
  position: number | null
  kind: 'message.created' | 'room.updated' | 'ticket.updated'
  /** JSON. For a message only its `seq`. */
  data: string
  at: number
}

/** One version of a form; the highest is current, and tickets keep the one they were created with. */
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
  /** JSON: recipients of the notification. */
  notified: string
  /** Version of the ticket with this comment. */
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
  /** JSON of the milestones before a status change, which an undo restores. */
  state_before: string | null
}

/** A word that occurs in some ticket of a tenant. */
export interface ChatWordRow {
  tenant: string
  word: string
}

/** A search term, and a ticket it occurs in. */
export interface ChatTermRow {
  tenant: string
  term: string
  number: number
}

/** Normalized searchable text of a ticket: part 0 is its own text, the others are its comments. */
export interface ChatTextRow {
  tenant: string
  number: number
  part: number
  text: string
}

/** An upload in progress. Its bytes are in a file named after the upload, which the finished medium keeps. */
export interface ChatUploadRow {
  id: string
  tenant: string
  room_id: string
  /** The sender's own id: the same id is the same upload. */
  client_upload_id: string
  file_name: string
  content_type: string
  size_bytes: number
  /** Bytes that are safely on disk. */
  received_bytes: number
  sha256: string | null
  state: 'open' | 'done' | 'over'
  created_at: number
  expires_at: number
  /** Copy of the file that contains the received bytes, and the number of copies started after it. */
  copy: number
  copies: number
  /** Current writer and the end of its lease by the machine's clock; an expired lease stays named. */
  writer: string | null
  writer_until: number | null
}

/** One row: a random mark made with the database, from the machine's randomness. */
export interface ChatLifeRow {
  life: string
}

/** A used stream ticket, stored until it would expire. */
export interface ChatSpentTicketRow {
  nonce: string
  /** By the machine's clock. */
  expires_at: number
}

/** A file sent in a message. */
export interface ChatMediaRow {
  id: string
  tenant: string
  room_id: string
  upload_id: string
  /** Copy of the upload's file that was sent. */
  copy: number
  /** Message it was sent in. */
  seq: number
  file_name: string
  content_type: string
  size_bytes: number
  sha256: string
  width: number | null
  height: number | null
  created_at: number
}

/** A token bucket, where several processes serve the world. */
export interface ChatBucketRow {
  key: string
  /** Thousandths of a token, as decimal text: rates per hour gain fractions of them. */
  level: string
  /** By the machine's clock. */
  at: number
}
