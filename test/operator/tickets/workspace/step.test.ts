import { describe, expect, test } from 'vitest'
import { queueOf } from '../../../../src/operator/tickets/workspace/queue.ts'
import { aMessage, anOpenRoom, aRoom, aScreen, me, own, start } from './a-workspace.ts'

const at = (ms: number) => new Date(start + ms).toISOString()
const esc = '\u001b'

describe('the queue', () => {
  test('has the longest waiting first, then the latest message, and no closed room', () => {
    const { state } = aScreen().rooms(
      aRoom('new', { waitingSince: at(2_000) }),
      aRoom('closed', { status: 'closed' }),
      aRoom('answered', { waitingSince: null, lastMessageAt: at(1_000) }),
      aRoom('later', { waitingSince: null, lastMessageAt: at(9_000) }),
      aRoom('old', { waitingSince: at(1_000) }),
    )
    expect(queueOf(state).map(({ roomId }) => roomId)).toEqual(['old', 'new', 'later', 'answered'])
  })

  test('keeps the selected room selected when others are inserted before it, and the position when it leaves', () => {
    const screen = aScreen().rooms(aRoom('a', { waitingSince: at(1) }), aRoom('b', { waitingSince: at(2) }))
    screen.press('j')
    screen.event({ kind: 'room', room: aRoom('first', { waitingSince: at(0) }) })
    expect(screen.state.selected).toBe('b')
    screen.chat('room.updated', { roomId: 'b', room: { status: 'closed', updatedAt: at(10) } })
    expect(screen.state.selected).toBe('a')
  })

  test('takes the newer state of a room, from list or event', () => {
    const screen = aScreen().rooms(aRoom('a'))
    screen.chat('room.updated', { roomId: 'a', room: { lastMessagePreview: 'newer', updatedAt: at(10_000) } })
    screen.rooms(aRoom('a', { lastMessagePreview: 'older' }))
    screen.chat('room.updated', { roomId: 'a', room: { lastMessagePreview: 'replayed', updatedAt: at(5_000) } })
    expect(screen.state.rooms.get('a')?.lastMessagePreview).toBe('newer')
  })

  test('drops rooms that a complete list no longer has, but none that changed since or is open', () => {
    const screen = anOpenRoom()
    screen.event({ kind: 'room', room: aRoom('gone') })
    screen.event({ kind: 'room', room: aRoom('fresh', { updatedAt: at(60_000) }) })
    screen.event({ kind: 'queue', rooms: [aRoom('b')], total: 1, asOf: start + 50_000 })
    expect([...screen.state.rooms.keys()].sort()).toEqual(['b', 'fresh', 'r1'])
    screen.event({ kind: 'queue', rooms: [aRoom('c')], total: 5, asOf: start + 50_000 })
    expect(screen.state.rooms.has('b')).toBe(true)
  })

  test("shows the platform's results for a search, and keeps rooms with unsent texts out of it", () => {
    const screen = anOpenRoom().type('half').press(esc, '/').type('bob').press('\r')
    expect(screen.effects()).toContainEqual({ kind: 'load-queue' })
    screen.rooms(aRoom('b', { customerDisplayName: 'Bobby' }))
    screen.message(aMessage('other', 1))
    expect(queueOf(screen.state).map(({ roomId }) => roomId)).toEqual(['b'])
    expect(screen.effects()).not.toContainEqual({ kind: 'load-room', roomId: 'other' })
    screen.press('/', '\r')
    screen.rooms(aRoom('r1'), aRoom('b', { customerDisplayName: 'Bobby' }))
    expect([queueOf(screen.state).length, screen.draft('r1')]).toEqual([2, 'half'])
  })

  test('loads a room that an event names first, and everything after a resync', () => {
    const screen = anOpenRoom()
    screen.message(aMessage('other', 1), { status: 'open' })
    expect(screen.effects()).toEqual([{ kind: 'load-room', roomId: 'other' }])
    screen.chat('resync', { reason: 'tooOld' })
    expect(screen.effects()).toEqual([
      { kind: 'load-queue' },
      { kind: 'load-messages', roomId: 'r1', part: { after: 1 } },
    ])
  })
})

