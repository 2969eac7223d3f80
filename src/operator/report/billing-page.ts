import { formatUsdCents, parseUsd, sum } from '../../domain/money.ts'
import { countText, grouped } from '../../kit/text/count-text.ts'
import { billText } from '../reconcile/billing/messages.ts'
import type { ReconciledBill } from '../reconcile/billing/reconcile.ts'
import type { BilledMonth, BillResult } from '../reconcile/billing/schema.ts'
import { chargesPlot } from './charges-plot.ts'
import { amountText, columnFormat, columnFormats } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import {
  forBothScreens,
  listPart,
  type ReportSource,
  reportPage,
  tile,
  verdictSheet,
  verdictTitles,
  wide,
} from './layout.ts'

/** Maximum number of days in the plot; CSV and JSON have all. */
const plottedDays = 124

/** Content of the page. */
interface BillingReport {
  readonly bill: ReconciledBill
  /** The CSV file. */
  readonly sources?: readonly ReportSource[]
  /** Program and version. */
  readonly madeBy: string
}

/** Renders a reconciled bill as one self-contained page. */
export function billingPage({ bill, sources = [], madeBy }: BillingReport): string {
  const { result } = bill
  const { companyCode, environment, months, verdict } = result
  const [first, last] = [months[0]?.period, months.at(-1)?.period]
  const span = first === undefined ? 'no statement yet' : first === last ? first : `${first} to ${last}`
  return reportPage({
    title: `Bill of ${companyCode}, ${span}: ${verdictTitles[verdict]}`,
    over: `Billing reconciliation · ${companyCode} · ${environment}`,
    heading: months.length === 0 ? 'The bill' : `The bill, ${span}`,
    under: `UTC · US dollars · usage of each day against the charges of each statement, at USD ${result.tablePriceUsd} per table and month`,
    content: html`${verdictSheet(verdict, billText(result))}
${tilesPart(result)}
${listPart(
  'Differences',
  result.findings.map(({ message }) => message),
)}
${listPart(
  'Reasons for an inconclusive result',
  result.reasons.map(({ message }) => message),
)}
${monthsPart(months)}
${sincePart(result)}
${plotPart(bill)}
${listPart(
  'Explanations',
  result.explanations.map(({ message }) => message),
)}`,
    foot: `Compared at ${result.asOf} by ${madeBy}. Charges are below zero in statements and above zero in usage.`,
    sources,
  })
}

/** Cents are enough for an overview; the table has all decimals. */
const cents = (usd: string): string => amountText(formatUsdCents(parseUsd(usd)))

function tilesPart({ months, since }: BillResult): Part {
  if (months.length === 0) return null
  const total = (key: 'usageUsd' | 'paymentsUsd') => formatUsdCents(sum(months.map((month) => parseUsd(month[key]))))
  const days = months.reduce((count, month) => count + month.days, 0)
  return html`<ul class="tiles">
${tile(amountText(total('usageUsd')), `USD of usage on ${countText(days, 'day')}`)}
${tile(amountText(total('paymentsUsd')), 'USD paid in')}
${tile(cents(months.at(-1)?.closingUsd ?? '0'), `USD at the end of ${months.at(-1)?.period}`)}
${since !== null && tile(cents(since.balanceUsd), 'USD of credit now')}
</ul>`
}

function monthsPart(months: readonly BilledMonth[]): Part {
  if (months.length === 0) return null
  const format = columnFormats(months, [
    'openingUsd',
    'chargesUsd',
    'paymentsUsd',
    'closingUsd',
    'usageUsd',
    'differenceUsd',
  ])
  const rows = months.toReversed().map((month, i, all) => {
    const before = all[i + 1]
    const isOff = month.differenceUsd !== '0'
    const isBroken = before !== undefined && parseUsd(before.closingUsd) !== parseUsd(month.openingUsd)
    return html`<tr><th scope="row"><span class="units">${month.period}</span></th><td class="units${isBroken ? ' off' : ''}">${format.openingUsd(month.openingUsd)}</td><td class="units">${format.chargesUsd(month.chargesUsd)}</td><td class="units">${format.paymentsUsd(month.paymentsUsd)}</td><td class="units">${format.closingUsd(month.closingUsd)}</td>
<td class="units">${grouped(month.tableDays)}</td><td class="units">${format.usageUsd(month.usageUsd)}</td><td class="units${isOff ? ' off' : ''}">${format.differenceUsd(month.differenceUsd)}</td></tr>`
  })
  const head = ['Opening', 'Charges', 'Payments', 'Closing', 'Table-days', 'Usage', 'Usage minus charges']
  return html`<section class="sheet"><h2>Statements</h2>${wide(
    'Statements',
    html`<table><caption>Newest first. Each statement opens with the closing balance of the one below.</caption><thead><tr><th scope="col">Month</th>${head.map((name) => html`<th scope="col" class="units">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
  )}</section>`
}

function sincePart({ since }: BillResult): Part {
  if (since === null) return null
  const rows: [string, string][] = [
    ['Closing balance of the last statement', since.openingUsd],
    ['Charged since', since.chargesUsd],
    ['Paid since, derived from the credit', since.paymentsUsd],
    ['Credit now', since.balanceUsd],
  ]
  const format = columnFormat(rows.map(([, value]) => value))
  return html`<section class="sheet"><h2>Since the last statement</h2><dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>USD ${format(value)}</dd>`)}</dl></section>`
}

function plotPart({ days, proof, result }: ReconciledBill): Part {
  const shown = days.slice(-plottedDays)
  if (shown.length === 0) return null
  const wrong = new Set(proof.findings.flatMap((finding) => ('day' in finding ? [finding.day] : [])))
  const format = columnFormats(shown, ['tableFeeUsd', 'streamGb', 'streamFeeUsd'])
  const rows = shown.map(
    (day) =>
      html`<tr><th scope="row">${day.day}</th><td class="units">${grouped(day.tableDays)}</td><td class="units${wrong.has(day.day) ? ' off' : ''}">${format.tableFeeUsd(day.tableFeeUsd)}</td><td class="units">${format.streamGb(day.streamGb)}</td><td class="units">${format.streamFeeUsd(day.streamFeeUsd)}</td><td>${day.streamSource}</td></tr>`,
  )
  const cut = shown.length < days.length ? ` The last ${shown.length} of ${countText(days.length, 'day')}.` : ''
  const key = (kind: string, words: string): Markup =>
    html`<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="${kind}" width="12" height="12" rx="2"/></svg>${words}</li>`
  return html`<section class="sheet"><h2>Charges per day</h2><p class="soft">By the usage of each UTC day.${result.since !== null ? ' Today shows the usage so far.' : ''}${cut}</p>
<figure><figcaption><ul class="key">${key('won', 'tables')}${key('lost', 'streaming')}${wrong.size > 0 && key('band', 'not pro rata')}</ul></figcaption>
${forBothScreens((screen) => chargesPlot(shown, wrong, screen))}
<details><summary>Figures of this plot</summary>${wide(
    'Charges per day',
    html`<table><thead><tr><th scope="col">Day</th><th scope="col" class="units">Table-days</th><th scope="col" class="units">Tables, USD</th><th scope="col" class="units">Streaming, GB</th><th scope="col" class="units">Streaming, USD</th><th scope="col">Source</th></tr></thead><tbody>${rows}</tbody></table>`,
  )}</details></figure></section>`
}
