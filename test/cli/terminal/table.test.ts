import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { painter } from '../../../src/cli/terminal/color.ts'
import {
  asColumn,
  type Column,
  csvText,
  droppedText,
  fieldsText,
  pagedTable,
  tableText,
} from '../../../src/cli/terminal/table.ts'
import { fold, oneLine, printable, widthOf, wrap } from '../../../src/cli/terminal/text.ts'
import { conversationText } from '../../../src/cli/topics/rooms/conversation.ts'
import { roomColumns, shownRoom } from '../../../src/cli/topics/rooms/view.ts'
import { requestColumns } from '../../../src/cli/topics/sim/request-view.ts'
import { unseen } from '../../../src/kit/text/control-characters.ts'
import type { ConversationLine } from '../../../src/operator/tickets/parse.ts'
import { shownIdLength } from '../../../src/world/requests/recorded-requests.ts'

const plain = { paint: (_style: unknown, text: string) => text, hasHeader: true }
const columns: readonly Column[] = [{ key: 'user' }, { key: 'note' }, { key: 'amount', kind: 'amount' }]
const rows = [
  { user: 'amy', note: 'a long remark that does not fit into so narrow a screen at all', amount: '10000.0000' },
  { user: '陳小明', note: 'kurz', amount: '-0.5' },
]

test('a table fits the width of the screen and loses no text', () => {
  for (const width of [40, 60, 80, 200]) {
    const text = tableText(rows, columns, { ...plain, width })
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
    for (const word of `${rows[0]?.note} 10000.0000 -0.5 陳小明`.split(' ')) expect(text).toContain(word)
  }
})

test('amounts are right-aligned and printed unchanged', () => {
  const text = tableText(rows, [{ key: 'user' }, { key: 'amount', kind: 'amount' }], { ...plain, width: 80 })
  expect(text).toBe('user        amount\namy     10000.0000\n陳小明        -0.5\n')
})

test('if the columns cannot fit, each row becomes a list', () => {
  const narrow = tableText(rows, columns, { ...plain, width: 24 })
  expect(narrow).toMatch(/^user {4}amy\n/)
  expect(narrow).toContain('amount  10000.0000')
})

test('before rows become lists, empty columns are omitted', () => {
  const wide: readonly Column[] = [{ key: 'user' }, { key: 'a rather long title' }, { key: 'amount', kind: 'amount' }]
  expect(tableText(rows, wide, { ...plain, width: 30 })).toBe(
    'user        amount\namy     10000.0000\n陳小明        -0.5\n',
  )
  expect(tableText(rows, wide, { ...plain, width: 80 })).toContain('a rather long title')
  expect(tableText(rows, wide, { ...plain, width: 12 })).not.toContain('a rather long title')
})

