/** Limits. Source: 3-chat-api and chat shapes, sections 1.0 to 1.9. */

export const bodyBytes = 65_536
export const messagesPage = 100
export const ticketsPage = { default: 20, least: 1, most: 100 } as const
export const roomTokenDays = 30
export const identityWindowSeconds = 300
/** 1.1, as in 2-payment-gateway-api: the minimum retention of keys. */
export const idempotencyHours = 24

/** Texts at their limits: an endpoint's field with the shortest and longest accepted text. */
export const lengths = [
  { endpoint: 'POST /rooms', field: 'customerAccount', shortest: 1, longest: 128 },
  { endpoint: 'POST /rooms', field: 'customerDisplayName', shortest: 0, longest: 100 },
  { endpoint: 'POST /rooms', field: 'channel', shortest: 1, longest: 64 },
  { endpoint: 'POST /rooms', field: 'inboxCategoryCode', shortest: 1, longest: 64 },
  { endpoint: 'POST /rooms/{room}/messages/customer-text', field: 'text', shortest: 1, longest: 4000 },
  { endpoint: 'POST /rooms/{room}/messages/customer-text', field: 'clientMessageId', shortest: 1, longest: 64 },
  { endpoint: 'POST /tickets', field: 'title', shortest: 1, longest: 200 },
  { endpoint: 'POST /tickets', field: 'description', shortest: 0, longest: 20_000 },
  { endpoint: 'POST /tickets/{ticket}/comments', field: 'content', shortest: 1, longest: 20_000 },
  { endpoint: 'POST /tickets/{ticket}/comments', field: 'authorDisplayName', shortest: 0, longest: 100 },
] as const

/** 1.2 and 1.3: patterns, with texts at their limits. */
export const patterns = [
  { endpoint: 'POST /rooms', field: 'channel', accepts: ['a', 'A-9_.:', 'web'], refuses: ['a b', 'é', 'a/b', 'a@b'] },
  {
    endpoint: 'POST /rooms',
    field: 'inboxCategoryCode',
    accepts: ['vip', 'A-9_'],
    refuses: ['a b', 'a.b', 'a:b', 'é'],
  },
  {
    endpoint: 'POST /rooms',
    field: 'customerLanguage',
    accepts: ['en', 'zh-TW', 'zh-Hant-TW', 'abcdefgh', 'en-12345678'],
    // The underscore of POSIX locales is read as a hyphen (docs/decisions.md).
    refuses: ['e', 'abcdefghi', 'en-', '-en', 'en-123456789', '1n', 'en US'],
  },
  {
    endpoint: 'POST /rooms/{room}/messages/customer-text',
    field: 'clientMessageId',
    accepts: ['a', 'A-9_.:'],
    refuses: ['a b', 'a/b', 'é', 'a@b'],
  },
] as const

/** 1.4: priorities, and the default. */
export const priorities = { accepts: [1, 2, 3, 4], refuses: [0, 5, -1, 1.5, '2', 'high'], default: 2 } as const

/** 1.9: token buckets. Rates are per second, per minute or per hour. */
export const rates = [
  { scope: 'API key, all calls', sustained: 50, per: 'second', burst: 100 },
  { scope: 'customer-text per room', sustained: 5, per: 'second', burst: 20 },
  { scope: 'widget config per tenantKey and IP', sustained: 120, per: 'minute', burst: 60 },
  { scope: 'widget room creation per tenantKey and IP', sustained: 30, per: 'minute', burst: 15 },
  { scope: 'widget messages per room token', sustained: 60, per: 'minute', burst: 10 },
  { scope: 'chunks per room token', sustained: 20, per: 'second', burst: 40 },
  { scope: 'initialize per room token', sustained: 30, per: 'hour', burst: 10 },
  { scope: 'stream connects per room token', sustained: 30, per: 'minute', burst: 10 },
  { scope: 'read and typing per token', sustained: 2, per: 'second', burst: 10 },
  { scope: 'agent token', sustained: 50, per: 'second', burst: 100 },
  { scope: 'failed keys per IP', sustained: 20, per: 'minute', burst: 10 },
] as const

