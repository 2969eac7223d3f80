import type { BatchState } from '../../../operator/transfers/batch-report.ts'
import {
  Args,
  attemptsFlag,
  bookFlag,
  dryRunFlag,
  Flags,
  type Total,
  totalsFlags,
  waitFlag,
} from '../../framework/flags.ts'
import { shareFlags } from '../../framework/rate-share-flags.ts'
import { moneyExits } from '../../outcome/exit-codes.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Arguments, flags and results of the commands on transfer batches. */

export const batchArg = { plan: Args.string({ required: true, description: 'Batch ID' }) }
export const batchFiles = ['the book (COUNTROOM_BOOK): batches, approvals, and every transfer before it is sent']

export const runExits = [...moneyExits, 'partial', 'locked', 'stopped'] as const
export const runFiles = [
  'the book (COUNTROOM_BOOK): every transfer is written to it before it is sent; and its lock file',
  '--out: written atomically when the run ends',
]
export const runCompletes = { metrics: 'files', plan: 'plans', book: 'files', out: 'files' }
export const runFlags = {
  concurrency: Flags.integer({
    aliases: ['at-once'],
    summary: 'Number of players to process in parallel; the rows of a player keep their order',
    default: 8,
    min: 1,
    max: 64,
    helpValue: 'N',
  }),
  ...attemptsFlag,
  'stop-on-refusal': Flags.boolean({ summary: 'Start no more rows after one is rejected' }),
  'retry-refused': Flags.boolean({ summary: 'Send rows again that an earlier run rejected' }),
  deadline: Flags.string({
    summary: 'Start no more rows and retries after this long; requests in progress are finished',
    helpValue: 'DURATION',
  }),
  ...waitFlag,
  out: Flags.string({ summary: 'CSV file to write the outcome of every row to', helpValue: 'FILE.csv' }),
  force: Flags.boolean({ summary: 'Overwrite an existing --out file' }),
  ...shareFlags,
  ...bookFlag,
  ...dryRunFlag,
  ...totalsFlags,
}

/** Parsed flags about the confirmation of totals. */
export interface TotalsFlags {
  readonly yes?: boolean
  readonly 'confirm-total'?: readonly Total[] | undefined
}

/** Parsed flags of a run. */
export interface RunFlags extends TotalsFlags {
  readonly concurrency: number
  readonly 'stop-on-refusal'?: boolean
  readonly 'retry-refused'?: boolean
  readonly deadline?: string | undefined
  readonly wait?: string | undefined
  readonly out?: string | undefined
  readonly force?: boolean
  readonly 'rate-share': number
  readonly rate?: number | undefined
}

const batchStates = ['made', 'approved', 'begun', 'finished', 'cancelled'] as const satisfies readonly BatchState[]

/** Fields of the report of a batch. */
export function batchFields({ Type }: Shapes) {
  const text = Type.String()
  const orNull = Type.Union([text, Type.Null()])
  const count = Type.Integer()
  const dir = Type.Enum(['in', 'out'])
  return {
    planId: text,
    state: Type.Enum([...batchStates]),
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

export function batchRowSchema({ Type }: Shapes) {
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

/** Schema of the report of a run. */
export function runSchema(shapes: Shapes) {
  const { Type } = shapes
  const text = Type.String()
  return Type.Object({
    ...batchFields(shapes),
    transfers: Type.Array(batchRowSchema(shapes)),
    doneNow: Type.Integer({ description: 'Number of rows done in this run.' }),
    doneTotals: Type.Array(
      Type.Object({ currency: text, dir: Type.Enum(['in', 'out']), rows: Type.Integer(), amount: text }),
      { description: 'Totals of all rows that are done, in this or an earlier run.' },
    ),
    dryRun: Type.Boolean(),
    out: Type.Union([text, Type.Null()]),
    next: Type.Array(text),
  })
}
