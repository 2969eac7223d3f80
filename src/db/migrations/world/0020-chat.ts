import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from '../../migrate.ts'

type Column = readonly [name: string, type: 'text' | 'integer' | 'bigint', isNullable?: 'null']

/** The chat: tenants and keys, rooms with their messages and events, forms, tickets and their search terms. */
export const chat: Migration = {
  name: '0020-chat',
  async up(q) {
    await table(
      q,
      'chat_tenants',
      [
        ['code', 'text'],
        ['name', 'text'],
        ['plan', 'text'],
        ['tenant_key', 'text'],
        ['secret', 'text'],
        ['identity_secret', 'text'],
        ['default_form', 'text'],
        ['origins', 'text'],
        ['look', 'text'],
        ['created_at', 'bigint'],
      ],
      ['code'],
    )
    await index(q, 'chat_tenants', ['tenant_key'], 'unique')
    await table(
      q,
      'chat_keys',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['kind', 'text'],
        ['agent_id', 'text', 'null'],
        ['created_at', 'bigint'],
        ['revoked_at', 'bigint', 'null'],
      ],
      ['id'],
    )
    await index(q, 'chat_keys', ['tenant'])
    await table(
      q,
      'chat_agents',
      [
        ['id', 'text'],
        ['tenant', 'text'],
        ['display_name', 'text'],
        ['created_at', 'bigint'],
      ],
      ['id'],
    )
    await index(q, 'chat_agents', ['tenant'])
    await table(
      q,
      'chat_inboxes',
      [
        ['tenant', 'text'],
        ['code', 'text'],
        ['created_at', 'bigint'],
      ],
      ['tenant', 'code'],
    )
    await rooms(q)
    await tickets(q)
    await media(q)
  },
}

async function rooms(q: Kysely<unknown>): Promise<void> {
  await table(
    q,
    'chat_rooms',
    [
      ['id', 'text'],
      ['tenant', 'text'],
      ['customer_account', 'text'],
      ['customer_display_name', 'text', 'null'],
      ['customer_language', 'text', 'null'],
      ['channel', 'text'],
      ['inbox', 'text'],
      ['status', 'text'],
      ['assignee_id', 'text', 'null'],
      ['token_epoch', 'integer'],
      ['last_seq', 'bigint'],
      ['last_event', 'bigint'],
      ['last_message_at', 'bigint', 'null'],
      ['last_message_preview', 'text', 'null'],
      ['customer_read_seq', 'bigint'],
      ['agent_read_seq', 'bigint'],
      ['customer_unread', 'bigint'],
      ['agent_unread', 'bigint'],
      ['waiting_since', 'bigint', 'null'],
      ['created_at', 'bigint'],
      ['updated_at', 'bigint'],
      ['closed_at', 'bigint', 'null'],
    ],
    ['id'],
  )
  await index(q, 'chat_rooms', ['tenant', 'customer_account'], 'unique')
  await index(q, 'chat_rooms', ['tenant', 'waiting_since'])
  await index(q, 'chat_rooms', ['tenant', 'updated_at'])
  await table(
    q,
    'chat_messages',
    [
      ['room_id', 'text'],
      ['seq', 'bigint'],
      ['id', 'text'],
      ['sender_type', 'text'],
      ['sender_id', 'text', 'null'],
      ['sender_name', 'text', 'null'],
      ['message_type', 'text'],
      ['text', 'text'],
      ['client_message_id', 'text', 'null'],
      ['event_kind', 'text', 'null'],
      ['ticket_id', 'text', 'null'],
      ['attachments', 'text'],
      ['unread_for', 'text'],
      ['created_at', 'bigint'],
    ],
    ['room_id', 'seq'],
  )
  await index(q, 'chat_messages', ['room_id', 'client_message_id'], 'unique')
  await table(
    q,
    'chat_events',
    [
      ['id', 'text'],
      ['tenant', 'text'],
      ['room_id', 'text', 'null'],
      ['n', 'bigint', 'null'],
      ['position', 'bigint', 'null'],
      ['kind', 'text'],
      ['data', 'text'],
      ['at', 'bigint'],
    ],
    ['id'],
  )
  await index(q, 'chat_events', ['room_id', 'n'], 'unique')
  await index(q, 'chat_events', ['tenant', 'position'])
  await index(q, 'chat_events', ['at'])
  // The few events without a position are queried many times a second.
  await q.schema
    .createIndex('chat_events_unplaced')
    .on('chat_events')
    .column('id')
    .where('position' as never, 'is', null)
    .execute()
}

