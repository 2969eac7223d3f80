import { foldUsername } from '../../../domain/players/player.ts'
import type { DetectedBreak } from '../../../domain/reconcile/breaks.ts'
import type { Findings } from '../breaks/store.ts'
import type { SettlementFinding } from './schema.ts'
import type { SettledDay } from './settle-day.ts'

/**
 * Returns one break per slip that the platform settled differently, and which open breaks are proven to be resolved.
 */
export function settlementFindings({ result, cleared }: SettledDay): Findings {
  const bySlip = Map.groupBy(result.findings, ({ slipId }) => slipId)
  return {
    detected: [...bySlip.values()].flatMap((findings) => breakOf(result.date, result.timezone, findings)),
    looked: [{ kind: 'settlement', covers: ({ subject }) => cleared.has(subject) }],
  }
}

function breakOf(date: string, timezone: string, findings: readonly SettlementFinding[]): DetectedBreak[] {
  const last = findings.at(-1)
  if (!last) return []
  const winLoss = last.fields.find(({ field }) => field === 'winLoss')
  return [
    {
      kind: 'settlement',
      subject: last.slipId,
      date,
      player: foldUsername(last.player),
      currency: last.currency,
      amount: winLoss?.difference ?? null,
      message: `${last.player}: slip ${last.slipId} at ${last.tableId}, revision ${last.rev}: ${last.message}`,
      fingerprint: JSON.stringify(
        findings.map(({ rev, impossible, fields }) => [
          rev,
          impossible,
          fields.map(({ field, platform, rules }) => [field, platform, rules]),
        ]),
      ),
      detail: { date, timezone, findings },
    },
  ]
}
