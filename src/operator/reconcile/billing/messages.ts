import type { BillExplanation, BillFinding, BillReason, Run } from '../../../domain/account/bill-check.ts'
import { formatUsd } from '../../../domain/money.ts'
import type { Day } from '../../../domain/time/day.ts'
import { countText } from '../daily/messages.ts'
import type { BillResult } from './schema.ts'

/** What a bill says in sentences: for the terminal, the page and the JSON alike. */

/** A wrong figure of a bill. Amounts are US dollars. */
export function findingText(finding: BillFinding): string {
  switch (finding.code) {
    case 'SUM_DIFFERS':
      return `${finding.period} closes with USD ${formatUsd(finding.stated)}; its own figures add up to ${formatUsd(finding.computed)}`
    case 'CHAIN_BROKEN':
      return `${finding.period} opens with USD ${formatUsd(finding.stated)}; ${finding.before} closed with ${formatUsd(finding.computed)}`
    case 'MONTH_MISSING':
      return `Between ${finding.before} and ${finding.period} months are missing`
    case 'CHARGES_DIFFER': {
      const off = finding.stated - finding.computed
      return `${finding.period} charges USD ${formatUsd(finding.stated)}; the usage of its days comes to ${formatUsd(finding.computed)}, which is ${formatUsd(off < 0n ? -off : off)} ${off < 0n ? 'more' : 'less'}`
    }
    case 'FEE_DIFFERS':
      return `${finding.day} charges USD ${formatUsd(finding.stated)} for ${tableDaysText(finding.tableDays)}; pro rata of the month's price that is ${formatUsd(finding.computed)}`
    case 'BALANCE_DIFFERS':
      return `The credit is USD ${formatUsd(finding.stated)}; the last statement less the usage since leaves at least ${formatUsd(finding.computed)}`
  }
}

export function reasonText(reason: BillReason): string {
  switch (reason.code) {
    case 'NO_STATEMENT':
      return 'There is no statement to check: the first is made on the 1st of the month after the account began'
    case 'STATEMENT_LATE':
      return `The statement of ${reason.period} is not there yet: it is made on the 1st of the month after`
    case 'USAGE_MISSING':
      return `${reason.period} charges USD ${formatUsd(reason.stated)} and the usage known of it comes to ${formatUsd(reason.computed)}, but ${daysText(reason.days)} ${reason.days.length === 1 ? 'has' : 'have'} no usage at the platform`
  }
}

export function explanationText(explanation: BillExplanation): string {
  switch (explanation.code) {
    case 'BEGAN_WITHIN':
      return `The account's usage begins on ${explanation.day}: ${explanation.period} is charged from then on`
    case 'DAYS_WITHOUT_USAGE':
      return `${daysText(explanation.days)} of ${explanation.period} ${explanation.days.length === 1 ? 'is' : 'are'} not in the usage, and nothing is charged for ${explanation.days.length === 1 ? 'it' : 'them'}`
    case 'TABLES_CHANGED':
      return `The tables changed within ${explanation.period}: ${runsText(explanation.runs)}`
    case 'PARTS_OF_DAYS':
      return `Tables are charged for parts of days on ${daysText(explanation.days)}`
    case 'NOT_CHARGED':
      return `Table-days cost nothing on ${daysText(explanation.days)}`
    case 'TODAY_CHARGED':
      return `Today, ${explanation.day}, has been charged in part already`
  }
}

const mostRuns = 6
const mostDays = 3

function runsText(runs: readonly Run[]): string {
  const shown = runs.slice(0, mostRuns).map(({ from, to, tableDays }) => {
    const days = from === to ? `on ${from.slice(8)}` : `from ${from.slice(8)} to ${to.slice(8)}`
    return `${tableDays === 0 ? 'none' : tableDays} ${days}`
  })
  const more = runs.length - shown.length
  return shown.join(', ') + (more > 0 ? `, and ${countText(more, 'more change')}` : '')
}

function daysText(days: readonly Day[]): string {
  const shown = days.slice(0, mostDays).join(', ')
  return days.length <= mostDays ? shown : `${shown} and ${countText(days.length - mostDays, 'more day')}`
}

const tableDaysText = (tableDays: number): string => countText(tableDays, 'table-day')

/** What the whole comes to, in a sentence. */
export function billText(result: Pick<BillResult, 'verdict' | 'months' | 'findings'>): string {
  const { verdict, months, findings } = result
  const days = months.reduce((total, month) => total + month.days, 0)
  const looked = `${countText(months.length, 'statement')} and the usage of ${countText(days, 'day')}`
  const texts = {
    balanced: `The bill adds up: ${looked} agree, and each statement opens with what the one before closed with.`,
    differences: `The bill does not add up: ${countText(findings.length, 'finding')} in ${looked}.`,
    'cannot-conclude': `Nothing can be concluded about the bill from ${looked}.`,
  } as const satisfies Record<BillResult['verdict'], string>
  return texts[verdict]
}