async function tickets(q: Kysely<unknown>): Promise<void> {
  await table(
    q,
    'chat_forms',
    [
      ['tenant', 'text'],
      ['code', 'text'],
      ['version', 'integer'],
      ['is_active', 'integer'],
      ['definition', 'text'],
      ['created_at', 'bigint'],
    ],
    ['tenant', 'code', 'version'],
  )
  await table(
    q,
    'chat_tickets',
    [
      ['id', 'text'],
      ['tenant', 'text'],
      ['number', 'bigint'],
      ['form_code', 'text'],
      ['form_version', 'integer'],
      ['title', 'text'],
      ['description', 'text'],
      ['status', 'text'],
      ['status_category', 'text'],
      ['priority', 'integer'],
      ['customer_account', 'text', 'null'],
      ['customer_display_name', 'text', 'null'],
      ['customer_language', 'text', 'null'],
      ['room_id', 'text', 'null'],
      ['assignee_id', 'text', 'null'],
      ['field_values', 'text'],
      ['comment_count', 'integer'],
      ['public_comment_count', 'integer'],
      ['last_comment_at', 'bigint', 'null'],
      ['last_public_author', 'text', 'null'],
      ['snoozed_until', 'bigint', 'null'],
      ['version', 'integer'],
      ['history_count', 'integer'],
      ['created_at', 'bigint'],
      ['updated_at', 'bigint'],
      ['first_response_at', 'bigint', 'null'],
      ['resolved_at', 'bigint', 'null'],
      ['closed_at', 'bigint', 'null'],
      ['reopen_count', 'integer'],
    ],
    ['id'],
  )
  await index(q, 'chat_tickets', ['tenant', 'number'], 'unique')
  await index(q, 'chat_tickets', ['tenant', 'updated_at', 'number'])
  await index(q, 'chat_tickets', ['tenant', 'created_at', 'number'])
  await index(q, 'chat_tickets', ['tenant', 'priority', 'number'])
  await index(q, 'chat_tickets', ['tenant', 'status', 'updated_at', 'number'])
  await index(q, 'chat_tickets', ['tenant', 'customer_account', 'updated_at', 'number'])
  await index(q, 'chat_tickets', ['tenant', 'form_code', 'updated_at', 'number'])
  await table(
    q,
    'chat_ticket_comments',
    [
      ['id', 'text'],
      ['ticket_id', 'text'],
      ['seq', 'integer'],
      ['content', 'text'],
      ['visibility', 'text'],
      ['author_type', 'text'],
      ['author_name', 'text'],
      ['client_comment_id', 'text', 'null'],
      ['notified', 'text'],
      ['ticket_version', 'integer'],
      ['created_at', 'bigint'],
    ],
    ['id'],
  )
  await index(q, 'chat_ticket_comments', ['ticket_id', 'seq'], 'unique')
  await index(q, 'chat_ticket_comments', ['ticket_id', 'client_comment_id'], 'unique')
  await table(
    q,
    'chat_ticket_history',
    [
      ['id', 'text'],
      ['ticket_id', 'text'],
      ['seq', 'integer'],
      ['kind', 'text'],
      ['actor_type', 'text'],
      ['actor_name', 'text'],
      ['from_value', 'text', 'null'],
      ['to_value', 'text', 'null'],
      ['comment_id', 'text', 'null'],
      ['note', 'text', 'null'],
      ['at', 'bigint'],
    ],
    ['id'],
  )
  await index(q, 'chat_ticket_history', ['ticket_id', 'seq'], 'unique')
  await table(
    q,
    'chat_ticket_words',
    [
      ['tenant', 'text'],
      ['word', 'text'],
    ],
    ['tenant', 'word'],
  )
  await table(
    q,
    'chat_ticket_terms',
    [
      ['tenant', 'text'],
      ['term', 'text'],
      ['number', 'bigint'],
    ],
    ['tenant', 'term', 'number'],
  )
  await table(
    q,
    'chat_ticket_texts',
    [
      ['tenant', 'text'],
      ['number', 'bigint'],
      ['part', 'integer'],
      ['text', 'text'],
    ],
    ['tenant', 'number', 'part'],
  )
}

async function media(q: Kysely<unknown>): Promise<void> {
  await table(
    q,
    'chat_uploads',
    [
      ['id', 'text'],
      ['tenant', 'text'],
      ['room_id', 'text'],
      ['client_upload_id', 'text'],
      ['file_name', 'text'],
      ['content_type', 'text'],
      ['size_bytes', 'bigint'],
      ['received_bytes', 'bigint'],
      ['sha256', 'text', 'null'],
      ['state', 'text'],
      ['created_at', 'bigint'],
      ['expires_at', 'bigint'],
    ],
    ['id'],
  )
  await index(q, 'chat_uploads', ['room_id', 'client_upload_id'], 'unique')
  await index(q, 'chat_uploads', ['state', 'expires_at'])
  await table(
    q,
    'chat_media',
    [
      ['id', 'text'],
      ['tenant', 'text'],
      ['room_id', 'text'],
      ['upload_id', 'text'],
      ['seq', 'bigint'],
      ['file_name', 'text'],
      ['content_type', 'text'],
      ['size_bytes', 'bigint'],
      ['sha256', 'text'],
      ['width', 'integer', 'null'],
      ['height', 'integer', 'null'],
      ['created_at', 'bigint'],
    ],
    ['id'],
  )
  await index(q, 'chat_media', ['upload_id'], 'unique')
}

async function table(q: Kysely<unknown>, name: string, columns: readonly Column[], key: string[]): Promise<void> {
  let builder: CreateTableBuilder<string, string> = q.schema.createTable(name)
  for (const [column, type, isNullable] of columns)
    builder = builder.addColumn(column, type, (definition) => (isNullable ? definition : definition.notNull()))
  await builder.addPrimaryKeyConstraint(`${name}_key`, key as never).execute()
}

async function index(q: Kysely<unknown>, on: string, columns: string[], unique?: 'unique'): Promise<void> {
  const builder = q.schema
    .createIndex(`${on}_by_${columns.join('_')}`)
    .on(on)
    .columns(columns as never)
  await (unique ? builder.unique() : builder).execute()
}