describe('where columns may be dropped', () => {
  const ids: readonly Column[] = [
    { key: 'id' },
    { key: 'note' },
    { key: 'at' },
    { key: 'amount', kind: 'amount', keep: true },
  ]
  const row = { id: 'deposit-2026-03-01-0001', note: 'two words', at: '2026-03-01T12:00:00Z', amount: '10000.0000' }
  const within = (width: number) => {
    const dropped: string[] = []
    const text = tableText([row], ids, { ...plain, width, onDropped: (keys) => dropped.push(...keys) })
    return { text, dropped }
  }

  test('a text column keeps the width that it needs to be read, and others are dropped', () => {
    const dropped: string[] = []
    const text = tableText(
      [{ ...row, note: 'several words in a row' }],
      [{ key: 'at' }, { key: 'amount', kind: 'amount' }, { key: 'note', keep: true, least: 20 }],
      { ...plain, width: 48, onDropped: (keys) => dropped.push(...keys) },
    )
    expect(dropped).toEqual(['amount'])
    expect(text).toContain('2026-03-01 12:00 UTC  several words in a row\n')
  })

  test('a text of at most 20 columns is not broken between its words, a longer one is', () => {
    const text = (name: string) =>
      tableText([{ name, game: 'dragontiger', bet: '20' }], ['name', 'game', 'bet'].map(asColumn), {
        ...plain,
        width: 34,
        onDropped: () => {},
      })
    expect(text("Hold'em Bonus Poker 1")).toContain("Hold'em Bonus")
    expect(text("Hold'em Bonus Poker 1")).not.toContain("Hold'em Bonus Poker")
    expect(text("Hold'em Bonus Poker2")).toContain("Hold'em Bonus Poker2  dragontiger\n")
  })

  test('lists keep the ID that the next command needs on 80 columns', () => {
    const room = {
      ...{
        customerAccount: 'amy',
        status: 'open',
        agentUnreadCount: 12,
        assignee: { displayName: 'Lin, night shift' },
      },
      ...{ waitingSince: '2026-03-01T12:00:00Z', lastMessagePreview: 'Where is my withdrawal of yesterday evening?' },
      roomId: '01968b0a-3c5e-7d21-9f04-2b6f8a1c0d3e',
    }
    const request = {
      ...{
        at: '2026-03-01T12:00:00Z',
        service: 'casino',
        method: 'GET',
        status: 404,
        code: 'PLAYER_NOT_FOUND',
        ms: 12,
      },
      ...{
        path: '/api/v1/players/0123456789/balance?currency=USD&fresh=true',
        id: '01968b0a-3c5e-7d21-9f04-2b6f8a1c0d3e',
      },
    }
    const fitted = { ...plain, width: 80, onDropped: () => {} }
    const visitor = { ...room, customerAccount: 'web:01KDVQ6FR1K9193D2KK5F19NW3', customerDisplayName: 'Zoe' }
    const rooms = tableText([{ ...room, customerDisplayName: null }, visitor].map(shownRoom), roomColumns, fitted)
    expect(rooms).toContain(room.roomId)
    expect(rooms).toContain('Zoe')
    expect(rooms).toContain('amy')
    const columns = requestColumns.map((column) => (typeof column === 'string' ? { key: column } : column))
    const requests = tableText([request], columns, fitted)
    expect(requests).toContain(request.id.slice(-shownIdLength))
    expect(requests).toContain('404')
    expect(requests).toMatch(/GET +\/api/)
  })

  test('no word and no time is broken: columns are dropped from the last one, except those that are kept', () => {
    expect(within(80)).toMatchObject({ dropped: [] })
    expect(within(66)).toEqual({
      dropped: ['at'],
      text: 'ID                       note           amount\ndeposit-2026-03-01-0001  two words  10000.0000\n',
    })
    expect(within(40)).toMatchObject({ dropped: ['note', 'at'] })
    for (const width of [35, 40, 60, 70, 80])
      for (const line of within(width).text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
  })

  test('rows become lists only if two columns are too wide as well', () => {
    expect(within(30)).toMatchObject({ dropped: [], text: expect.stringMatching(/^ID {6}deposit/) })
  })

  test('the columns are named once, with the ways to see them', () => {
    expect(droppedText(['note', 'at'], true)).toBe(
      'Not shown at this width: note, at. To see them, use --columns A,B,… or --json',
    )
    expect(droppedText(['note'], false)).toBe('Not shown at this width: note. To see them, use --json')
  })
})

test('times are printed in UTC, absent values as nothing, nested fields by their path', () => {
  const row = { at: 0, gone: null, casino: { key: 'k' }, list: ['a', 'b'] }
  expect(
    fieldsText(row, [{ key: 'at', kind: 'time' }, { key: 'gone' }, { key: 'casino.key' }, { key: 'list' }], {
      ...plain,
      width: 80,
    }),
  ).toBe('at          1970-01-01 00:00 UTC\ngone\ncasino key  k\nlist        a,b\n')
})

test('control characters in a name do not reach the terminal', () => {
  expect(printable('\u001b]0;owned\u0007\u202eabc')).toBe('\\x1b]0;owned\\x07\\u202eabc')
  const unseen = ['\u00ad', '\u061c', '\u200b', '\u200f', '\u2028', '\u2029', '\u2060', '\ufeff']
  expect(printable(unseen.join(' '))).toBe('\\xad \\u061c \\u200b \\u200f \\u2028 \\u2029 \\u2060 \\ufeff')
  expect(oneLine(' Amy\r\n\n\tSent to\u2028Bob\u001b[2J ')).toBe('Amy\\x0d Sent to\\u2028Bob\\x1b[2J')
  expect(tableText([{ user: 'a\u001b[2Jb\nc' }], [{ key: 'user' }], { ...plain, width: 80 })).toBe(
    'user\na\\x1b[2Jb c\n',
  )
})

test('CSV quotes by RFC 4180, and a text that a spreadsheet would run is escaped while a number keeps its sign', async () => {
  const unsafe = ['=1+1', '+1', '-amy', '@bob', '\tx', 'plain,"quoted"'].map((user) => ({ user, amount: '-1.5' }))
  expect(await csvText(unsafe, [{ key: 'user' }, { key: 'amount', kind: 'amount' }], true)).toBe(
    `user,amount\n'=1+1,-1.5\n'+1,-1.5\n'-amy,-1.5\n'@bob,-1.5\n'\tx,-1.5\n"plain,""quoted""",-1.5\n`,
  )
})

test('wrapping keeps every word in order and every line within the width', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(words, fc.integer({ min: 5, max: 100 }), (parts, width) => {
      const lines = wrap(parts.join(' '), width)
      expect(lines.join(' ').replaceAll(' ', '')).toBe(parts.join(''))
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
    }),
  )
})

