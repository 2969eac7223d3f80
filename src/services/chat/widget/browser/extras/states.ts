import type { Strings } from '../context.ts'
import type { Core } from '../conversation/core.ts'

/** Shows whether the customer's latest message was sent, delivered or read, after its time. */
export function showStates({ room, list }: Core, strings: Strings): void {
  const mine = list.drawn.filter(([{ senderType, seq }]) => senderType === 'customer' && seq)
  const last = Math.max(...mine.map(([{ seq }]) => seq || 0))
  for (const [{ seq = 0, isOut }, li] of mine) {
    const isRead = seq <= (room.state?.agentReadSeq || 0)
    const state = isRead ? strings.read : isOut ? strings.delivered : strings.sent
    const text = seq === last ? ` · ${state}` : ''
    const label = li.querySelector('small>span')
    if (label && label.textContent !== text) label.textContent = text
  }
}
