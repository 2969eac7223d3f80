import { appendFileSync, closeSync, fchmodSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TriageAction } from '../../domain/tickets/bulk-action.ts'
import { writing } from '../../kit/disk-error.ts'
import { makeFolder } from '../../kit/make-folder.ts'

/** Audit log of a session's ticket changes, one JSON object per line in its own file. */

export interface AuditLine {
  /** Time by this machine's clock. */
  readonly at: string
  /** ID of a triage session or bulk action, for "tickets undo". */
  readonly sessionId: string
  readonly command: string
  /** Name of the actor; null if neither the command nor the instance has one. */
  readonly actor: string | null
  readonly target: string
  readonly ticketId: string
  readonly ticketNumber: number | null
  /** `room`: a reply in the customer's room. */
  readonly action: TriageAction['kind'] | 'room'
  readonly before: unknown
  readonly after: unknown
  /** `found`: sent by an earlier run, and it arrived. `unknown`: it may have arrived. */
  readonly outcome: 'done' | 'found' | 'refused' | 'not-sent' | 'unknown'
  /** Error code. */
  readonly code: string | null
  /** Request ID of the instance; null if it has none. */
  readonly requestId: string | null
}

export interface Audit {
  readonly file: string
  write(lines: readonly Pick<AuditLine, AuditedNow>[]): void
}

type AuditedNow = 'ticketId' | 'ticketNumber' | 'action' | 'before' | 'after' | 'outcome' | 'code' | 'requestId'

/** Creates the log. The file is created by its first line. */
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
    // Ends an incomplete line left by a power cut, so that only this line is lost.
    appendFileSync(handle, endsWhole(handle) ? text : `\n${text}`)
  } finally {
    closeSync(handle)
  }
}

/** Returns room replies that a session sent or may have sent; they cannot be undone. Incomplete lines are skipped. */
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

/** Describes the result of an action in the terms of `before`; a comment has its full text. */
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
