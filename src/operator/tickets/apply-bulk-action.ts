import {
  type BulkAction,
  type BulkItem,
  type ItemOutcome,
  isApplied,
  keyOf,
  nextStep,
  type Step,
  type TriageAction,
} from '../../domain/tickets/bulk-action.ts'
import { remoteCodes } from '../../http/contract/wire-types.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'
import { type Audit, afterOf } from './audit-log.ts'
import { actionsOf, recordActions, settleActions } from './bulk-journal.ts'
import { countAlike, findComment } from './find-own-comment.ts'
import type { FullTicket, RemoteTicket } from './parse.ts'
import { readIfExists } from './read-if-exists.ts'
import type { TicketsApi } from './tickets-api.ts'
import type { Written } from './tickets-request.ts'

/**
 * Applies a bulk action, each part once for any number of starts. A request is stored in the book first, and one that
 * may have arrived is looked up before it is sent again.
 */

export interface CarryOut {
  readonly ticketsApi: TicketsApi
  readonly book: Book
  readonly bulk: BulkAction
  /** Name of the actor. */
  readonly actor: string | undefined
  /** Number of tickets changed in parallel. */
  readonly concurrency: number
  readonly stop: AbortSignal
  /** Tickets that this run has already read. One whose version guards the change is not read again. */
  readonly fresh?: ReadonlyMap<string, RemoteTicket>
  /** Writes the audit log; the book stores what is needed to continue and to undo. */
  readonly audit?: Audit
  /** True if it undoes earlier changes of the actor. */
  readonly isUndo?: boolean
  readonly onItem?: (result: ItemResult) => void
}

export interface ItemResult {
  readonly item: BulkItem
  readonly outcome: ItemOutcome
  /** Error code, if any. */
  readonly code: string | null
  readonly message: string | null
  /** True if running the same bulk action again may succeed. */
  readonly retryable: boolean
}

type Keyed = Extract<Step, { step: 'do' }>['actions'][number]

/** Applies the rest of a bulk action. A signal finishes the current tickets; a rejected key stops it at once. */
export async function applyBulkAction(parts: CarryOut): Promise<ItemResult[]> {
  const { bulk, concurrency, stop, onItem } = parts
  const started = await actionsOf(parts.book, bulk.planId)
  const results = new Map<number, ItemResult>()
  let next = 0
  let refused: unknown
  const worker = async () => {
    while (next < bulk.items.length && !stop.aborted && refused === undefined) {
      const index = next++
      const item = bulk.items[index]
      if (!item) return
      try {
        const result = await oneItem(parts, item, started)
        results.set(index, result)
        onItem?.(result)
      } catch (error) {
        refused ??= error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker))
  if (refused !== undefined) throw refused
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result)
}

type Started = Awaited<ReturnType<typeof actionsOf>>

/** One item of a bulk action, and the progress of its actions. */
interface ItemProgress {
  readonly item: BulkItem
  /** Keys of its actions, in order. */
  readonly keys: readonly string[]
  /** Actions that an earlier run started, by key. */
  readonly started: Started
  /** Keys of actions that were sent, by an earlier run or this one, and have no outcome. */
  readonly unconfirmed: Set<string>
  readonly done: Set<string>
}

async function oneItem(parts: CarryOut, item: BulkItem, started: Started): Promise<ItemResult> {
  const keys = item.actions.map((_, i) => keyOf(parts.bulk, item, i))
  const inState = (state: string) => new Set(keys.filter((key) => started.get(key)?.state === state))
  const progress = { item, keys, started, unconfirmed: inState('sent'), done: inState('done') }
  try {
    return await attempt(parts, progress)
  } catch (error) {
    if (!isProblem(error)) throw error
    const { status } = error.detail
    if (status === 401 || status === 403) throw error
    if (progress.unconfirmed.size > 0) return resultOf(item, 'unknown', error)
    if (error.code === 'VERSION_CONFLICT') return resultOf(item, 'conflict', error)
    const isAnswer = typeof status === 'number' && status >= 400 && status < 500 && status !== 429
    return resultOf(item, isAnswer ? 'rejected' : 'failed', error)
  }
}

const resultOf = (item: BulkItem, outcome: ItemOutcome, problem?: Problem): ItemResult => ({
  item,
  outcome,
  code: problem?.code ?? null,
  message: problem?.message ?? null,
  retryable: outcome === 'failed' || outcome === 'unknown',
})

