import type { BookTransferRow } from '../../../db/schema/book.ts'
import type { Moved } from '../../../domain/wallet/approval.ts'
import type { PlanRow, PlanTotal } from '../../../domain/wallet/batch.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import type { RowOutcome } from '../../../operator/transfers/apply-batch.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Column } from '../../terminal/table.ts'

/** Views of transfer batches and their rows. */

export const planStates = ['made', 'approved', 'begun', 'finished', 'cancelled'] as const
export type PlanState = (typeof planStates)[number]

/** Report of a batch. */
export interface PlanReport {
  readonly planId: string
  readonly state: PlanState
  readonly digest: string
  readonly source: string
  readonly sha256: string
  readonly note: string | null
  readonly creates: boolean
  readonly target: string
  readonly rows: number
  readonly players: number
  readonly totals: readonly PlanTotal[]
  readonly moved: readonly Moved[]
  readonly madeBy: string
  readonly osUser: string
  readonly host: string
  readonly madeAt: string
  readonly needsAnother: boolean
  readonly approvals: readonly PlanApproval[]
  readonly done: number
  readonly refused: number
  readonly unknown: number
  readonly left: number
  readonly begunAt: string | null
  readonly cancelledAt: string | null
  readonly cancelledBy: string | null
}

/** An approval of a batch. */
export interface PlanApproval {
  readonly by: string
  readonly osUser: string
  readonly host: string
  readonly at: string
  readonly until: string
  /** True if it is for the current content of the batch. */
  readonly isOfThis: boolean
  readonly valid: boolean
}

/** Report of one row. */
export interface PlanRowReport {
  readonly place: number
  readonly line: number
  readonly txnId: string
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
  readonly outcome: RowOutcome
  readonly code: string | null
  readonly message: string | null
  readonly balance: string | null
  readonly attempts: number
  readonly changedAt: string | null
  readonly note: string | null
}

export function planFields({ Type }: Shapes) {
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  const count = Type.Integer()
  const dir = Type.Enum(['in', 'out'])
  return {
    planId: text,
    state: Type.Enum([...planStates]),
    digest: Type.String({ description: 'SHA-256 of everything that is approved.' }),
    source: text,
    sha256: Type.String({ description: 'SHA-256 of the file.' }),
    note: orNull,
    creates: Type.Boolean({ description: 'True if deposits may create players.' }),
    target: Type.String({ description: 'URL or database of the platform when the batch was created.' }),
    rows: count,
    players: count,
    totals: Type.Array(Type.Object({ currency: text, dir, rows: count, amount: text })),
    moved: Type.Array(Type.Object({ currency: text, amount: text }), {
      description: 'Totals by currency, deposits and withdrawals added; compared with the limits and confirmed.',
    }),
    madeBy: text,
    osUser: text,
    host: text,
    madeAt: text,
    needsAnother: Type.Boolean({ description: 'True if a second person must approve.' }),
    approvals: Type.Array(
      Type.Object({
        ...{ by: text, osUser: text, host: text, at: text },
        until: Type.String({ description: 'Expiry time (setting approvalDays).' }),
        isOfThis: Type.Boolean({ description: 'True if it is for the current content of the batch.' }),
        valid: Type.Boolean({ description: 'True if it counts: current content, and not expired.' }),
      }),
    ),
    done: count,
    refused: count,
    unknown: count,
    left: count,
    begunAt: orNull,
    cancelledAt: orNull,
    cancelledBy: orNull,
  }
}

export function planRowSchema({ Type }: Shapes) {
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  return Type.Object({
    place: Type.Integer(),
    line: Type.Integer({ description: 'Line number in the file.' }),
    txnId: text,
    username: text,
    dir: Type.Enum(['in', 'out']),
    amount: text,
    currency: text,
    outcome: Type.Enum(['done', 'already', 'refused', 'unknown', 'unsent', 'left'], {
      description:
        'already: done before this run; unknown: may have been carried out; unsent: tried but not carried out; left: not tried.',
    }),
    code: orNull,
    message: orNull,
    balance: Type.Union([text, Type.Null()], { description: 'Balance of the player right after the transfer.' }),
    attempts: Type.Integer(),
    changedAt: orNull,
    note: orNull,
  })
}

export const totalColumns = [
  { key: 'currency' },
  { key: 'dir' },
  { key: 'rows', kind: 'count' },
  { key: 'amount', kind: 'amount' },
] as const satisfies readonly Column[]

/** Columns of the rows of a batch, in a file and in a table. */
export const rowColumns = [
  { key: 'line', kind: 'count' },
  { key: 'txnId', whole: true },
  { key: 'username', title: 'player' },
  { key: 'dir' },
  { key: 'amount', kind: 'amount' },
  { key: 'currency', title: 'cur' },
  {
    key: 'outcome',
    tint: (outcome) =>
      outcome === 'unknown' || outcome === 'refused'
        ? 'red'
        : outcome === 'done' || outcome === 'already'
          ? 'green'
          : undefined,
  },
  { key: 'code' },
  { key: 'balance', kind: 'amount' },
  { key: 'attempts', kind: 'count' },
  { key: 'changedAt' },
  { key: 'note' },
] as const satisfies readonly Column[]

export const who = (name: string, osUser: string): string => (name === osUser ? name : `${name} (user ${osUser})`)

/** Describes the progress of a batch. */
export function stateText({ state, done, refused, unknown, left, needsAnother }: PlanReport): string {
  if (state === 'made') return needsAnother ? 'created, needs approval by a second person' : 'created, needs approval'
  if (state === 'approved') return 'approved, not started'
  const parts = [
    `${done} done`,
    ...(refused > 0 ? [`${refused} rejected`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ]
  return `${state}: ${[...parts, ...(left > 0 ? [`${left} left`] : [])].join(', ')}`
}

/** A row stored in the book. */
export function rowReport(
  row: PlanRow,
  known: BookTransferRow | undefined,
  result: Pick<PlanRowReport, 'outcome' | 'code' | 'message' | 'balance' | 'attempts'>,
): PlanRowReport {
  const { place, line, txnId, username, dir, amount, currency, note } = row
  return {
    ...{ place, line, txnId, username, dir, amount, currency },
    ...result,
    changedAt: maybeMoment(known?.changed_at ?? null),
    note,
  }
}
