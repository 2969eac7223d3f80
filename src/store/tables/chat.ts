/** The chat's tables, all beginning with `chat_`. */
export type ChatTables = Record<never, never>