/** Finds out what an earlier run sent, and sends the rest. */
async function attempt(parts: CarryOut, progress: ItemProgress): Promise<ItemResult> {
  const { item, keys, started, done } = progress
  const ticket =
    (await guardedTicket(parts, item, keys, started)) ?? (await readIfExists(parts.ticketsApi, item.ticketId))
  const inDoubt = ticket && (await settleSent(parts, progress, ticket))
  if (inDoubt) return resultOf(item, 'unknown', inDoubt)
  // Its own changes are no conflict: part of it was done, or may have been.
  const isBegun = done.size > 0 || keys.some((key) => started.get(key)?.state === 'sent')
  const step = nextStep(
    parts.bulk,
    isBegun ? { ...item, version: null, status: ticket?.status ?? item.status } : item,
    ticket,
    done,
  )
  if (step.step === 'gone')
    return resultOf(item, 'rejected', new Problem('TICKET_NOT_FOUND', 'The ticket no longer exists'))
  if (step.step === 'no-op') {
    const wasRefused = keys.some((key) => started.get(key)?.state === 'refused')
    return resultOf(item, wasRefused ? 'rejected' : isBegun ? 'applied' : 'no-op')
  }
  if (step.step === 'conflict')
    return resultOf(
      item,
      'conflict',
      new Problem('VERSION_CONFLICT', `The ticket changed: it was ${step.planned} and is now ${step.now}`),
    )
  // The step implies that the ticket exists.
  await sendActions(parts, item, ticket as FullTicket, step.actions, progress.unconfirmed)
  return resultOf(item, 'applied')
}

/**
 * Records those actions as done that an earlier run sent without an outcome and that the ticket shows. The others are sent
 * again. Returns a problem if the ticket does not show whether a comment exists.
 */
async function settleSent(
  parts: CarryOut,
  { item, keys, started, unconfirmed, done }: ItemProgress,
  ticket: FullTicket,
): Promise<Problem | undefined> {
  for (const [i, action] of item.actions.entries()) {
    const key = keys[i] ?? ''
    const row = started.get(key)
    if (row?.state !== 'sent') continue
    const lookup =
      action.kind === 'comment' ? findComment(ticket, action, key, countBefore(row.before)) : isApplied(action, ticket)
    if (lookup === 'unknown')
      return new Problem(
        'CANNOT_CONCLUDE',
        'The comment may exist, and the instance does not return comments. Check the ticket, and add the comment by hand if it is missing',
      )
    unconfirmed.delete(key)
    if (lookup !== 'none' && lookup !== false) await settleConfirmed(parts, item, key, action, row.before, done)
  }
  return undefined
}

/** Records actions of an earlier run that turned out to be done. */
async function settleConfirmed(
  { book, audit }: CarryOut,
  { ticketId, ticketNumber }: BulkItem,
  key: string,
  action: TriageAction,
  before: string | null,
  done: Set<string>,
): Promise<void> {
  await settleActions(book, [key], 'done')
  done.add(key)
  audit?.write([
    {
      ticketId,
      ticketNumber: ticketNumber === 0 ? null : ticketNumber,
      action: action.kind,
      before: action.kind === 'comment' || before === null ? null : JSON.parse(before),
      after: afterOf(action),
      outcome: 'found',
      code: null,
      requestId: null,
    },
  ])
}

/** Returns the ticket as the bulk action saw it, if the request itself is rejected for a changed ticket. */
async function guardedTicket(
  { ticketsApi, fresh }: CarryOut,
  item: BulkItem,
  keys: readonly string[],
  begun: ReadonlyMap<string, unknown>,
): Promise<FullTicket | undefined> {
  const ticket = fresh?.get(item.ticketId)
  if (!ticket || ticket.version === null || keys.some((key) => begun.has(key))) return undefined
  if (!item.actions.some(({ kind }) => kind === 'status')) return undefined
  const { knownBy } = await ticketsApi.workflowOf(ticket)
  return knownBy === 'form' ? { ...ticket, comments: null, history: null } : undefined
}

