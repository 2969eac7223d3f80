import { guard } from '../../../domain/tickets/outgoing/guard.ts'
import type { Message } from '../../../services/chat/api/schemas.ts'
import { hitsText } from '../text/phrases.ts'
import { emptyText, textAtEnd } from './edited-text.ts'
import {
  does,
  draftOf,
  type Effect,
  type Next,
  noticed,
  type Outgoing,
  seenSeq,
  still,
  type WorkspaceState,
  withEntry,
  withoutEntry,
} from './state.ts'

/**
 * Answers on their way to customers: checked, held for some seconds, sent once, and returned to the draft if they were
 * not sent.
 */

/** Maximum characters of a message, by our chat; another instance may refuse fewer. */
const longestText = 4_000

/**
 * Returns the question that comes before a text or file is sent to a room of another agent, or undefined if there is none
 * or if it was answered. Without a text it is for a file.
 */
export function holderQuestion(state: WorkspaceState, roomId: string, text?: string): WorkspaceState | undefined {
  const holder = state.rooms.get(roomId)?.assignee
  if (!holder || holder.agentId === state.me.agentId || state.isReadOnly) return undefined
  if (state.confirmedHolders.get(roomId) === holder.agentId) return undefined
  const { displayName, agentId } = holder
  return { ...state, dialog: { kind: 'other-holder', roomId, holder: displayName, holderId: agentId, text } }
}

/** Sends the draft of the open room, unless it fails a check. The key is that of the new message. */
export function submit(state: WorkspaceState, key: string): Next {
  const { open } = state
  const text = draftOf(state, open).text.trim()
  if (open === undefined || text === '') return still(state)
  if (state.isReadOnly) return still(noticed(state, 'Dry run: nothing is sent.'))
  const { length } = [...text]
  if (length > longestText)
    return still(noticed(state, `Not sent: the text has ${length} characters; the maximum is ${longestText}.`, true))
  const question = holderQuestion(state, open, text)
  if (question) return still(question)
  const hits = guard(text, state.internalWords)
  if (hits.length === 0) return hold(state, { roomId: open, text, key })
  const rules = [...new Set(hits.map(({ rule }) => rule))]
  return still({
    ...state,
    dialog: { kind: 'guard', roomId: open, text, rules, typed: emptyText, hits: hitsText(hits) },
  })
}

/**
 * Queues a text or file to be sent. A text leaves the draft, and is sent after the time in which it can be canceled; a
 * file is sent at once.
 */
export function hold(
  state: WorkspaceState,
  { roomId, text, key, file }: Pick<Outgoing, 'roomId' | 'text' | 'key' | 'file'>,
): Next {
  const outgoing: Outgoing = {
    ...{ key, roomId, text, file },
    seenSeq: seenSeq(state, roomId),
    state: 'held',
    dueAt: state.now + (file === undefined ? state.undoWindowMs : 0),
    failures: 0,
  }
  const next: WorkspaceState = {
    ...state,
    outgoing: [...state.outgoing, outgoing],
    drafts: file === undefined ? withoutEntry(state.drafts, roomId) : state.drafts,
    scroll: 0,
    typingReportedAt: 0,
  }
  return does(
    next,
    { kind: 'keep-outgoing', outgoing },
    ...(file === undefined ? [keptRoom(next, roomId), { kind: 'typing', roomId, isTyping: false } as const] : []),
  )
}

/** The stored part of a room: its draft and snooze. */
export const keptRoom = (state: WorkspaceState, roomId: string): Effect => ({
  kind: 'keep-room',
  roomId,
  draft: draftOf(state, roomId).text,
  snooze: state.snoozes.get(roomId),
})

/** Starts to send what is due: of each room one after another, so that the order stays. */
export function sendDue(state: WorkspaceState): Next {
  const busy = new Set<string>()
  const effects: Effect[] = []
  const outgoing = state.outgoing.map((each) => {
    const isFirst = !busy.has(each.roomId)
    busy.add(each.roomId)
    if (!isFirst || each.state === 'sending' || each.dueAt > state.now) return each
    const sending: Outgoing = { ...each, state: 'sending' }
    effects.push({ kind: 'send', outgoing: sending, expectedLastSeq: expectedSeq(state, each) })
    return sending
  })
  return effects.length === 0 ? still(state) : { state: { ...state, outgoing }, effects }
}