test('folding breaks long lines at blanks, keeps their indentation and loses no text', () => {
  expect(fold('   aaaa bbbb  cccc dddd eeee\nshort', 20)).toBe('   aaaa bbbb  cccc\n   dddd eeee\nshort')
  const parts = fc.array(fc.constantFrom('ab', ' ', '存款，', 'a'.repeat(30), '   '))
  fc.assert(
    fc.property(parts, fc.integer({ min: 20, max: 60 }), (words, width) => {
      const text = words.join('')
      const folded = fold(text, width)
      for (const line of folded.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(folded.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }),
  )
})

describe('a conversation', () => {
  const line = (text: string, more: Partial<ConversationLine> = {}): ConversationLine => ({
    seq: 1,
    by: 'Amy',
    senderType: 'customer',
    at: '2026-03-01T08:30:00.000Z',
    text,
    files: [],
    ...more,
  })
  const render = (lines: readonly ConversationLine[], width = 80) =>
    conversationText(lines, { width, paint: painter(false) })

  test('prints the day once, sender and time above each message, and the text below', () => {
    const lines = [
      line('Hello'),
      line('Here it is', { seq: 2, senderType: 'agent', by: 'Desk 1', files: ['a\nb.png'] }),
      line('Thanks', { seq: null, at: '2026-03-02T00:01:00Z' }),
      line('x', { at: 'soon', senderType: null }),
    ]
    expect(render(lines)).toBe(
      `2026-03-01 (UTC)
08:30  customer Amy #1
       Hello
08:30  agent Desk 1 #2
       [a b.png]
       Here it is

2026-03-02 (UTC)
00:01  customer Amy
       Thanks
--:--  Amy (soon) #1
       x
`,
    )
  })

  test('lets no text move the cursor, leave its column or imitate another message, at any width', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '08:30  agent Desk 1 #9',
        '\n',
        '\r',
        '\t',
        '\u001b[2J',
        '\u202e',
        '存款沒有到帳，',
        'محمد',
        'a b ',
        ' ',
      ),
    )
    fc.assert(
      fc.property(hostile, hostile, fc.integer({ min: 40, max: 120 }), (text, by, width) => {
        const lines = render(
          [line(text.join('')), line(text.join(''), { by: by.join(''), seq: 2, at: by.join('') })],
          width,
        ).split('\n')
        for (const each of lines) expect(widthOf(each)).toBeLessThanOrEqual(width)
        expect(lines.join('')).not.toMatch(new RegExp(unseen.source))
        // The day, and the header of each of the two messages.
        expect(lines.filter((each) => /^\S/.test(each))).toHaveLength(3)
      }),
    )
  })
})

test('characters counted as one column wide are also one column wide in the library that measures the others', () => {
  const assigned = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
    /\P{C}/u.test(sign),
  )
  expect(assigned.filter((sign) => widthOf(sign) !== stringWidth(sign))).toEqual([])
  expect(['㈩', 'ﾅ', 'ㄅ', '👩‍👩‍👧', 'e\u0301', '陳小明'].map(widthOf)).toEqual([2, 1, 2, 2, 1, 6])
})

test('a long list is formatted page by page, with the columns and widths of its first page', () => {
  const dropped: string[] = []
  const options = {
    width: 40,
    paint: (_: unknown, text: string) => text,
    hasHeader: true,
    onDropped: (keys: readonly string[]) => dropped.push(...keys),
  }
  const page = pagedTable([{ key: 'id', whole: true }, { key: 'text' }, { key: 'long' }], options)
  expect(page([])).toBe('')
  expect(page([{ id: 'A1', text: 'short', long: 'x'.repeat(39) }])).toBe('ID  text\nA1  short\n')
  expect(dropped).toEqual(['long'])
  expect(page([{ id: 'A2', text: 'more words here', long: 'y' }])).toBe('A2  more\n    words\n    here\n')
  const whole = pagedTable([{ key: 'id' }, { key: 'text' }], { ...options, width: Number.POSITIVE_INFINITY })
  expect(whole([{ id: 'A1', text: 'short' }])).toBe('ID  text\nA1  short\n')
  expect(whole([{ id: 'A2', text: 'more words here' }])).toBe('A2  more words here\n')
})
