import { countText } from '../../../kit/text/count-text.ts'
import { settlementText } from '../../../operator/reconcile/settlement/messages.ts'
import type { SettlementFinding, SettlementResult } from '../../../operator/reconcile/settlement/schema.ts'
import type { CommandContext } from '../../context/context.ts'
import { tableText } from '../../terminal/table.ts'
import { printable } from '../../terminal/text.ts'
import { verdictColors } from './verdict-colors.ts'

/** Maximum number of slips on a terminal; --json, --csv and --report have all. */
const maxFindings = 20

/** Prints the verdict, the games, the first slips that were settled differently, and what was not checked. */
export function printSettlement(context: CommandContext, day: SettlementResult): void {
  const { paintOut: paint, tableWidth } = context.screen
  context.log(paint(['bold', verdictColors[day.verdict]], printable(settlementText(day))))
  if (day.games.length > 0) {
    const columns = [
      { key: 'game' },
      { key: 'variant' },
      ...['slips', 'revisions', 'wrong', 'unchecked'].map((key) => ({
        key,
        title: key === 'unchecked' ? 'not checked' : key,
        kind: 'count' as const,
      })),
    ]
    context.log()
    context.log(tableText(day.games, columns, { width: tableWidth(), paint, hasHeader: true }).trimEnd())
  }
  for (const finding of day.findings.slice(0, maxFindings)) {
    context.log()
    printFinding(context, finding)
  }
  if (day.findings.length > maxFindings)
    context.log(`\n${countText(day.findings.length - maxFindings, 'more revision')}: see --json, --csv or --report`)
  printLists(context, day)
}

/** Prints a revision with both figures. */
export function printFinding(context: CommandContext, each: SettlementFinding): void {
  const { paintOut: paint, tableWidth } = context.screen
  const { slipId, rev, status, player, currency, game, variant, tableId, bets, code, cardInfo } = each
  context.log(paint('bold', printable(`${slipId}, revision ${rev} (${status}), ${player}, ${currency}`)))
  context.log(
    printable(
      `${game} ${variant} at ${tableId}: ${bets}; ${cardInfo === '' ? 'no cards' : cardInfo}, code ${code || 'none'}`,
    ),
  )
  if (each.impossible !== null) context.log(printable(each.impossible))
  if (each.fields.length === 0) return
  const columns = [
    { key: 'field' },
    ...['platform', 'rules', 'difference'].map((key) => ({ key, kind: 'amount' as const })),
  ]
  const rows = each.fields.map((field) => ({ ...field, difference: field.difference ?? '' }))
  context.log(tableText(rows, columns, { width: tableWidth(), paint, hasHeader: true }).trimEnd())
}

function printLists(context: CommandContext, day: SettlementResult): void {
  const list = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return
    context.log()
    context.log(context.screen.paintOut('bold', title))
    for (const line of lines) context.log(`- ${printable(line)}`)
  }
  list(
    'Not checked',
    day.notChecked.map(
      ({ slips, tables, message, examples }) =>
        `${countText(slips, 'slip')} at ${tables.join(', ')}: ${message}. First: ${examples[0]}`,
    ),
  )
  list(
    'Reasons for an inconclusive result',
    day.reasons.map(({ message }) => message),
  )
  list(
    'Settings of tables',
    day.tables.map(
      ({ tableId, settings, from, slips }) =>
        `${tableId}: ${settings || 'documented defaults'}, ${from === 'stated' ? 'as stated' : `read from ${countText(slips, 'slip')}`}`,
    ),
  )
  list('Next', day.next)
}