/**
 * Returns the last message that the platform may have for the text to be sent. Later messages that this agent sent
 * count as seen; others do not.
 */
function expectedSeq(state: WorkspaceState, { roomId, seenSeq: seen }: Outgoing): number {
  let expected = seen
  for (const { seq, senderType, senderId } of state.conversations.get(roomId)?.messages ?? [])
    if (seq === expected + 1 && senderType === 'agent' && senderId === state.me.agentId) expected = seq
  return expected
}

/** Removes a message that arrived. */
export function arrived(state: WorkspaceState, { clientMessageId, roomId }: Message): Next {
  const own = state.outgoing.find(({ key }) => key === clientMessageId)
  if (!own) return still(state)
  return does(
    {
      ...state,
      outgoing: without(state, own.key),
      sent: state.sent + 1,
      answered: new Set(state.answered).add(roomId),
    },
    { kind: 'forget-outgoing', key: own.key },
  )
}

const without = ({ outgoing }: WorkspaceState, ...keys: readonly string[]) =>
  outgoing.filter(({ key }) => !keys.includes(key))

/** Result of a failed attempt to send a message. */
export interface SendFailure {
  /** `stale`: there is a newer message. `refused`: it will never be accepted. `unknown`: no response. `later`: not sent yet. */
  readonly verdict: 'stale' | 'refused' | 'unknown' | 'later'
  readonly text: string
  readonly waitMs?: number | undefined
}

const longestWaitMs = 30_000

/** Returns a refused or stale text to the draft. Any other failed one is sent again later, with the same key. */
export function failed(state: WorkspaceState, key: string, { verdict, text, waitMs }: SendFailure): Next {
  const own = state.outgoing.find((each) => each.key === key)
  if (!own) return still(state)
  if (verdict === 'stale' || verdict === 'refused') {
    const why =
      verdict === 'stale'
        ? 'Not sent: there is a new message. Read it, then press Enter to send your text.'
        : `Not sent: ${text}`
    const returned = returnToDrafts(state, [own])
    const reload: Effect = { kind: 'load-messages', roomId: own.roomId, part: { after: seenSeq(state, own.roomId) } }
    return {
      state: noticed(returned.state, why, true),
      effects: [...returned.effects, ...(verdict === 'stale' ? [reload] : [])],
    }
  }
  const failures = own.failures + 1
  const dueAt = state.now + Math.min(longestWaitMs, waitMs ?? 500 * 2 ** Math.min(failures, 6))
  const waiting = { ...own, state: 'unknown' as const, failures, dueAt }
  return still({ ...state, outgoing: state.outgoing.map((each) => (each.key === key ? waiting : each)) })
}

/** Returns texts that were not sent to the drafts of their rooms, before what was typed since. */
export function returnToDrafts(state: WorkspaceState, items: readonly Outgoing[]): Next {
  let { drafts } = state
  const rooms = new Set<string>()
  for (const roomId of new Set(items.map((each) => each.roomId))) {
    const texts = items.filter((each) => each.roomId === roomId && each.file === undefined).map(({ text }) => text)
    const typed = drafts.get(roomId)?.text ?? ''
    const all = [...texts, ...(typed === '' || texts.includes(typed) ? [] : [typed])].join('\n')
    if (texts.length > 0) {
      drafts = withEntry(drafts, roomId, textAtEnd(all))
      rooms.add(roomId)
    }
  }
  const next = { ...state, drafts, outgoing: without(state, ...items.map(({ key }) => key)) }
  return does(
    next,
    // The draft is stored first: a crash in between then duplicates the text instead of losing it.
    ...[...rooms].map((roomId) => keptRoom(next, roomId)),
    ...items.map(({ key }): Effect => ({ kind: 'forget-outgoing', key })),
  )
}

/** Cancels the latest text of the open room that is not sent yet. */
export function cancel(state: WorkspaceState): Next {
  const held = state.outgoing.findLast((each) => each.roomId === state.open && each.state === 'held')
  if (!held) return still(noticed(state, 'Nothing to cancel: the text was sent already.'))
  const next = returnToDrafts(state, [held])
  return { ...next, state: noticed(next.state, 'Canceled; nothing was sent.') }
}
