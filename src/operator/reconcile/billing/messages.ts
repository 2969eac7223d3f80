import type { BillExplanation, BillFinding, BillReason, Run } from '../../../domain/account/bill-check.ts'
import { formatUsd } from '../../../domain/money.ts'
import type { Day } from '../../../domain/time/day.ts'
import { countText } from '../../../kit/text/count-text.ts'
import type { BillResult } from './schema.ts'

/** Messages of the billing reconciliation, for terminal, page and JSON. */

/** Describes a wrong figure. Amounts are in US dollars. */
export function findingText(finding: BillFinding): string {
  switch (finding.code) {
    case 'SUM_DIFFERS':
      return `${finding.period} closes with USD ${formatUsd(finding.stated)}, but its figures add up to ${formatUsd(finding.computed)}`
    case 'CHAIN_BROKEN':
      return `${finding.period} opens with USD ${formatUsd(finding.stated)}, but ${finding.before} closed with ${formatUsd(finding.computed)}`
    case 'MONTH_MISSING':
      return `Between ${finding.before} and ${finding.period} months are missing`
    case 'CHARGES_DIFFER': {
      const off = finding.stated - finding.computed
      return `${finding.period} charges USD ${formatUsd(finding.stated)}, but the usage of its days is ${formatUsd(finding.computed)}, which is ${formatUsd(off < 0n ? -off : off)} ${off < 0n ? 'more' : 'less'}`
    }
    case 'FEE_DIFFERS':
      return `${finding.day} charges USD ${formatUsd(finding.stated)} for ${tableDaysText(finding.tableDays)}; pro rata of the monthly price is ${formatUsd(finding.computed)}`
    case 'BALANCE_DIFFERS':
      return `The credit is USD ${formatUsd(finding.stated)}, but the last statement and the usage since then give at least ${formatUsd(finding.computed)}`
  }
}

export function reasonText(reason: BillReason): string {
  switch (reason.code) {
    case 'NO_STATEMENT':
      return 'There is no statement yet; the first is created on the 1st of the month after the account was opened'
    case 'STATEMENT_LATE':
      return `The statement of ${reason.period} is not there yet; it is created on the 1st of the next month`
    case 'USAGE_MISSING':
      return `${reason.period} charges USD ${formatUsd(reason.stated)} and its known usage is ${formatUsd(reason.computed)}, but ${daysText(reason.days)} ${reason.days.length === 1 ? 'has' : 'have'} no usage at the platform`
  }
}

export function explanationText(explanation: BillExplanation): string {
  switch (explanation.code) {
    case 'BEGAN_WITHIN':
      return `The account's usage starts on ${explanation.day}; ${explanation.period} is charged from then on`
    case 'DAYS_WITHOUT_USAGE':
      return `${daysText(explanation.days)} of ${explanation.period} ${explanation.days.length === 1 ? 'has' : 'have'} no usage and no charges`
    case 'TABLES_CHANGED':
      return `The number of tables changed in ${explanation.period}: ${runsText(explanation.runs)}`
    case 'PARTS_OF_DAYS':
      return `Fractional table-days are charged on ${daysText(explanation.days)}`
    case 'NOT_CHARGED':
      return `Table-days are free on ${daysText(explanation.days)}`
    case 'TODAY_CHARGED':
      return `Today, ${explanation.day}, is already charged in part`
  }
}

const maxRuns = 6
const maxDays = 3

function runsText(runs: readonly Run[]): string {
  const shown = runs.slice(0, maxRuns).map(({ from, to, tableDays }) => {
    const days = from === to ? `on ${from.slice(8)}` : `from ${from.slice(8)} to ${to.slice(8)}`
    return `${tableDays === 0 ? 'none' : tableDays} ${days}`
  })
  const more = runs.length - shown.length
  return shown.join(', ') + (more > 0 ? `, and ${countText(more, 'more change')}` : '')
}

function daysText(days: readonly Day[]): string {
  const shown = days.slice(0, maxDays).join(', ')
  return days.length <= maxDays ? shown : `${shown} and ${countText(days.length - maxDays, 'more day')}`
}

const tableDaysText = (tableDays: number): string => countText(tableDays, 'table-day')

/** Returns the verdict in a sentence. */
export function billText(result: Pick<BillResult, 'verdict' | 'months' | 'findings'>): string {
  const { verdict, months, findings } = result
  const days = months.reduce((total, month) => total + month.days, 0)
  const looked = `${countText(months.length, 'statement')} and the usage of ${countText(days, 'day')}`
  const texts = {
    balanced: `The bill is correct: ${looked} agree, and each statement opens with the closing balance of the previous one.`,
    differences: `The bill has ${countText(findings.length, 'difference')} in ${looked}.`,
    'cannot-conclude': `Inconclusive: ${looked} are not enough to check the bill.`,
  } as const satisfies Record<BillResult['verdict'], string>
  return texts[verdict]
}
