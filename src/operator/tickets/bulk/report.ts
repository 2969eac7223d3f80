import { type BulkAction, type SkippedTicket, tally } from '../../../domain/tickets/bulk-action.ts'
import type { ItemResult } from '../apply-bulk-action.ts'

export type BulkReport = ReturnType<typeof bulkReport>

/** Builds the report of a bulk action, applied or not. Without results it is a preview. */
export function bulkReport(
  bulk: BulkAction,
  results: readonly ItemResult[] | undefined,
  about: {
    readonly resumed: boolean
    readonly out: string | null
    readonly audit: string | null
    readonly titles: ReadonlyMap<string, string>
    readonly leftOut?: readonly SkippedTicket[]
  },
) {
  const byTicket = new Map(results?.map((result) => [result.item.ticketId, result]))
  const counts = tally(results?.map(({ outcome }) => outcome) ?? [])
  return {
    planId: bulk.planId,
    applied: results !== undefined,
    resumed: about.resumed,
    out: about.out,
    audit: about.audit,
    counts: {
      tickets: bulk.items.length,
      applied: counts.applied,
      noOp: counts['no-op'],
      conflict: counts.conflict,
      rejected: counts.rejected,
      failed: counts.failed,
      unknown: counts.unknown,
      notBegun: results === undefined ? 0 : bulk.items.length - results.length,
    },
    items: bulk.items.map((item) => {
      const result = byTicket.get(item.ticketId)
      return {
        ticketId: item.ticketId,
        ticketNumber: item.ticketNumber === 0 ? null : item.ticketNumber,
        title: about.titles.get(item.ticketId) ?? null,
        status: item.status,
        actions: [...item.actions],
        outcome: results === undefined ? ('planned' as const) : (result?.outcome ?? ('not-begun' as const)),
        code: result?.code ?? null,
        message: result?.message ?? null,
      }
    }),
    leftOut: [...(about.leftOut ?? [])],
  }
}
