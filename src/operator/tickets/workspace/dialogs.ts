import { durationMs } from '../../../kit/duration.ts'
import { edited, emptyText } from './edited-text.ts'
import { down, esc, type PressedKey, up } from './key-codes.ts'
import { usedRooms } from './queue.ts'
import { hold, keptRoom, submit } from './sending.ts'
import {
  customerOf,
  type Dialog,
  does,
  draftOf,
  type LineQuestion,
  type Next,
  noticed,
  still,
  type WorkspaceState,
  withEntry,
} from './state.ts'

/** Keys while a question or list is in front of the conversation. */

/** Files of the loaded messages, newest first. */
export const filesOf = (state: WorkspaceState, roomId: string | undefined) =>
  (roomId === undefined ? [] : (state.conversations.get(roomId)?.messages ?? []))
    .flatMap(({ attachments, roomId: id, seq }) => attachments.map((file) => ({ ...file, roomId: id, seq })))
    .reverse()

export function inDialog(state: WorkspaceState, dialog: Dialog, pressedKey: PressedKey): Next {
  const { id, isPasted } = pressedKey
  const isLine = dialog.kind === 'line' || dialog.kind === 'guard'
  // Pasted text does not answer a question. In a line, its line breaks become spaces and other control characters are
  // ignored.
  const isSpace = /^[\r\n\t]$/.test(pressedKey.key)
  if (isPasted && (!isLine || (!isSpace && /^\p{Cc}/u.test(pressedKey.key)))) return still(state)
  const key = isPasted && isSpace ? ' ' : pressedKey.key
  const closed: WorkspaceState = { ...state, dialog: undefined }
  if (key === esc) return still(closed)
  switch (dialog.kind) {
    case 'help':
      return still(closed)
    case 'macros':
    case 'files':
      return inList(state, dialog, key)
    case 'open-file':
      return key === 'o' ? does(closed, { kind: 'open-file', path: dialog.path }) : still(closed)
    case 'take': {
      if (key !== 'y') return still(closed)
      return does(closed, {
        kind: 'assign',
        roomId: dialog.roomId,
        agentId: state.me.agentId,
        expected: dialog.holderId,
      })
    }
    case 'other-holder':
      return holderAnswered(closed, dialog, key, id)
    case 'line':
    case 'guard': {
      if (key !== '\r')
        return still({ ...state, dialog: { ...dialog, typed: edited(dialog.typed, key) ?? dialog.typed } })
      const answer = dialog.typed.text.trim()
      return dialog.kind === 'guard' ? guardAnswered(closed, dialog, answer, id) : answered(closed, dialog, answer)
    }
  }
}

function inList(state: WorkspaceState, dialog: Extract<Dialog, { kind: 'macros' | 'files' }>, key: string): Next {
  const { open } = state
  const attachments = dialog.kind === 'files' ? filesOf(state, open) : []
  const count = dialog.kind === 'macros' ? state.macros.length : attachments.length
  const move = (to: number) => still({ ...state, dialog: { ...dialog, at: Math.max(0, Math.min(count - 1, to)) } })
  if (up.has(key) || key === 'k') return move(dialog.at - 1)
  if (down.has(key) || key === 'j') return move(dialog.at + 1)
  const closed: WorkspaceState = { ...state, dialog: undefined }
  const at = /^[1-9]$/.test(key) ? Number(key) - 1 : key === '\r' ? dialog.at : -1
  const macro = dialog.kind === 'macros' ? state.macros[at] : undefined
  const file = attachments[at]
  if (open !== undefined && macro !== undefined) return does(closed, { kind: 'fill-macro', roomId: open, macro })
  if (file) return does(closed, { kind: 'save-file', roomId: file.roomId, seq: file.seq, mediaId: file.mediaId })
  return at < 0 && key !== 'q' ? still(state) : still(closed)
}

/** Sends to the room of another agent, or takes it over and then sends. Any other key cancels. */
function holderAnswered(
  state: WorkspaceState,
  { roomId, holderId, text }: Extract<Dialog, { kind: 'other-holder' }>,
  key: string,
  id: string,
): Next {
  if (key !== 's' && key !== 't') return still(state)
  if (text !== undefined && draftOf(state, roomId).text.trim() !== text) return still(noticed(state, textChanged, true))
  const confirmed = { ...state, confirmedHolders: withEntry(state.confirmedHolders, roomId, holderId) }
  const sent = text === undefined ? ask(confirmed, 'file', roomId) : submit(confirmed, id)
  if (key === 's') return sent
  const agentId = state.me.agentId
  return { ...sent, effects: [{ kind: 'assign', roomId, agentId, expected: holderId }, ...sent.effects] }
}

/** A returned text or a loaded macro changed the draft behind a question. */
const textChanged = 'Nothing was sent: the text changed. Read it, then press Enter.'

/** Asks for a line of text. */
export const ask = (state: WorkspaceState, question: LineQuestion, roomId?: string): Next =>
  still({ ...state, dialog: { kind: 'line', question, roomId, typed: emptyText } })

/** A text that failed a check is sent only if the name of every failed check is typed. */
function guardAnswered(
  state: WorkspaceState,
  { rules, text, roomId }: Extract<Dialog, { kind: 'guard' }>,
  answer: string,
  key: string,
): Next {
  if (draftOf(state, roomId).text.trim() !== text) return still(noticed(state, textChanged, true))
  const typedRules = [...new Set(answer.split(/[\s,]+/).filter(Boolean))].sort().join(' ')
  if (typedRules !== rules.toSorted().join(' '))
    return still(noticed(state, 'Nothing was sent; the text is still there.'))
  return hold(state, { roomId, text, key })
}

function answered(
  state: WorkspaceState,
  { question, roomId }: Extract<Dialog, { kind: 'line' }>,
  answer: string,
): Next {
  const room = roomId === undefined ? undefined : state.rooms.get(roomId)
  if (question === 'search') {
    const filter = { whose: answer === '' ? state.filter.whose : ('all' as const), keyword: answer.slice(0, 128) }
    const inUse = usedRooms(state)
    const rooms = new Map([...state.rooms].filter(([id]) => inUse.has(id)))
    return does({ ...state, filter, rooms }, { kind: 'load-queue' })
  }
  if (!room || roomId === undefined || answer === '') return still(noticed(state, 'Nothing was done.'))
  if (state.isReadOnly) return still(noticed(state, 'Dry run: nothing is changed.'))
  if (question === 'file') return does(state, { kind: 'read-file', roomId, path: answer })
  const ms = durationMs(answer)
  if (ms === undefined || ms === 0)
    return still(noticed(state, `Not snoozed: ${answer} is not a duration such as 30m or 2h.`, true))
  const snoozes = withEntry(state.snoozes, roomId, { until: state.now + ms, seq: room.lastSeq })
  const isOpen = state.open === roomId
  const next: WorkspaceState = {
    ...state,
    snoozes,
    open: isOpen ? undefined : state.open,
    focus: isOpen ? 'queue' : state.focus,
  }
  return does(
    noticed(next, `${customerOf(room)} is out of the queue for ${answer}, or until the customer writes.`),
    keptRoom(next, roomId),
  )
}