/** 1.8: uploads. */
export const upload = {
  fileBytes: 52_428_800,
  settable: { least: 1_048_576, most: 1_073_741_824 },
  openPerRoom: 3,
  bytesPerRoomAndDay: 524_288_000,
  chunkSizeBytes: 262_144,
  maxChunkBytes: 1_048_576,
  diesAfterHours: 24,
  fileNameBytes: 200,
  /** The last part of a path, in NFC, without control and bidi-override characters, at most 200 bytes. */
  fileNames: [
    { sent: 'a.txt', kept: 'a.txt' },
    { sent: '/home/ann/a.txt', kept: 'a.txt' },
    { sent: 'C:\\Users\\ann\\a.txt', kept: 'a.txt' },
    { sent: '../../a.txt', kept: 'a.txt' },
    { sent: 'e\u0301.txt', kept: '\u00e9.txt' },
    { sent: 'a\u0007\u001b\u007f\u0085.txt', kept: 'a.txt' },
    { sent: 'a\u202e\u2066b.txt', kept: 'ab.txt' },
    { sent: `${'n'.repeat(196)}.txt`, kept: `${'n'.repeat(196)}.txt` },
    { sent: `${'n'.repeat(197)}.txt`, kept: `${'n'.repeat(196)}.txt` },
    { sent: `${'照'.repeat(66)}.txt`, kept: `${'照'.repeat(65)}.txt` },
  ],
  /** A link's expiry is rounded to the hour, and an hour is added. */
  link: { hourMs: 3_600_000, hoursMore: 1 },
} as const

/** 1.8: accepted file types, and some that are never accepted. */
export const fileTypes = {
  accepts: [
    { fileName: 'a.png', contentType: 'image/png' },
    { fileName: 'a.jpeg', contentType: 'image/jpeg' },
    { fileName: 'a.gif', contentType: 'image/gif' },
    { fileName: 'a.webp', contentType: 'image/webp' },
    { fileName: 'a.pdf', contentType: 'application/pdf' },
    { fileName: 'a.txt', contentType: 'text/plain' },
    { fileName: 'a.csv', contentType: 'text/csv' },
    { fileName: 'a.mp4', contentType: 'video/mp4' },
    { fileName: 'a.webm', contentType: 'video/webm' },
    { fileName: 'a.mp3', contentType: 'audio/mpeg' },
    { fileName: 'a.ogg', contentType: 'audio/ogg' },
    { fileName: 'a.wav', contentType: 'audio/wav' },
    { fileName: 'a.docx', contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
    { fileName: 'a.xlsx', contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    { fileName: 'a.zip', contentType: 'application/zip' },
  ],
  refuses: [
    { fileName: 'a.svg', contentType: 'image/svg+xml' },
    { fileName: 'a.html', contentType: 'text/html' },
    { fileName: 'a.xml', contentType: 'application/xml' },
    { fileName: 'a.js', contentType: 'text/javascript' },
    { fileName: 'a.exe', contentType: 'application/vnd.microsoft.portable-executable' },
  ],
} as const

/** 1.4: the keyword of a ticket list, and its orders. An empty filter is no filter (docs/decisions.md). */
export const keyword = { shortest: 1, longest: 200 } as const
export const ticketSorts = {
  accepts: ['-updatedAt', 'updatedAt', 'createdAt', '-createdAt', '-priority'],
  refuses: ['priority', 'updatedat', '+createdAt', 'title', 'status'],
  default: '-updatedAt',
} as const

/** 1.9, agent side: the orders of the agents' list of rooms, and of statuses. */
export const roomSorts = { accepts: ['waiting', '-updatedAt'], refuses: ['updatedAt', 'Waiting'] } as const
export const roomStatuses = { accepts: ['open', 'closed'], refuses: ['Open', 'all'] } as const
