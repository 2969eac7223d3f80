import { countText } from '../../../kit/text/count-text.ts'
import type { Room } from '../../../services/chat/api/schemas.ts'
import { ask, filesOf, inDialog } from './dialogs.ts'
import { edited } from './edited-text.ts'
import { down, esc, type PressedKey, up } from './key-codes.ts'
import { nextWaiting, queueOf } from './queue.ts'
import { cancel, holderQuestion, keptRoom, submit } from './sending.ts'
import {
  does,
  draftOf,
  type Next,
  noticed,
  seenSeq,
  still,
  type WorkspaceState,
  withEntry,
  withoutEntry,
} from './state.ts'

const pageUp = `${esc}[5~`
const pageDown = `${esc}[6~`
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96)

/** Keys of the queue and of the answer, for the help. */
export const queueKeys = [
  'j k ↓ ↑ select',
  'Enter open and answer',
  'n next who waits',
  't take, r release',
  'z snooze or wake',
  'c close or reopen',
  'u mark unread',
  'm macro',
  'f send file, o open file',
  '/ search',
  'a all, mine, unassigned, snoozed',
  'PgUp PgDn history',
  'q quit',
] as const
export const answerKeys = [
  'Enter send',
  'Ctrl-J new line',
  'Ctrl-Z cancel before it is sent',
  'Ctrl-N next who waits',
  'Ctrl-P macro',
  'Ctrl-T take',
  'Ctrl-F send file',
  'Ctrl-O open file',
  '↑ ↓ PgUp PgDn history',
  'Esc or Tab to the queue',
] as const

export function pressed(state: WorkspaceState, pressedKey: PressedKey): Next {
  const { key, isPasted } = pressedKey
  // After q, another key does not wait for what is still being sent.
  if (state.end === 'sending') return still({ ...state, end: 'ended' })
  if (state.dialog) return inDialog(state, state.dialog, pressedKey)
  if (isPasted) return state.focus === 'answer' ? pasted(state, key) : still(state)
  const scrolled = scrolling(state, pressedKey)
  if (scrolled) return scrolled
  return state.focus === 'answer' ? inAnswer(state, pressedKey) : inQueue(state, pressedKey)
}

function scrolling(state: WorkspaceState, { key, page, maxScroll }: PressedKey): Next | undefined {
  const isAnswer = state.focus === 'answer'
  const by =
    key === pageUp ? page : key === pageDown ? -page : isAnswer && up.has(key) ? 1 : isAnswer && down.has(key) ? -1 : 0
  if (by === 0 || state.open === undefined) return undefined
  const scroll = Math.max(0, Math.min(maxScroll, state.scroll + by))
  const conversation = state.conversations.get(state.open)
  const first = conversation?.messages[0]?.seq ?? 1
  // The next earlier page is loaded before the top is reached.
  const isNearTop = by > 0 && scroll + page >= maxScroll && first > 1 && conversation?.isLoading === false
  if (!isNearTop || !conversation) return still({ ...state, scroll })
  const conversations = withEntry(state.conversations, state.open, { ...conversation, isLoading: true })
  return does(
    { ...state, scroll, conversations },
    { kind: 'load-messages', roomId: state.open, part: { before: first } },
  )
}

function inQueue(state: WorkspaceState, pressedKey: PressedKey): Next {
  const { key } = pressedKey
  const queue = queueOf(state)
  const at = queue.findIndex(({ roomId }) => roomId === state.selected)
  const move = (to: number) => {
    const room = queue[Math.max(0, Math.min(queue.length - 1, to))]
    return still(room ? { ...state, selected: room.roomId } : state)
  }
  if (up.has(key) || key === 'k') return move(at - 1)
  if (down.has(key) || key === 'j') return move(at + 1)
  const room = queue[at]
  switch (key) {
    case '\r':
      return room ? openRoom(state, room) : still(state)
    case '\t':
      return still(state.open === undefined ? state : { ...state, focus: 'answer' })
    case 'n':
      return openNext(state)
    case 'q':
      return quit(state)
    case '?':
    case 'h':
      return still({ ...state, dialog: { kind: 'help' } })
    case 'a':
      return filterNext(state)
    case '/':
      return ask(state, 'search')
    case ctrl('z'):
      return cancel(state)
    default:
      return room ? onRoom(state, room, key) : still(state)
  }
}

/** Keys that act on the selected room. */
function onRoom(state: WorkspaceState, room: Room, key: string): Next {
  const { roomId } = room
  switch (key) {
    case 't':
      return take(state, room)
    case 'r':
      return writing(state, () =>
        does(state, { kind: 'assign', roomId, agentId: null, expected: room.assignee?.agentId ?? null }),
      )
    case 'z':
      return state.snoozes.has(roomId) ? wake(state, roomId) : ask({ ...state, selected: roomId }, 'snooze', roomId)
    case 'c':
      return writing(state, () => does(state, { kind: 'set-open', roomId, isOpen: room.status === 'closed' }))
    case 'u':
      return writing(state, () =>
        does(
          { ...state, open: state.open === roomId ? undefined : state.open, focus: 'queue' },
          { kind: 'unread', roomId, seq: Math.max(1, room.lastSeq) },
        ),
      )
    case 'm':
    case 'f':
    case 'o':
      return withText(state, room, key)
    default:
      return still(state)
  }
}

/** Keys that need the conversation: it is opened first. */
function withText(state: WorkspaceState, room: Room, key: 'm' | 'f' | 'o'): Next {
  const opened = state.open === room.roomId ? still(state) : openRoom(state, room)
  const next =
    key === 'm'
      ? macros(opened.state)
      : key === 'f'
        ? sendFile(opened.state, room.roomId)
        : files(opened.state, room.roomId)
  return { state: next.state, effects: [...opened.effects, ...next.effects] }
}

