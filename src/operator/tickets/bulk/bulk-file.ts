import type { BulkAction, BulkItem, TriageAction } from '../../../domain/tickets/bulk-action.ts'
import { Problem } from '../../../kit/problem.ts'
import type { RemoteTicket } from '../parse.ts'

/** File format of a bulk action. */
export interface BulkFile {
  readonly schemaVersion: 1
  readonly kind: 'countroom ticket plan'
  readonly target: string
  readonly order: string
  readonly plan: BulkAction
}

/** Parses a bulk action file. Throws INVALID_FILE with the reason, because files may be edited. */
export function bulkFileFrom(value: unknown, file: string): BulkFile {
  const invalidFile = (reason: string) => new Problem('INVALID_FILE', `${file}: ${reason}`, { file })
  if (!isFields(value) || value['kind'] !== 'countroom ticket plan')
    throw invalidFile('not a file of "countroom tickets bulk --out"')
  if (value['schemaVersion'] !== 1) throw invalidFile('unsupported schemaVersion')
  const { plan, target, order } = value
  if (!isFields(plan) || typeof target !== 'string' || typeof order !== 'string') throw invalidFile('incomplete')
  const { planId, madeAt, items } = plan
  if (typeof planId !== 'string' || !/^[0-9A-Z]{26}$/.test(planId)) throw invalidFile('invalid planId')
  if (typeof madeAt !== 'number' || !Array.isArray(items)) throw invalidFile('missing list of items')
  return {
    schemaVersion: 1,
    kind: 'countroom ticket plan',
    target,
    order,
    plan: {
      planId,
      madeAt,
      items: items.map((item, i) => itemFrom(item, () => invalidFile(`item ${i + 1} is invalid`))),
    },
  }
}

function itemFrom(value: unknown, invalid: () => Problem): BulkItem {
  if (!isFields(value)) throw invalid()
  const { ticketId, ticketNumber, version, status, actions } = value
  const isVersion = version === null || typeof version === 'number'
  if (typeof ticketId !== 'string' || typeof ticketNumber !== 'number' || !isVersion) throw invalid()
  if (typeof status !== 'string' || !Array.isArray(actions)) throw invalid()
  return { ticketId, ticketNumber, version, status, actions: actions.map((action) => actionFrom(action, invalid)) }
}

function actionFrom(value: unknown, invalid: () => Problem): TriageAction {
  if (!isFields(value)) throw invalid()
  const { kind, status, content, visibility, priority, assigneeId, until } = value
  if (kind === 'status' && typeof status === 'string') return { kind, status }
  if (kind === 'comment' && typeof content === 'string' && (visibility === 'internal' || visibility === 'public'))
    return { kind, content, visibility }
  if (kind === 'priority' && typeof priority === 'number') return { kind, priority }
  if (kind === 'assign' && (assigneeId === null || typeof assigneeId === 'string')) return { kind, assigneeId }
  if (kind === 'snooze' && (until === null || typeof until === 'number')) return { kind, until }
  throw invalid()
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text for a customer. */
export interface PublicText {
  readonly ticketId: string
  readonly content: string
  /** Recipient and language, if known. */
  readonly to: string | null
  readonly language: string | null
}

/** Returns the public texts of a bulk action; with its tickets, also their recipients. */
export function publicTexts({ items }: BulkAction, tickets: readonly RemoteTicket[] = []): PublicText[] {
  const known = new Map(tickets.map((ticket) => [ticket.ticketId, ticket]))
  return items.flatMap(({ ticketId, actions }) =>
    actions.flatMap((action) => {
      if (action.kind !== 'comment' || action.visibility !== 'public') return []
      const ticket = known.get(ticketId)
      const to = ticket?.customerDisplayName ?? ticket?.customerAccount ?? null
      return [{ ticketId, content: action.content, to, language: ticket?.customerLanguage ?? null }]
    }),
  )
}
