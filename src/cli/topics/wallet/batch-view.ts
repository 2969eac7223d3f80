import type { BookTransferRow } from '../../../db/schema/book.ts'
import type { Moved } from '../../../domain/wallet/approval.ts'
import type { PlanRow, PlanTotal } from '../../../domain/wallet/batch.ts'
import type { RowOutcome } from '../../../operator/transfers/apply-batch.ts'
import type { Column } from '../../terminal/table.ts'

/** How plans of many transfers and their rows are told. */

export const planStates = ['made', 'approved', 'begun', 'finished', 'cancelled'] as const
export type PlanState = (typeof planStates)[number]

/** What is told of a plan. */
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

/** Somebody's yes to a plan. */
export interface PlanApproval {
  readonly by: string
  readonly osUser: string
  readonly host: string
  readonly at: string
  readonly until: string
  /** Whether it is of the plan as it is. */
  readonly isOfThis: boolean
  readonly valid: boolean
}

/** What is told of one row of it. */
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

export async function planFields() {
  const { Type } = await import('typebox')
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  const count = Type.Integer()
  const dir = Type.Enum(['in', 'out'])
  return {
    planId: text,
    state: Type.Enum([...planStates]),
    digest: Type.String({ description: 'SHA-256 of all that is approved' }),
    source: text,
    sha256: Type.String({ description: 'Of the bytes of the file' }),
    note: orNull,
    creates: Type.Boolean({ description: 'Whether deposits may make players' }),
    target: Type.String({ description: 'Where the platform was when the plan was made' }),
    rows: count,
    players: count,
    totals: Type.Array(Type.Object({ currency: text, dir, rows: count, amount: text })),
    moved: Type.Array(Type.Object({ currency: text, amount: text }), {
      description: 'By currency, in and out together: what is confirmed, and held against the limits',
    }),
    madeBy: text,
    osUser: text,
    host: text,
    madeAt: text,
    needsAnother: Type.Boolean({ description: 'Whether somebody else than who made it has to approve' }),
    approvals: Type.Array(
      Type.Object({
        ...{ by: text, osUser: text, host: text, at: text },
        until: Type.String({ description: 'When it lapses, or did (approvalDays)' }),
        isOfThis: Type.Boolean({ description: 'Whether it is of the plan as it is' }),
        valid: Type.Boolean({ description: 'Whether it counts: of the plan as it is, and not lapsed' }),
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

export async function planRowSchema() {
  const { Type } = await import('typebox')
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  return Type.Object({
    place: Type.Integer(),
    line: Type.Integer({ description: 'Where it stands in the file' }),
    txnId: text,
    username: text,
    dir: Type.Enum(['in', 'out']),
    amount: text,
    currency: text,
    outcome: Type.Enum(['done', 'already', 'refused', 'unknown', 'unsent', 'left'], {
      description:
        'already: done before this run; unknown: it may have been carried out; unsent: tried, and known not to have been; left: not tried',
    }),
    code: orNull,
    message: orNull,
    balance: Type.Union([text, Type.Null()], { description: 'Of the player, right after it' }),
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

/** The columns of the result of a plan, as a file and in a table. */
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

/** How far it has come, in words. */
export function stateText({ state, done, refused, unknown, left, needsAnother }: PlanReport): string {
  if (state === 'made') return needsAnother ? 'made, to be approved by somebody else' : 'made, to be approved'
  if (state === 'approved') return 'approved, to be applied'
  const parts = [
    `${done} done`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ]
  return `${state}: ${[...parts, ...(left > 0 ? [`${left} left`] : [])].join(', ')}`
}

export const momentText = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** A row as the book has it. */
export function rowReport(
  row: PlanRow,
  known: BookTransferRow | undefined,
  result: Pick<PlanRowReport, 'outcome' | 'code' | 'message' | 'balance' | 'attempts'>,
): PlanRowReport {
  const { place, line, txnId, username, dir, amount, currency, note } = row
  return {
    ...{ place, line, txnId, username, dir, amount, currency },
    ...result,
    changedAt: momentText(known?.changed_at ?? null),
    note,
  }
}