function inAnswer(state: WorkspaceState, pressedKey: PressedKey): Next {
  const { key, id } = pressedKey
  const room = state.open === undefined ? undefined : state.rooms.get(state.open)
  switch (key) {
    case '\r':
      return submit(state, id)
    case '\n':
      return typed(state, '\n')
    case esc:
    case '\t':
      return still({ ...state, focus: 'queue' })
    case ctrl('z'):
      return cancel(state)
    case ctrl('n'):
      return openNext(state)
    case ctrl('p'):
      return room ? withText(state, room, 'm') : still(state)
    case ctrl('f'):
      return room ? withText(state, room, 'f') : still(state)
    case ctrl('o'):
      return room ? withText(state, room, 'o') : still(state)
    case ctrl('t'):
      return room ? take(state, room) : still(state)
    default:
      return typed(state, key)
  }
}

/** Time after which continued typing is reported again. */
const reportTypingMs = 3_000

function typed(state: WorkspaceState, key: string): Next {
  const { open } = state
  if (open === undefined) return still(state)
  const before = draftOf(state, open)
  const after = key === '\n' ? insertedLine(before) : edited(before, key)
  if (!after || after === before) return still(state)
  const isChanged = after.text !== before.text
  const next: WorkspaceState = {
    ...state,
    drafts: after.text === '' ? withoutEntry(state.drafts, open) : withEntry(state.drafts, open, after),
    dirty: isChanged ? new Set(state.dirty).add(open) : state.dirty,
  }
  const isTyping = after.text !== ''
  const isDue = !isTyping || state.now - state.typingReportedAt >= reportTypingMs
  if (!isChanged || !isDue || state.isReadOnly) return still(next)
  return does({ ...next, typingReportedAt: isTyping ? state.now : 0 }, { kind: 'typing', roomId: open, isTyping })
}

/** Control characters in pasted text are ignored: one could delete typed text. */
function pasted(state: WorkspaceState, key: string): Next {
  const text = key === '\r' ? '\n' : key === '\t' ? ' ' : key
  return text !== '\n' && /^\p{Cc}/u.test(text) ? still(state) : typed(state, text)
}

const insertedLine = ({ text, cursor }: { text: string; cursor: number }) => ({
  text: `${text.slice(0, cursor)}\n${text.slice(cursor)}`,
  cursor: cursor + 1,
})

function openRoom(state: WorkspaceState, { roomId }: Room): Next {
  const isKnown = state.conversations.has(roomId)
  const conversations = isKnown
    ? state.conversations
    : withEntry(state.conversations, roomId, { messages: [], isLoading: true })
  const next: WorkspaceState = {
    ...state,
    open: roomId,
    selected: roomId,
    focus: 'answer',
    scroll: 0,
    conversations,
    typingReportedAt: 0,
  }
  const after = seenSeq(state, roomId)
  return does(next, { kind: 'load-messages', roomId, part: after === 0 ? 'latest' : { after } })
}

function openNext(state: WorkspaceState): Next {
  const room = nextWaiting(state, state.open)
  return room ? openRoom(state, room) : still(noticed(state, 'No other customer waits for an answer.'))
}

const filters = ['all', 'mine', 'unassigned', 'snoozed'] as const

function filterNext(state: WorkspaceState): Next {
  const at = filters.indexOf(state.filter.whose)
  const whose = filters[(at + 1) % filters.length] ?? 'all'
  return does({ ...state, filter: { ...state.filter, whose } }, { kind: 'load-queue' })
}

function writing(state: WorkspaceState, change: () => Next): Next {
  return state.isReadOnly ? still(noticed(state, 'Dry run: nothing is changed.')) : change()
}

function take(state: WorkspaceState, { roomId, assignee }: Room): Next {
  if (assignee?.agentId === state.me.agentId) return still(noticed(state, 'The room is yours already.'))
  if (state.isReadOnly) return still(noticed(state, 'Dry run: nothing is changed.'))
  if (assignee)
    return still({
      ...state,
      selected: roomId,
      dialog: { kind: 'take', roomId, holder: assignee.displayName, holderId: assignee.agentId },
    })
  return does(state, { kind: 'assign', roomId, agentId: state.me.agentId, expected: null })
}

function wake(state: WorkspaceState, roomId: string): Next {
  const next = { ...state, snoozes: withoutEntry(state.snoozes, roomId) }
  return does(noticed(next, 'The room is back in the queue.'), keptRoom(next, roomId))
}

const macros = (state: WorkspaceState): Next =>
  state.macros.length === 0
    ? still(noticed(state, 'No macros. Create macros.yaml in the settings folder (see countroom help files).'))
    : still({ ...state, dialog: { kind: 'macros', at: 0 } })

function sendFile(state: WorkspaceState, roomId: string): Next {
  const question = holderQuestion(state, roomId)
  return question ? still(question) : ask(state, 'file', roomId)
}

function files(state: WorkspaceState, roomId: string): Next {
  if (state.conversations.get(roomId)?.isLoading) return still(noticed(state, 'The messages are still loading.'))
  return filesOf(state, roomId).length === 0
    ? still(noticed(state, 'The loaded messages have no file. PgUp loads earlier ones.'))
    : still({ ...state, dialog: { kind: 'files', at: 0 } })
}

function quit(state: WorkspaceState): Next {
  if (state.outgoing.length === 0) return still({ ...state, end: 'ended' })
  const outgoing = state.outgoing.map((each) => ({ ...each, dueAt: Math.min(each.dueAt, state.now) }))
  const { length } = outgoing
  const text = `Sending ${countText(length, 'answer')}. Any key ends without waiting; what is not sent stays as a draft.`
  return still({ ...noticed(state, text), outgoing, end: 'sending' })
}
