import { queueOf, timeOf } from '../../../../operator/tickets/workspace/queue.ts'
import { customerOf, draftOf, questions, type WorkspaceState } from '../../../../operator/tickets/workspace/state.ts'
import type { Room } from '../../../../services/chat/api/schemas.ts'
import type { Paint } from '../../../terminal/color.ts'
import type { Picture, PictureLine } from '../../../terminal/full-screen.ts'
import { cutTo, oneLine, padEnd, padStart, widthOf } from '../../../terminal/text.ts'
import { questionLine, typedView, windowOf } from './answer-view.ts'
import { conversationLines } from './conversation-view.ts'
import { dialogLines } from './dialog-view.ts'
import { type Layout, layoutOf } from './layout.ts'

/** The agent's screen as lines: header, queue and conversation, room line, answer, keys. */

export interface WorkspacePicture extends Picture {
  /** Rows of the conversation, and how far it can be scrolled up. */
  readonly page: number
  readonly maxScroll: number
}

export function workspacePicture(
  state: WorkspaceState,
  size: { readonly columns: number; readonly rows: number },
  { paint, target }: { readonly paint: Paint; readonly target: string },
): WorkspacePicture {
  const typed = typedView(draftOf(state, state.open), answerWidth(size.columns))
  const layout = layoutOf(size, typed.lines.length)
  const answer = windowOf(typed, layout.answer)
  const conversation = conversationLines(state, layout.conversationWidth, paint)
  const maxScroll = Math.max(0, conversation.length - layout.body)
  const scroll = Math.min(state.scroll, maxScroll)
  const shown = windowed(conversation, layout.body, scroll)
  const right = state.dialog ? dialogLines(state, state.dialog, layout, paint) : shown.lines
  const queue = queueLines(state, layout, paint)
  const isQueueOnly = layout.queue === 0 && state.focus === 'queue' && !state.dialog
  const isWide = state.dialog?.kind === 'help'
  const body = Array.from({ length: layout.body }, (_, row) =>
    isWide ? whole(right[row] ?? '') : bodyLine(queue[row] ?? '', right[row] ?? '', { layout, paint, isQueueOnly }),
  )
  const question = state.dialog?.kind === 'line' || state.dialog?.kind === 'guard' ? state.dialog : undefined
  const asked =
    question &&
    questionLine(
      question.kind === 'line' ? questions[question.question] : 'Checks:',
      question.typed,
      layout.columns - 1,
    )
  const prompt = state.focus === 'answer' && !state.dialog ? paint('bold', '> ') : '  '
  const answerLines = Array.from(
    { length: layout.answer },
    (_, row): PictureLine => [
      { at: 0, text: row === 0 ? prompt : '  ' },
      { at: 2, text: answer.lines[row] ?? '' },
    ],
  )
  const lines: PictureLine[] = [
    whole(headerText(state, target, layout.columns, paint)),
    ...body,
    whole(roomLine(state, layout.columns, { paint, isScrolled: scroll > 0 })),
    ...(asked ? [whole(asked.text), ...answerLines.slice(1)] : answerLines),
    whole(keyLine(state, layout.columns, paint)),
  ]
  const top = layout.body + 2
  const cursor = asked
    ? { row: top, column: asked.column }
    : state.focus === 'answer' && !state.dialog
      ? { row: top + answer.row, column: answer.column + 2 }
      : undefined
  return { lines, cursor, page: Math.max(1, layout.body - 2), maxScroll }
}

const whole = (text: string): PictureLine => [{ at: 0, text }]
const answerWidth = (columns: number) => Math.max(20, columns) - 3

/** Returns the lines that are on the screen when it is scrolled up by some lines. */
function windowed(lines: readonly string[], rows: number, scroll: number): { lines: readonly string[] } {
  const end = Math.max(Math.min(rows, lines.length), lines.length - scroll)
  return { lines: lines.slice(Math.max(0, end - rows), end) }
}

function bodyLine(
  queue: string,
  conversation: string,
  { layout, paint, isQueueOnly }: { layout: Layout; paint: Paint; isQueueOnly: boolean },
): PictureLine {
  if (layout.queue === 0) return whole(isQueueOnly ? queue : conversation)
  return [
    { at: 0, text: queue },
    { at: layout.queue, text: paint('dim', '│') },
    { at: layout.conversationAt, text: conversation },
  ]
}

const filterNames = { all: 'all rooms', mine: 'my rooms', unassigned: 'unassigned', snoozed: 'snoozed' } as const

function headerText(state: WorkspaceState, target: string, columns: number, paint: Paint): string {
  const queue = queueOf(state)
  const waiting = queue.filter(({ waitingSince }) => waitingSince !== null).length
  const more = state.total > state.rooms.size ? ` of ${state.total}` : ''
  const { keyword, whose } = state.filter
  const filter = keyword === '' ? filterNames[whose] : `"${oneLine(keyword)}"`
  const doubt = state.list === 'failed' ? ', list not complete' : ''
  const left = ` ${oneLine(state.me.displayName)}  ${waiting} waiting, ${queue.length}${more} in ${filter}${doubt}`
  const links = { connecting: 'connecting', live: 'live', lost: 'connection lost, trying again' } as const
  const right = `${state.isReadOnly ? 'dry run  ' : ''}${oneLine(target)}  ${links[state.connection]} `
  const room = columns - widthOf(left) - 2
  const shownRight = widthOf(right) <= room ? right : `${links[state.connection]} `
  const text = padEnd(cutTo(left, columns - widthOf(shownRight) - 1), columns - widthOf(shownRight)) + shownRight
  return paint(
    state.connection === 'lost' || state.list === 'failed' ? ['inverse', 'yellow'] : 'inverse',
    cutTo(text, columns),
  )
}

