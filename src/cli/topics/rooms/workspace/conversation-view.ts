import { readRoomPage } from '../../../../operator/tickets/parse.ts'
import type { Outgoing, WorkspaceState } from '../../../../operator/tickets/workspace/state.ts'
import type { Message } from '../../../../services/chat/api/schemas.ts'
import type { Paint } from '../../../terminal/color.ts'
import { cutTo, oneLine, printableLines, wrap } from '../../../terminal/text.ts'
import { conversationText } from '../conversation.ts'

/** The open conversation with the answers on their way, in lines. */
export function conversationLines(state: WorkspaceState, width: number, paint: Paint): string[] {
  const { open } = state
  if (open === undefined) return ['', paint('dim', cutTo('Enter opens a room, n the next in the queue.', width))]
  const conversation = state.conversations.get(open)
  const messages = conversation?.messages ?? []
  const first = messages[0]?.seq ?? 1
  const earlier = first > 1 ? [paint('dim', cutTo(`… ${first - 1} earlier; PgUp loads them`, width))] : []
  const body =
    messages.length > 0
      ? messageLines(messages, width, paint)
      : [paint('dim', conversation?.isLoading ? 'Loading…' : 'No messages.')]
  const waiting = state.outgoing.filter(({ roomId }) => roomId === open)
  const typing = state.typing.get(open)
  return [
    ...earlier,
    ...body,
    ...waiting.flatMap((each) => outgoingLines(each, width, paint)),
    ...(typing ? [paint('dim', cutTo(`       ${oneLine(typing.name)} is typing…`, width))] : []),
  ]
}

/** Lines of the conversations shown last: they are drawn again with every key. */
const drawn = new WeakMap<readonly Message[], { readonly width: number; readonly lines: readonly string[] }>()

function messageLines(messages: readonly Message[], width: number, paint: Paint): readonly string[] {
  const known = drawn.get(messages)
  if (known?.width === width) return known.lines
  const { lines: messageLines } = readRoomPage({ items: messages })
  const lines = conversationText(messageLines, { width: width - 1, paint })
    .trimEnd()
    .split('\n')
  drawn.set(messages, { width, lines })
  return lines
}

const states = {
  held: 'not sent yet',
  sending: 'sending',
  unknown: 'no response yet; sent again with the same ID, so that it arrives once',
} as const

function outgoingLines({ text, file, state }: Outgoing, width: number, paint: Paint): string[] {
  const words = file === undefined ? text : `[${text}]`
  return [
    paint('yellow', cutTo(`  …    you (${states[state]})`, width)),
    ...printableLines(words)
      .flatMap((line) => wrap(line, Math.max(10, width - 8)))
      .map((line) => `       ${line}`),
  ]
}
