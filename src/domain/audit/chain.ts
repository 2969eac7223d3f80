import { sha256Hex } from '../../kit/hmac.ts'

/** Contents of an audit entry. Times are ISO 8601, UTC. */
export interface AuditFacts {
  /** Position in the chain: 1, 2, 3 and so on, without gaps. */
  readonly seq: number
  readonly at: string
  /** Name given with `--as` or COUNTROOM_AS, else the user of the machine. A claim, not a proof. */
  readonly operator: string
  /** User of the operating system. */
  readonly osUser: string
  readonly host: string
  readonly profile: string
  /** Words of the command, such as `wallet deposit`. */
  readonly command: string
  /** Arguments that name what is changed, such as `amy 250.50 USD`. */
  readonly subject: string
  /** ID that the two entries of one run share. */
  readonly run: string
  /** `started`, then `ok` or the error code and the exit code. */
  readonly outcome: string
}

/** An entry of the chain: its hash covers its contents and the hash of the entry before. */
export interface AuditEntry extends AuditFacts {
  /** Hash of the entry before; 64 zeros for the first. */
  readonly previous: string
  readonly hash: string
}

/** Fields of an entry, in the order of an export. */
export const entryFields = [
  'seq',
  'at',
  'operator',
  'osUser',
  'host',
  'profile',
  'command',
  'subject',
  'run',
  'outcome',
  'previous',
  'hash',
] as const satisfies readonly (keyof AuditEntry)[]

/** Stands for the hash before the first entry. */
export const beforeFirst = '0'.repeat(64)

/** Outcome of a run that has begun. */
export const started = 'started'

/** Returns an entry with its hash: SHA-256 in lower-case hex over the JSON list of its fields, in this order. */
export function chained(facts: AuditFacts, previous: string): AuditEntry {
  return { ...facts, previous, hash: hashOf(facts, previous) }
}

function hashOf(facts: AuditFacts, previous: string): string {
  const { seq, at, operator, osUser, host, profile, command, subject, run, outcome } = facts
  return sha256Hex(JSON.stringify([seq, at, operator, osUser, host, profile, command, subject, run, outcome, previous]))
}

/** The first entry that does not continue the chain. */
export interface AuditFault {
  readonly seq: number
  readonly message: string
}

/** Position and hash of the last entry of a chain, as printed by an earlier check. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

export const emptyHead: AuditHead = { seq: 0, hash: beforeFirst }

/** Returns the fault of an entry that should follow a head; undefined if it does. */
export function faultAfter(head: AuditHead, entry: AuditEntry): AuditFault | undefined {
  const { seq } = entry
  if (seq <= head.seq) return { seq, message: `Entry ${seq} was inserted: it does not come after entry ${head.seq}` }
  if (seq > head.seq + 1) {
    const missing = head.seq + 1
    return { seq: missing, message: `Entry ${missing} is missing: entry ${seq} is the next one` }
  }
  if (entry.previous !== head.hash)
    return { seq, message: `Entry ${seq} does not follow entry ${head.seq}: one of them was replaced or inserted` }
  if (entry.hash !== hashOf(entry, entry.previous))
    return { seq, message: `Entry ${seq} was changed: its contents do not have its hash` }
  return undefined
}

/** Parses a head, `SEQ:HASH`; undefined for another form. */
export function headOf(text: string): AuditHead | undefined {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash }
}

export const headText = ({ seq, hash }: AuditHead): string => `${seq}:${hash}`