describe('an answer', () => {
  test('is sent once, after the time in which it can be canceled, with the key of its Enter', () => {
    const screen = anOpenRoom()
    screen.type('It arrived.').press('\r', '\r')
    expect(screen.state.outgoing).toHaveLength(1)
    expect([screen.sends(), screen.draft('r1')]).toEqual([[], ''])
    expect(screen.tick(4_999).sends()).toEqual([])
    const [send, ...more] = screen.tick(1).sends()
    expect(more).toEqual([])
    expect(send).toMatchObject({ outgoing: { key: 'key-12', text: 'It arrived.' }, expectedLastSeq: 1 })
    expect(screen.tick(60_000).sends()).toEqual([])
    screen.event({ kind: 'sent', message: aMessage('r1', 2, { ...own, clientMessageId: 'key-12' }) })
    expect([screen.state.outgoing, screen.state.sent]).toEqual([[], 1])
    expect(screen.state.conversations.get('r1')?.messages.map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('is stored before it leaves the draft', () => {
    const screen = anOpenRoom()
    screen.type('Hi').press('\r')
    expect(screen.effects().map(({ kind }) => kind)).toEqual(['typing', 'keep-outgoing', 'keep-room', 'typing'])
  })

  test('without a response is sent again with the same key, until it arrives or is refused', () => {
    const screen = anOpenRoom()
    screen.type('Hi').press('\r')
    screen.tick(5_000)
    screen.effects()
    for (const verdict of ['unknown', 'later', 'unknown'] as const) {
      screen.event({ kind: 'send-failed', key: 'key-3', failure: { verdict, text: 'lost' } })
      expect(screen.sends()).toEqual([])
      expect(screen.tick(30_000).sends()).toMatchObject([{ outgoing: { key: 'key-3' }, expectedLastSeq: 1 }])
    }
    screen.message(aMessage('r1', 2, { ...own, clientMessageId: 'key-3' }))
    expect([screen.state.outgoing, screen.state.sent]).toEqual([[], 1])
    // The response of an earlier attempt, after the event.
    screen.event({ kind: 'sent', message: aMessage('r1', 2, { ...own, clientMessageId: 'key-3' }) })
    expect(screen.state.sent).toBe(1)
  })

  test('is sent again at once when the connection is back', () => {
    const screen = anOpenRoom({ connection: 'lost' })
    screen.type('Hi').press('\r')
    screen.tick(5_000).event({ kind: 'send-failed', key: 'key-3', failure: { verdict: 'later', text: 'away' } })
    screen.effects()
    screen.event({ kind: 'connection', connection: 'live' })
    expect(screen.effects().map(({ kind }) => kind)).toEqual(['load-messages', 'send'])
  })

  test('that is stale or refused returns to the draft, before the text typed since', () => {
    for (const verdict of ['stale', 'refused'] as const) {
      const screen = anOpenRoom()
      screen.type('Hi').press('\r')
      screen.tick(5_000).type('more')
      screen.event({ kind: 'send-failed', key: 'key-3', failure: { verdict, text: 'no' } })
      expect([screen.draft('r1'), screen.state.outgoing, screen.state.notice?.isBad]).toEqual(['Hi\nmore', [], true])
    }
  })

  test('that is still held returns to the draft when the customer writes', () => {
    const screen = anOpenRoom()
    screen.type('Hi').press('\r')
    screen.message(aMessage('r1', 2))
    expect([screen.draft('r1'), screen.state.outgoing]).toEqual(['Hi', []])
    expect(screen.tick(60_000).sends()).toEqual([])
    // A second Enter sends it, with the new message seen.
    screen.press('\r').tick(5_000)
    expect(screen.sends()).toMatchObject([{ outgoing: { text: 'Hi' }, expectedLastSeq: 2 }])
  })

  test('after another of the same agent waits for it, and expects it; one of a colleague is not expected', () => {
    const screen = anOpenRoom()
    screen.type('One').press('\r')
    screen.type('Two').press('\r')
    screen.tick(5_000)
    expect(screen.sends()).toMatchObject([{ outgoing: { text: 'One' } }])
    screen.message(aMessage('r1', 2, { ...own, clientMessageId: 'key-4' }))
    expect(screen.sends()).toMatchObject([{ outgoing: { text: 'Two' }, expectedLastSeq: 2 }])
    const other = anOpenRoom()
    other.type('Hi').press('\r')
    other.message(aMessage('r1', 2, { senderType: 'agent', senderId: 'agt_2' })).tick(5_000)
    expect(other.sends()).toMatchObject([{ expectedLastSeq: 1 }])
  })

  test('can be canceled, and then is the draft again', () => {
    const screen = anOpenRoom()
    screen.type('Hi').press('\r', '\u001a')
    expect([screen.draft('r1'), screen.state.outgoing]).toEqual(['Hi', []])
    expect(screen.tick(60_000).sends()).toEqual([])
  })

  test('that fails a check is sent only after the names of the checks are typed', () => {
    const screen = anOpenRoom()
    screen.type('Ask @boss').press('\r')
    expect(screen.state.dialog).toMatchObject({ kind: 'guard', rules: ['mention'] })
    screen.press('\r')
    expect([screen.state.outgoing, screen.draft('r1')]).toEqual([[], 'Ask @boss'])
    screen.press('\r').type('mention').press('\r')
    expect(screen.state.outgoing).toMatchObject([{ text: 'Ask @boss' }])
  })

  test('that fails a check is not sent, and not lost, if it changed behind the question', () => {
    const screen = anOpenRoom()
    screen.type('First').press('\r').type('Ask @boss').press('\r')
    screen.message(aMessage('r1', 2))
    expect(screen.draft('r1')).toBe('First\nAsk @boss')
    screen.type('mention').press('\r')
    expect([screen.state.outgoing, screen.draft('r1')]).toEqual([[], 'First\nAsk @boss'])
  })

  test('pasted with line breaks is one text and not sent', () => {
    const screen = anOpenRoom()
    for (const key of 'a\rb')
      screen.event({ kind: 'key', key: { key, isPasted: true, id: 'p', page: 1, maxScroll: 0 } })
    expect([screen.draft('r1'), screen.state.outgoing]).toEqual(['a\nb', []])
    for (const key of ['\t', 'c', '\u007f', '\u0015', `${esc}[D`, '\u009b', 'd'])
      screen.event({ kind: 'key', key: { key, isPasted: true, id: 'p', page: 1, maxScroll: 0 } })
    expect(screen.draft('r1')).toBe('a\nb cd')
  })

  test('is not sent or stored by a dry run', () => {
    const screen = anOpenRoom({ isReadOnly: true })
    screen.type('Hi').press('\r', esc, 't', 'c', 'r')
    expect(screen.effects()).toEqual([])
    expect(screen.draft('r1')).toBe('Hi')
  })
})

describe('a question', () => {
  const queue = () => {
    const other = { agentId: 'agt_2', displayName: 'Night' }
    return aScreen().rooms(
      aRoom('a', { waitingSince: at(1), assignee: other }),
      aRoom('b', { waitingSince: at(2), assignee: other }),
    )
  }
  const closed = aRoom('a', { status: 'closed', waitingSince: null, updatedAt: at(9) })

  test('is about the room for which it was asked, also when that one leaves the queue', () => {
    const taking = queue().press('t').event({ kind: 'room', room: closed })
    expect(taking.state.selected).toBe('b')
    taking.effects()
    expect(taking.press('y').effects()).toMatchObject([{ kind: 'assign', roomId: 'a' }])
    const snoozing = queue().press('z').event({ kind: 'room', room: closed }).type('2h').press('\r')
    expect([...snoozing.state.snoozes.keys()]).toEqual(['a'])
  })

  test('is not answered by pasted text; in a line, pasted line breaks are spaces', () => {
    const paste = (screen: ReturnType<typeof aScreen>, text: string) => {
      for (const key of text)
        screen.event({ kind: 'key', key: { key, isPasted: true, id: 'p', page: 1, maxScroll: 0 } })
      return screen
    }
    const taking = queue().press('t')
    taking.effects()
    expect([paste(taking, 'y').effects(), taking.state.dialog?.kind]).toEqual([[], 'take'])
    const snoozing = paste(queue().press('z'), '2h\r')
    expect([snoozing.state.snoozes.size, snoozing.state.dialog]).toMatchObject([0, { typed: { text: '2h ' } }])
  })
})

describe('a room of another agent', () => {
  const night = { agentId: 'agt_2', displayName: 'Night' }
  const held = () => anOpenRoom().event({ kind: 'room', room: aRoom('r1', { assignee: night, updatedAt: at(60_000) }) })

  test('gets a text only after a question, which is asked once for each holder', () => {
    const screen = held().type('On its way').press('\r')
    expect([screen.state.dialog, screen.state.outgoing, screen.draft('r1')]).toMatchObject([
      { kind: 'other-holder', holder: 'Night', text: 'On its way' },
      [],
      'On its way',
    ])
    screen.press('x')
    expect([screen.state.dialog, screen.state.outgoing, screen.draft('r1')]).toEqual([undefined, [], 'On its way'])
    screen.press('\r', 's')
    expect(screen.state.outgoing).toMatchObject([{ roomId: 'r1', text: 'On its way' }])
    expect(screen.type('Today').press('\r').state.outgoing).toHaveLength(2)
    const day = { agentId: 'agt_3', displayName: 'Day' }
    screen.event({ kind: 'room', room: aRoom('r1', { assignee: day, updatedAt: at(70_000) }) })
    expect(screen.type('Bye').press('\r').state).toMatchObject({ dialog: { holder: 'Day' }, outgoing: [{}, {}] })
  })

  test('can be taken over with the answer', () => {
    const screen = held().type('On its way').press('\r')
    screen.effects()
    expect(screen.press('t').effects()).toMatchObject([
      { kind: 'assign', roomId: 'r1', agentId: me.agentId, expected: 'agt_2' },
      { kind: 'keep-outgoing', outgoing: { text: 'On its way' } },
      { kind: 'keep-room' },
      { kind: 'typing', isTyping: false },
    ])
  })

  test('gets neither a text that changed behind the question, nor one that fails a check', () => {
    const changed = held().type('On its way').press('\r')
    changed.event({ kind: 'macro', roomId: 'r1', text: 'Arrived' }).press('s')
    expect(changed.state.outgoing).toEqual([])
    const unsafe = held().type('token=abcdefghijklmnopqrstuvwxyz012345').press('\r', 's')
    expect([unsafe.state.outgoing, unsafe.state.dialog]).toMatchObject([[], { kind: 'guard' }])
  })

  test('gets a file only after the question', () => {
    const screen = held().press(esc, 'f')
    expect(screen.state.dialog).toMatchObject({ kind: 'other-holder', text: undefined })
    expect(screen.press('s').state.dialog).toMatchObject({ kind: 'line', question: 'file' })
  })
})

test('a queue that was not read is shown as such until it is', () => {
  const screen = aScreen()
  expect(screen.state.list).toBe('loading')
  screen.event({ kind: 'queue-failed', text: 'The rooms were not read' })
  expect(screen.state).toMatchObject({ list: 'failed', notice: { isBad: true } })
  expect(screen.rooms().state.list).toBe('read')
})

describe('a draft', () => {
  test('stays when another room is opened and when the connection is lost, and is stored', () => {
    const screen = aScreen().rooms(aRoom('a', { waitingSince: at(1) }), aRoom('b', { waitingSince: at(2) }))
    screen.press('\r').messages('a', aMessage('a', 1)).type('half').effects()
    screen.event({ kind: 'connection', connection: 'lost' }).press('\u000e')
    expect(screen.state.open).toBe('b')
    screen.type('other').tick(500)
    expect(screen.effects().filter(({ kind }) => kind === 'keep-room')).toMatchObject([
      { roomId: 'a', draft: 'half' },
      { roomId: 'b', draft: 'other' },
    ])
    screen.press(esc, 'k', '\r')
    expect([screen.state.open, screen.draft('a')]).toEqual(['a', 'half'])
  })

  test('is stored when the screen ends', () => {
    const screen = anOpenRoom().type('half')
    screen.effects()
    screen.event({ kind: 'stop' })
    expect(screen.effects()).toMatchObject([{ kind: 'keep-room', draft: 'half' }])
  })

  test('of an earlier run is restored; an answer with an unknown outcome is sent again with its key', () => {
    const answer = {
      roomId: 'a',
      text: 'Was it sent?',
      seenSeq: 3,
      state: 'unknown',
      dueAt: start,
      failures: 0,
    } as const
    const screen = aScreen().event({
      kind: 'restored',
      stored: {
        drafts: new Map([['b', 'half']]),
        snoozes: new Map(),
        attempted: [{ ...answer, key: 'k1' }],
        held: [{ ...answer, key: 'k2', roomId: 'c', text: 'Never sent' }],
      },
    })
    expect([screen.draft('b'), screen.draft('c')]).toEqual(['half', 'Never sent'])
    expect(screen.sends()).toMatchObject([{ outgoing: { key: 'k1' }, expectedLastSeq: 3 }])
  })
})

describe('a conversation', () => {
  test('has each message once and in order, and loads missing ones', () => {
    const screen = anOpenRoom()
    screen.message(aMessage('r1', 2)).message(aMessage('r1', 2))
    screen.effects()
    screen.message(aMessage('r1', 5))
    expect(screen.state.conversations.get('r1')?.messages.map(({ seq }) => seq)).toEqual([1, 2])
    expect(screen.effects()).toContainEqual({ kind: 'load-messages', roomId: 'r1', part: { after: 2 } })
    screen.messages('r1', aMessage('r1', 4), aMessage('r1', 3), aMessage('r1', 5))
    expect(screen.state.conversations.get('r1')?.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  })

  test('is marked as read once, up to the last shown message', () => {
    const screen = aScreen().rooms(aRoom('r1')).press('\r')
    expect(screen.effects().filter(({ kind }) => kind === 'read')).toEqual([])
    screen.messages('r1', aMessage('r1', 1)).tick(1)
    expect(screen.effects().filter(({ kind }) => kind === 'read')).toEqual([{ kind: 'read', roomId: 'r1', seq: 1 }])
  })

  test('loads earlier messages before its top is reached', () => {
    const screen = aScreen()
      .rooms(aRoom('r1', { lastSeq: 150 }))
      .press('\r')
    screen.messages('r1', aMessage('r1', 101))
    screen.effects()
    screen.event({ kind: 'key', key: { key: '\u001b[5~', isPasted: false, id: 'x', page: 10, maxScroll: 15 } })
    expect(screen.effects()).toEqual([{ kind: 'load-messages', roomId: 'r1', part: { before: 101 } }])
    expect(screen.state.scroll).toBe(10)
  })
})

describe('a room', () => {
  test('without an agent is taken at once; one of a colleague after a question, from that colleague only', () => {
    const screen = anOpenRoom().press(esc, 't')
    expect(screen.effects()).toEqual([{ kind: 'assign', roomId: 'r1', agentId: me.agentId, expected: null }])
    const holder = { agentId: 'agt_2', displayName: 'Night desk' }
    screen.event({ kind: 'room', room: aRoom('r1', { assignee: holder, agentUnreadCount: 0 }) }).press('t', 'n')
    expect(screen.effects()).toEqual([])
    screen.press('t', 'y')
    expect(screen.effects()).toEqual([{ kind: 'assign', roomId: 'r1', agentId: me.agentId, expected: 'agt_2' }])
  })

  test('that is snoozed leaves the queue until its time, or until the customer writes', () => {
    const screen = anOpenRoom().press(esc, 'z').type('10m').press('\r')
    expect(queueOf(screen.state)).toEqual([])
    expect(screen.effects()).toContainEqual({
      kind: 'keep-room',
      roomId: 'r1',
      draft: '',
      snooze: { until: start + 600_000, seq: 1 },
    })
    screen.tick(599_999)
    expect(queueOf(screen.state)).toEqual([])
    screen.tick(1)
    expect(queueOf(screen.state).map(({ roomId }) => roomId)).toEqual(['r1'])
    screen.press('z').type('10m').press('\r')
    screen.message(aMessage('r1', 2))
    expect(queueOf(screen.state).map(({ roomId }) => roomId)).toEqual(['r1'])
  })

  test('shows that the customer types for 6 seconds, or until the message', () => {
    const screen = anOpenRoom()
    const typing = { roomId: 'r1', senderType: 'customer', displayName: 'Ann', typing: true }
    screen.chat('typing', typing).tick(5_999)
    expect(screen.state.typing.has('r1')).toBe(true)
    expect(screen.tick(1).state.typing.has('r1')).toBe(false)
    screen.chat('typing', typing).message(aMessage('r1', 2))
    expect(screen.state.typing.has('r1')).toBe(false)
  })
})

describe('q', () => {
  test('ends at once without pending requests', () => {
    expect(anOpenRoom().press(esc, 'q').state.end).toBe('ended')
  })

  test('sends held answers first; another key does not wait', () => {
    const screen = anOpenRoom().type('Hi').press('\r', esc, 'q')
    expect(screen.state.end).toBe('sending')
    expect(screen.sends()).toMatchObject([{ outgoing: { text: 'Hi' } }])
    const left = screen.state
    screen.event({ kind: 'sent', message: aMessage('r1', 2, { ...own, clientMessageId: 'key-3' }) })
    expect(screen.state.end).toBe('ended')
    expect(aScreen(left).press('x').state.end).toBe('ended')
  })
})
