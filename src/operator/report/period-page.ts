import { secondText } from '../../kit/moment.ts'
import { countText } from '../../kit/text/count-text.ts'
import { sumBy } from '../reconcile/periods/figures.ts'
import type { PeriodDetails, PeriodFigures, PeriodLine } from '../reconcile/periods/schema.ts'
import { fieldName } from './daily-slips.ts'
import { amountText, bothClocks, columnFormat, columnFormats, dayText, sentence } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import { type ReportSource, reportPage, signaturesPart, tile, wide } from './layout.ts'

/** Content of the page. */
export interface PeriodPage {
  readonly details: PeriodDetails
  readonly lines: readonly PeriodLine[]
  /** Time of the report, epoch milliseconds. */
  readonly madeAt: number
  /** Program and version. */
  readonly madeBy: string
  /** Name of the book, without a password. */
  readonly book?: string
  /** The CSV file written with it. */
  readonly csv: { readonly name: string; readonly sha256: string } | null
}

const stateTexts = {
  open: 'Open: not signed off. These are the current figures.',
  closed: 'Closed by one person, and not approved yet.',
  approved: 'Closed by one person and approved by another.',
  restated: 'Figures changed after the close. The totals are those of the close; the changes are listed below.',
} as const satisfies Record<PeriodDetails['state'], string>

const stateClass = {
  open: 'cannot-conclude',
  closed: 'cannot-conclude',
  approved: 'balanced',
  restated: 'differences',
} as const

/** Renders a period as one self-contained page to print and sign: page numbers and report ID at the foot of every sheet. */
export function periodPage(page: PeriodPage): string {
  const { details, lines, madeAt, madeBy } = page
  const { period, state, companyCode, environment, timezone, reportId, days } = details
  return reportPage({
    title: `Period ${period} of ${companyCode}: ${state}`,
    over: `Period report · ${companyCode} · ${environment}`,
    heading: headingOf(details),
    under: `${timezone} · ${countText(days.length, 'day')} · report ${reportId}`,
    content: [
      html`<section class="sheet verdict ${stateClass[state]}" aria-label="State"><div><h2>${state.charAt(0).toUpperCase()}${state.slice(1)}</h2><p>${stateTexts[state]}</p></div></section>`,
      tilesPart(details),
      figuresTable('Totals by currency', sumBy(lines, ['currency']), [['currency', 'Currency']]),
      figuresTable('By game', sumBy(lines, ['currency', 'game']), [
        ['game', 'Game'],
        ['currency', 'Currency'],
      ]),
      figuresTable('By table', sumBy(lines, ['currency', 'game', 'tableId']), [
        ['tableId', 'Table'],
        ['game', 'Game'],
        ['currency', 'Currency'],
      ]),
      figuresTable('By day', sumBy(lines, ['currency', 'date']), [
        ['date', 'Day'],
        ['currency', 'Currency'],
      ]),
      restatedPart(details),
      daysPart(details),
      breaksPart(details),
      historyPart(details),
    ],
    sources: sourcesOf(details, page),
    signatures: signaturePart(details),
    reportId,
    foot: `Made at ${secondText(madeAt)} by ${madeBy}. Figures are those of the book: every slip on the day of its first settlement, with its highest revision; seats on site do not count. GGR is the house’s view: the win/loss of the players with the other sign.`,
  })
}

const headingOf = ({ period, days }: PeriodDetails): string =>
  days.length === 1
    ? dayText(period)
    : `${new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(new Date(`${period}-15T12:00:00Z`))}`

function tilesPart({ totals, breaks, days }: PeriodDetails): Markup {
  const balanced = days.filter(({ reasons }) => reasons.length === 0).length
  return html`<ul class="tiles">
${totals.slice(0, 4).map(({ currency, ggr }) => tile(amountText(ggr), `GGR, ${currency}`))}
${tile(`${balanced} of ${days.length}`, 'days balanced, or with closed breaks')}
${tile(`${breaks.open}`, 'open breaks')}${tile(`${breaks.closed}`, 'closed breaks')}
</ul>`
}

const figureColumns = [
  ['slips', 'Slips'],
  ['stake', 'Stake'],
  ['validStake', 'Valid stake'],
  ['payout', 'Payout'],
  ['winLoss', 'Win/loss'],
  ['rake', 'Rake'],
  ['ggr', 'GGR (house)'],
] as const satisfies readonly (readonly [keyof PeriodFigures, string])[]

