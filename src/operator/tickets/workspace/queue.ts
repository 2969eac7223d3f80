import type { Room } from '../../../services/chat/api/schemas.ts'
import type { Snooze, WorkspaceState } from './state.ts'

/** Returns whether a room is still snoozed: its time has not come, and the customer has not written since. */
export const isSnoozed = (snooze: Snooze | undefined, room: Room, now: number): boolean =>
  snooze !== undefined && now < snooze.until && room.lastSeq <= snooze.seq

/** Returns the rooms of the queue: the longest waiting first, then the others, latest message first. */
export function queueOf(state: WorkspaceState): Room[] {
  const { rooms, snoozes, filter, me, now } = state
  const isShown = (room: Room) => {
    const isAway = isSnoozed(snoozes.get(room.roomId), room, now)
    if (!isFound(room, filter.keyword)) return false
    if (filter.whose === 'snoozed') return isAway
    // A closed or snoozed room leaves the queue; its conversation stays on the screen while it is open.
    if (isAway || room.status !== 'open') return false
    if (filter.whose === 'mine') return room.assignee?.agentId === me.agentId
    return filter.whose !== 'unassigned' || room.assignee === null
  }
  return [...rooms.values()].filter(isShown).sort(byUrgency)
}

/** Returns whether the platform's search would find the room. Rooms in use stay known and are shown only if they match. */
function isFound({ customerAccount, customerDisplayName }: Room, keyword: string): boolean {
  const text = keyword.toLowerCase()
  return [customerAccount, customerDisplayName ?? ''].some((name) => name.toLowerCase().includes(text))
}

function byUrgency(one: Room, other: Room): number {
  const [first, second] = [timeOf(one.waitingSince), timeOf(other.waitingSince)]
  if (first !== second) return (first ?? Number.POSITIVE_INFINITY) - (second ?? Number.POSITIVE_INFINITY)
  const latest = (timeOf(other.lastMessageAt) ?? 0) - (timeOf(one.lastMessageAt) ?? 0)
  return latest !== 0 ? latest : one.roomId < other.roomId ? -1 : 1
}

export function timeOf(text: string | null): number | undefined {
  const at = text === null ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

/** Rooms that are on the screen, snoozed, or have an unsent text or an answer on its way. */
export const usedRooms = ({ open, snoozes, drafts, outgoing }: WorkspaceState): ReadonlySet<string | undefined> =>
  new Set([open, ...snoozes.keys(), ...drafts.keys(), ...outgoing.map(({ roomId }) => roomId)])

/** Returns the room that has waited longest, except the given one and those with an answer on its way. */
export function nextWaiting(state: WorkspaceState, except: string | undefined): Room | undefined {
  const answered = new Set(state.outgoing.map(({ roomId }) => roomId))
  return queueOf(state).find(
    ({ roomId, waitingSince }) => waitingSince !== null && roomId !== except && !answered.has(roomId),
  )
}
