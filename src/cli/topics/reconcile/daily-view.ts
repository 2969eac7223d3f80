import { countText } from '../../../kit/text/count-text.ts'
import type { DayResult } from '../../../operator/reconcile/daily/schema.ts'
import { type Block, dayBlocks, rangeBlock } from '../../../operator/reconcile/daily/terminal-view.ts'
import type { CommandContext } from '../../context/context.ts'
import { tableText } from '../../terminal/table.ts'
import { printable } from '../../terminal/text.ts'
import { verdictColors } from './verdict-colors.ts'

/** Prints a day, or the table of a range and the days that are not balanced. */
export function printDays(context: CommandContext, results: readonly DayResult[]): void {
  const isRange = results.length > 1
  if (isRange) printBlock(context, rangeBlock(results))
  for (const day of results) {
    if (isRange && day.verdict === 'balanced') continue
    for (const [i, block] of dayBlocks(day).entries()) {
      if (i > 0 || isRange) context.log()
      printBlock(context, block)
    }
  }
  for (const day of results) for (const warning of day.warnings) context.warn(`${day.date}: ${warning}`)
}

function printBlock(context: CommandContext, block: Block): void {
  const { paintOut: paint, tableWidth } = context.screen
  if (block.kind === 'verdict') {
    context.log(paint(['bold', verdictColors[block.verdict]], printable(block.text)))
    return
  }
  if (block.title !== '') context.log(paint('bold', block.title))
  if (block.kind === 'list') {
    for (const [i, line] of block.lines.entries())
      context.log(`${block.isNumbered ? `${i + 1}.` : '-'} ${printable(line)}`)
    return
  }
  context.log(tableText(block.rows, block.columns, { width: tableWidth(), paint, hasHeader: true }).trimEnd())
  if (block.more > 0) context.log(`${countText(block.more, 'more row')}: see --json, --csv or --report`)
}