/** Width of the waiting time in the queue. */
const ageWidth = 4

function queueLines(state: WorkspaceState, layout: Layout, paint: Paint): string[] {
  const width = layout.queue === 0 ? layout.columns : layout.queue
  const queue = queueOf(state)
  // Every row is filled, because its previous text would stay.
  const empty = Array.from({ length: layout.body }, () => ' '.repeat(width - 1))
  const none = { loading: ' Loading…', read: ' No rooms.', failed: ' Not read; trying again.' } as const
  if (queue.length === 0) return [paint('dim', cutTo(padEnd(none[state.list], width - 1), width - 1)), ...empty]
  const selected = Math.max(
    0,
    queue.findIndex(({ roomId }) => roomId === state.selected),
  )
  // Two lines per room: the waiting customer, and the latest message.
  const perScreen = Math.max(1, Math.floor(layout.body / 2))
  const from = Math.max(0, Math.min(selected - Math.floor(perScreen / 2), queue.length - perScreen))
  const rooms = queue.slice(from, from + perScreen).flatMap((room) => roomLines(state, room, width, paint))
  return [...rooms, ...empty]
}

function roomLines(state: WorkspaceState, room: Room, width: number, paint: Paint): string[] {
  const isSelected = room.roomId === state.selected
  const mark = room.roomId === state.open ? '▸' : ' '
  const isOnItsWay = state.outgoing.some(({ roomId }) => roomId === room.roomId)
  const flag = isOnItsWay ? '…' : state.drafts.has(room.roomId) ? '✎' : ' '
  const age = ageText(room.waitingSince, state.now)
  const unread = room.agentUnreadCount > 0 ? ` ${room.agentUnreadCount}` : ''
  const name = cutTo(oneLine(customerOf(room)), width - ageWidth - unread.length - 4)
  const first = `${mark}${padEnd(name, width - ageWidth - unread.length - 3)}${unread}${flag}${padStart(age, ageWidth)}`
  const typing = state.typing.has(room.roomId)
  const preview = typing ? 'typing…' : oneLine(room.lastMessagePreview ?? '')
  const holder =
    room.assignee && room.assignee.agentId !== state.me.agentId ? `(${oneLine(room.assignee.displayName)}) ` : ''
  const second = `  ${cutTo(`${holder}${preview}`, width - 3)}`
  const isWaiting = room.waitingSince !== null
  const style =
    isSelected && state.focus === 'queue' ? 'inverse' : isSelected ? ['bold', 'underline'] : isWaiting ? 'bold' : 'dim'
  return [paint(style as Parameters<Paint>[0], padEnd(first, width - 1)), paint('dim', padEnd(second, width - 1))]
}

/** Formats a waiting time in at most four columns. */
export function ageText(since: string | null, now: number): string {
  const at = timeOf(since)
  if (at === undefined) return ''
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.min(999, Math.floor(seconds / 86_400))}d`
}

function roomLine(
  state: WorkspaceState,
  columns: number,
  { paint, isScrolled }: { readonly paint: Paint; readonly isScrolled: boolean },
): string {
  const room = state.open === undefined ? undefined : state.rooms.get(state.open)
  if (!room) return paint('dim', '─'.repeat(columns))
  const holder = room.assignee?.agentId === state.me.agentId ? 'yours' : `held by ${room.assignee?.displayName}`
  // The account comes last, because a long one is cut.
  const parts = [
    customerOf(room),
    room.assignee ? holder : 'unassigned',
    room.status === 'closed' ? 'closed' : '',
    state.typing.has(room.roomId) ? 'typing…' : '',
    room.customerLanguage ?? 'language unknown',
    room.inboxCategoryCode === 'default' ? '' : room.inboxCategoryCode,
    customerOf(room) === room.customerAccount ? '' : room.customerAccount,
  ]
  const text = ` ${parts
    .filter((part) => part !== '')
    .map(oneLine)
    .join('  ')}`
  const scrolled = isScrolled ? '  ↓ newer messages below' : ''
  return paint('inverse', padEnd(cutTo(text + scrolled, columns), columns))
}

function keyLine(state: WorkspaceState, columns: number, paint: Paint): string {
  const { notice } = state
  const held = state.outgoing.find(({ roomId, state: at }) => roomId === state.open && at === 'held')
  if (notice?.isBad) return paint('yellow', cutTo(` ${oneLine(notice.text)}`, columns))
  if (held) {
    const seconds = Math.max(0, Math.ceil((held.dueAt - state.now) / 1000))
    return paint('cyan', cutTo(` Sending in ${seconds} s. Ctrl-Z cancels; Ctrl-N opens the next room.`, columns))
  }
  if (notice) return paint('cyan', cutTo(` ${oneLine(notice.text)}`, columns))
  const keys =
    state.focus === 'answer'
      ? ' Enter send  Ctrl-N next  Ctrl-P macro  Ctrl-F/O file  Ctrl-T take  Esc queue'
      : ' Enter open  n next  t take  z snooze  c close  / search  ? all keys  q quit'
  return paint('dim', cutTo(keys, columns))
}
