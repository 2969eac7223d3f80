/** Rooms and messages. Source: 3-chat-api, "Resources and their fields"; chat shapes, sections 1.2, 1.3 and 1.7. */

/** 1.3: texts as they are sent and stored; null is refused. */
export const texts = [
  { sent: 'hello', kept: 'hello' },
  { sent: '  hello \n', kept: 'hello' },
  { sent: 'a\r\nb', kept: 'a\nb' },
  { sent: 'a\n\n  b', kept: 'a\n\n  b' },
  { sent: '\ud83d\ude00', kept: '\ud83d\ude00' },
  { sent: 'a\ud83db', kept: 'a\ufffdb' },
  { sent: '<b>&amp;', kept: '<b>&amp;' },
  { sent: 'e\u0301', kept: 'e\u0301' },
  { sent: 'a\u0000b', kept: null },
  { sent: '   ', kept: null },
  { sent: '\r\n', kept: null },
] as const

/** 1.2: the number of characters of the last message in lists of rooms. */
export const previewLength = 120

/** 1.2: the fields that a second call changes on an existing room, and those that it does not. */
export const secondCall = {
  keeps: { channel: 'web', inboxCategoryCode: 'vip' },
  updates: { customerDisplayName: 'Anna', customerLanguage: 'fr' },
} as const

/** 1.7: the widget's window of messages. */
export const window = { default: 50, most: 100 } as const

/** 1.7: headers of a request from a page of another origin. */
export const cors = {
  'access-control-max-age': '7200',
  vary: 'Origin',
  exposes: ['Retry-After', 'X-Request-Id', 'Upload-Offset'],
} as const
export const configCache = 'public, max-age=60'

/** 1.9: the filters of the agents' list of rooms, in addition to an agent's id. */
export const assignees = ['me', 'none'] as const