function figuresTable<Row extends PeriodFigures>(
  title: string,
  rows: readonly Row[],
  names: readonly (readonly [keyof Row & string, string])[],
): Part {
  if (rows.length === 0)
    return title === 'Totals by currency'
      ? html`<section class="sheet"><h2>${title}</h2><p>No slips in this period.</p></section>`
      : null
  const format = columnFormats<keyof PeriodFigures>(
    rows,
    figureColumns.map(([key]) => key),
  )
  return html`<section class="sheet"><h2>${title}</h2>${wide(
    title,
    html`<table><thead><tr>${names.map(([, name]) => html`<th scope="col">${name}</th>`)}${figureColumns.map(([, name]) => html`<th scope="col" class="units">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
      (row) =>
        html`<tr>${names.map(([key], i) => (i === 0 ? html`<th scope="row" class="whole">${String(row[key])}</th>` : html`<td>${String(row[key])}</td>`))}${figureColumns.map(([key]) => html`<td class="units">${format[key](row[key])}</td>`)}</tr>`,
    )}</tbody></table>`,
  )}</section>`
}

function restatedPart({ restated }: PeriodDetails): Part {
  if (restated.length === 0) return null
  const format = columnFormats(
    restated.flatMap(({ fields }) => fields),
    ['before', 'after', 'change'],
  )
  const rows = restated.flatMap(({ player, currency, fields, breakId, breakState }) =>
    fields.map(
      (each, i) =>
        html`<tr><th scope="row">${i === 0 ? html`<bdi>${player}</bdi> <span class="soft">${currency}</span>` : ''}</th><td class="whole">${fieldName(each.field)}</td>
<td class="units">${format.before(each.before)}</td><td class="units">${format.after(each.after)}</td><td class="units off">${format.change(each.change)}</td>
<td>${i === 0 ? html`<span class="id whole">${breakId ?? ''}</span> ${breakState ?? ''}` : ''}</td></tr>`,
    ),
  )
  return html`<section class="sheet"><h2>Changes after the close</h2>${wide(
    'Changes after the close',
    html`<table><thead><tr><th scope="col">Player</th><th scope="col">Figure</th><th scope="col" class="units">At the close</th><th scope="col" class="units">Now</th><th scope="col" class="units">Change</th><th scope="col">Break</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}</section>`
}

function daysPart({ days }: PeriodDetails): Markup {
  return html`<section class="sheet"><h2>Reconciliation of the days</h2>${wide(
    'Days',
    html`<table><thead><tr><th scope="col">Day</th><th scope="col">Verdict</th><th scope="col">Keeps the period open</th></tr></thead>
<tbody>${days.map(({ date, verdict, reasons }) => html`<tr><th scope="row" class="whole">${date}</th><td>${verdict}</td><td class="details">${reasons.join('; ')}</td></tr>`)}</tbody></table>`,
  )}</section>`
}

function breaksPart({ breakList }: PeriodDetails): Markup {
  const format = columnFormat(breakList.map(({ amount }) => amount))
  const rows = breakList.map(
    ({ id, kind, date, state, reason, owner, amount, currency, message }) =>
      html`<tr><th scope="row" class="id whole">${id}</th><td class="whole">${date ?? ''}</td><td>${kind}</td><td>${state}${reason === null ? null : html` <span class="soft">${reason}</span>`}${owner === null ? null : html`<br><span class="soft">${owner}</span>`}</td>
<td class="units">${amount === null ? '' : `${currency ?? ''} ${format(amount)}`}</td><td class="details">${sentence(message)}</td></tr>`,
  )
  const table = html`<table><thead><tr><th scope="col">Break</th><th scope="col">Date</th><th scope="col">Kind</th><th scope="col">State and cause</th><th scope="col" class="units">Amount</th><th scope="col">Finding</th></tr></thead><tbody>${rows}</tbody></table>`
  return html`<section class="sheet"><h2>Breaks</h2>${rows.length === 0 ? html`<p>No breaks in this period.</p>` : wide('Breaks', table)}</section>`
}

function sourcesOf({ bookFiles, digest }: PeriodDetails, { book, csv }: PeriodPage): ReportSource[] {
  return [
    ...(book === undefined ? [] : [{ name: book, content: 'book', sha256: null }]),
    ...(csv === null ? [] : [{ name: csv.name, sha256: csv.sha256, content: 'figures of this report' }]),
    ...bookFiles.map(({ folder, file, rows, bytes, sha256 }) => ({
      name: `${folder}/${file}`,
      sha256,
      content: `${countText(rows, 'row')}, ${countText(bytes, 'byte')}`,
    })),
    ...(digest === null
      ? []
      : [{ name: 'Figures at the close', sha256: digest, content: 'by player, day, game and table' }]),
  ]
}

function historyPart({ history, timezone }: PeriodDetails): Part {
  if (history.length === 0) return null
  return html`<section class="sheet"><h2>History</h2><ol>${history.map(
    ({ what, by, osUser, host, at, text }) =>
      html`<li>${what} by <bdi>${by}</bdi> (${osUser} on ${host}) at ${bothClocks(at, timezone)}${text === null ? null : html`: <span class="id">${text}</span>`}</li>`,
  )}</ol></section>`
}

function signaturePart({ closedBy, closedAt, approvedBy, approvedAt }: PeriodDetails): Markup {
  return signaturesPart('The totals, the breaks with their causes and the hashes above were checked.', [
    { role: 'Closed by', name: closedBy, at: closedAt },
    { role: 'Approved by', name: approvedBy, at: approvedAt },
    { role: 'Controller' },
  ])
}
