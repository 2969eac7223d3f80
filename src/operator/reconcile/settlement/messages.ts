import type { SettlementDifference, UncheckedReason } from '../../../domain/reconcile/settlement/recorded.ts'
import { mustBeStated, settingsText } from '../../../domain/reconcile/settlement/table-rules.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { hoursText } from '../daily/messages.ts'
import type { SettlementResult } from './schema.ts'
import type { DayTally } from './tally.ts'

/** Texts about settled slips. */

export const uncheckedTexts = {
  RECORD_UNREADABLE: 'the record in the book cannot be read',
  GAME_UNKNOWN: 'the record names a game or variant whose rules are not known here',
  REVISION_MISSING: 'the revision before is not in the book, so the change of the balance is not proven',
  CARDS_UNKNOWN: 'the source gave no cards, and the record does not state what decides these bets',
  CARDS_DISAGREE: 'the slips of the round name different cards, and no majority decides',
  SEATS_UNKNOWN:
    'not every seat of the hand is in the book: a record does not state the other seats, so pots, rake and payout are not proven',
  STAKES_UNKNOWN:
    'the rake fits no other hand of the table: a record does not state blinds, chip, rake rate and cap, so rake and payout are not proven',
  TABLE_RULES_UNSTATED: 'the win fits only a commission that no --rule states',
} as const satisfies Record<UncheckedReason, string>

/** Describes a finding in one sentence: `B.return 200 at the platform, 195 by the rules`. */
export function findingText(
  differences: readonly Pick<SettlementDifference, 'field' | 'platform' | 'rules'>[],
  impossible: string | null,
): string {
  const texts = differences.map(
    ({ field, platform, rules }) => `${field} ${platform} at the platform, ${rules} by the rules`,
  )
  const more = texts.length > 4 ? [`and ${texts.length - 4} more`] : []
  return [...(impossible === null ? [] : [impossible]), ...texts.slice(0, 4), ...more].join('; ')
}

/** Returns the result of the day in one line. */
export function settlementText(day: SettlementResult): string {
  const about = `${day.date} in ${day.timezone} (${hoursText(day.hours)})`
  const size = `${countText(day.slips, 'slip')} settled again in ${countText(day.revisions, 'revision')}`
  const unchecked = day.unchecked > 0 ? `, ${countText(day.unchecked, 'slip')} not checked completely` : ''
  if (day.verdict === 'balanced') return `${about} is balanced: ${size}, every one as the rules give it.`
  if (day.verdict === 'differences')
    return `${about} has differences: ${countText(day.wrong, 'slip')} settled differently by the platform, of ${size}${unchecked}.`
  const reasons = day.reasons.length > 0 ? `, ${countText(day.reasons.length, 'reason')}` : ''
  return `${about} is inconclusive: ${size}, no difference found${unchecked}${reasons}.`
}

/** Returns the next steps, most useful first. */
export function settlementSteps(
  day: Omit<SettlementResult, 'next'>,
  { tables, possible }: Pick<DayTally, 'tables' | 'possible'>,
): string[] {
  const again = `countroom reconcile settlement ${day.date}`
  const steps: string[] = []
  const codes = new Set(day.reasons.map(({ code }) => code))
  if (codes.has('DAY_NOT_OVER')) steps.push(`Wait for the end of the day, sync, then run: ${again}`)
  else if (codes.has('BOOK_BEHIND') || codes.has('BOOK_EMPTY'))
    steps.push(`Sync the newer records: countroom bets sync --out bets, then run: ${again}`)
  for (const { tableId, settings, from } of tables)
    if (from === 'slips' && mustBeStated(settings))
      steps.push(
        `If ${tableId} is agreed to be ${settingsText(settings)}, state it: ${again} ${ruleFlags(tableId, settingsText(settings))}`,
      )
  for (const [tableId, settings] of possible)
    steps.push(
      `If ${tableId} is agreed to be ${settingsText(settings)}, which would make slips right, state it: ${again} ${ruleFlags(tableId, settingsText(settings))}`,
    )
  const first = day.findings[0]
  if (first) steps.push(`Explain the first slip: countroom reconcile explain ${first.slipId}`)
  const stakes = day.notChecked.find(({ reason }) => reason === 'STAKES_UNKNOWN')
  if (stakes)
    steps.push(
      `State the stakes of ${stakes.tables.join(', ')} if they are not the defaults: ${again} ${stakes.tables.map((table) => `--rule ${table}:rakeRate=0.05`).join(' ')}`,
    )
  return steps
}

const ruleFlags = (tableId: string, settings: string): string =>
  settings
    .split(',')
    .map((setting) => `--rule ${tableId}:${setting}`)
    .join(' ')
