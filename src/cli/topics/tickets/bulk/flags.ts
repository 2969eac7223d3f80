import { bookFlag, Flags, waitFlag } from '../../../framework/flags.ts'
import type { Shapes } from '../../../outcome/result-schema.ts'

/** Flags and other statics of commands that change tickets through the book. */

export const bookRunFlags = {
  actor: Flags.string({ summary: 'Name of the actor (default: the agent of the profile)', helpValue: 'NAME' }),
  ...waitFlag,
  ...bookFlag,
}

/** Exit categories of commands that change tickets through the book. */
export const bookExits = [
  'confirmation',
  'permission',
  'not-found',
  'conflict',
  'temporary',
  'partial',
  'unknown-outcome',
  'locked',
] as const

export const bookFiles = [
  'the book (COUNTROOM_BOOK): bulk actions and their progress',
  'audit/tickets-SESSION.jsonl in the state folder: audit log with request IDs (mode 0600)',
]

/** Description of the field `audit`. */
export const auditText = 'Audit file with one JSON object per line. Null if nothing was done.'

/** Result of commands that preview and apply a bulk action. */
export const bulkResult = ({ Type }: Shapes) => {
  const text = Type.Union([Type.String(), Type.Null()])
  const item = Type.Object({
    ticketId: Type.String(),
    ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
    title: text,
    status: Type.String({ description: 'Status when the bulk action was created.' }),
    actions: Type.Array(Type.Unknown()),
    outcome: Type.Union([
      Type.Enum(['planned', 'applied', 'no-op', 'conflict', 'rejected', 'failed', 'unknown', 'not-begun']),
      Type.Null(),
    ]),
    code: text,
    message: text,
  })
  const count = Type.Integer()
  return Type.Object({
    planId: text,
    applied: Type.Boolean({ description: 'True if anything was written; false for a preview.' }),
    resumed: Type.Boolean({ description: 'True if this run resumed an unfinished bulk action.' }),
    out: text,
    audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
    counts: Type.Object({
      tickets: count,
      applied: count,
      noOp: count,
      conflict: count,
      rejected: count,
      failed: count,
      unknown: Type.Integer({ description: 'Sent without a response; may be done.' }),
      notBegun: count,
    }),
    items: Type.Array(item),
    leftOut: Type.Array(
      Type.Object({
        ticketId: Type.String({ description: 'The ID as typed if the ticket does not exist.' }),
        ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
        why: Type.Enum(['not-found', 'other-term', 'nothing-to-do', 'not-allowed', 'limit']),
        text: Type.String(),
      }),
      { description: 'Named tickets that are skipped.' },
    ),
  })
}