/** Sends the remaining actions of a ticket: status and comment in one transaction if the instance supports it. */
async function sendActions(
  parts: CarryOut,
  item: BulkItem,
  ticket: FullTicket,
  actions: readonly Keyed[],
  unconfirmed: Set<string>,
): Promise<void> {
  const { ticketsApi, actor } = parts
  let version = ticket.version
  const statusStep = actions.find(({ action }) => action.kind === 'status')
  const commentStep = actions.find(({ action }) => action.kind === 'comment')
  const workflow = statusStep ? await ticketsApi.workflowOf(ticket) : undefined
  if (statusStep?.action.kind === 'status' && workflow && !workflow.codes.includes(statusStep.action.status))
    throw new Problem(
      'INVALID_STATUS',
      `The workflow has no status ${statusStep.action.status}; valid: ${workflow.codes.join(', ')}`,
      {
        status: 400,
      },
    )
  const isWhole = statusStep !== undefined && commentStep !== undefined && workflow?.knownBy === 'form'
  for (const step of actions) {
    const { action, key } = step
    if (isWhole && step === commentStep) continue
    const combined = isWhole && step === statusStep ? [step, commentStep] : [step]
    const after = await once(parts, item, ticket, combined, unconfirmed, async () => {
      if (action.kind === 'comment') {
        const { content, visibility } = action
        const written = await ticketsApi.comment(item.ticketId, { content, visibility, authorDisplayName: actor, key })
        return { ...written, answer: undefined }
      }
      if (action.kind === 'status') {
        const withIt = isWhole && commentStep.action.kind === 'comment' ? commentStep : undefined
        const comment = withIt?.action.kind === 'comment' ? { ...withIt.action, key: withIt.key } : undefined
        return ticketsApi.setStatus(item.ticketId, {
          status: action.status,
          actor,
          version,
          comment,
          undo: parts.isUndo,
        })
      }
      return ticketsApi.change(item.ticketId, action, version)
    })
    // The next actions expect the ticket as this one left it; a comment does not return the new version.
    version = after?.version ?? null
  }
}

/** Sends a request whose actions are stored in the book, and stores the outcome. */
async function once<T>(
  { book, bulk, audit }: CarryOut,
  item: BulkItem,
  ticket: FullTicket,
  steps: readonly Keyed[],
  unconfirmed: Set<string>,
  send: () => Promise<Written<T>>,
): Promise<T> {
  const log = (outcome: 'done' | 'refused' | 'not-sent' | 'unknown', requestId: unknown, code: string | null) =>
    audit?.write(
      steps.map(({ action }) => ({
        ticketId: item.ticketId,
        ticketNumber: item.ticketNumber === 0 ? null : item.ticketNumber,
        action: action.kind,
        before: action.kind === 'comment' ? null : beforeOf(action, ticket),
        after: afterOf(action),
        outcome,
        code,
        requestId: typeof requestId === 'string' ? requestId : null,
      })),
    )
  const keys = steps.map(({ key }) => key)
  await recordActions(
    book,
    bulk.planId,
    steps.map(({ key, action }) => ({ key, ticketId: item.ticketId, action, before: beforeOf(action, ticket) })),
  )
  for (const key of keys) unconfirmed.add(key)
  const markAnswered = () => {
    for (const key of keys) unconfirmed.delete(key)
  }
  try {
    const { answer, requestId } = await send()
    markAnswered()
    await settleActions(book, keys, 'done')
    log('done', requestId, null)
    return answer
  } catch (error) {
    if (!isProblem(error)) throw error
    const { status, outcome, requestId } = error.detail
    const isRefusal = typeof status === 'number' && status >= 400 && status < 500
    // Not arrived, or 429: as if it had not been started.
    const isUnsent = outcome === 'none' || status === 429 || error.code === remoteCodes.unreachable
    if (isUnsent || isRefusal) markAnswered()
    if (isUnsent) await settleActions(book, keys, 'unsent')
    else if (isRefusal) await settleActions(book, keys, 'refused', error.code)
    log(isUnsent ? 'not-sent' : isRefusal ? 'refused' : 'unknown', requestId, error.code)
    throw error
  }
}

/** Returns the current values that an action changes, to undo it and to detect whether a comment arrived. */
function beforeOf(action: TriageAction, ticket: FullTicket): unknown {
  switch (action.kind) {
    case 'status':
      return ticket.status
    case 'priority':
      return ticket.priority
    case 'assign':
      return ticket.assigneeId
    case 'snooze':
      return ticket.snoozedUntil
    case 'comment':
      return countAlike(ticket, action)
  }
}

/** Returns the number of equal comments before sending, as stored in the book. */
function countBefore(before: string | null): number | null {
  const count: unknown = before === null ? null : JSON.parse(before)
  return typeof count === 'number' ? count : null
}
