import { appendFileSync, closeSync, fchmodSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TriageAction } from '../../domain/tickets/bulk-plan.ts'
import { writing } from '../../kit/disk-error.ts'
import { makeFolder } from '../../kit/make-folder.ts'

/** What a session did to tickets, line by line in a file of its own, for whoever has to answer for it later. */

export interface AuditLine {
  /** By this machine's clock. */
  readonly at: string
  /** A triage session, or the plan of a bulk order; what "tickets undo" takes. */
  readonly sessionId: string
  readonly command: string
  /** In whose name; null where neither the command nor the instance named anybody. */
  readonly actor: string | null
  readonly target: string
  readonly ticketId: string
  readonly ticketNumber: number | null
  /** `room`: an answer in the customer's room, beside the ticket. */
  readonly action: TriageAction['kind'] | 'room'
  readonly before: unknown
  readonly after: unknown
  /** `found`: an earlier run had sent it, and it turned out to have arrived. `unknown`: it may have. */
  readonly outcome: 'done' | 'found' | 'refused' | 'not-sent' | 'unknown'
  /** The refusal's code. */
  readonly code: string | null
  /** The instance's own name for the request; null where it gives none. */
  readonly requestId: string | null
}

export interface Audit {
  readonly file: string
  write(lines: readonly Pick<AuditLine, AuditedNow>[]): void
}

type AuditedNow = 'ticketId' | 'ticketNumber' | 'action' | 'before' | 'after' | 'outcome' | 'code' | 'requestId'

/** Opens the file at the first line that goes into it; a session that changes nothing leaves none. */
export function openAudit(
  file: string,
  about: Pick<AuditLine, 'sessionId' | 'command' | 'actor' | 'target'>,
  now: () => number,
): Audit {
  return {
    file,
    write(lines) {
      if (lines.length === 0) return
      const { sessionId, command, actor, target } = about
      const at = new Date(now()).toISOString()
      const text = lines
        .map((line) => `${JSON.stringify({ at, sessionId, command, actor, target, ...line })}\n`)
        .join('')
      writing(file, () => append(file, text))
    },
  }
}

function append(file: string, text: string): void {
  makeFolder(dirname(file), 0o700)
  const handle = openSync(file, 'a+', 0o600)
  try {
    fchmodSync(handle, 0o600)
    // A line that a cut power left half is closed first, so that it spoils none but itself.
    appendFileSync(handle, endsWhole(handle) ? text : `\n${text}`)
  } finally {
    closeSync(handle)
  }
}

/** What a session said in customers' rooms, and may have said: that stands, whatever becomes of the tickets. A line that was cut off is passed over. */
export function roomAnswersIn(file: string): RoomAnswer[] {
  const answers: RoomAnswer[] = []
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = lineOf(text)
    if (line?.action !== 'room' || (line.outcome !== 'done' && line.outcome !== 'unknown')) continue
    const { roomId, content } = line.after as { roomId: string; content: string }
    answers.push({ ticketId: line.ticketId, ticketNumber: line.ticketNumber, at: line.at, roomId, content })
  }
  return answers
}

export interface RoomAnswer extends Pick<AuditLine, 'ticketId' | 'ticketNumber' | 'at'> {
  readonly roomId: string
  readonly content: string
}

function lineOf(text: string): AuditLine | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function endsWhole(handle: number): boolean {
  const { size } = fstatSync(handle)
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(handle, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

/** What an action makes of the ticket, in the words of its `before`; a comment is told whole. */
export function afterOf(action: TriageAction): unknown {
  switch (action.kind) {
    case 'status':
      return action.status
    case 'priority':
      return action.priority
    case 'assign':
      return action.assigneeId
    case 'snooze':
      return action.until
    case 'comment':
      return { visibility: action.visibility, content: action.content }
  }
}
