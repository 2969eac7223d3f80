import { byText } from '../../domain/reconcile/daily.ts'
import { secondText } from '../../kit/moment.ts'
import { countText, grouped } from '../../kit/text/count-text.ts'
import { settlementText } from '../reconcile/settlement/messages.ts'
import type { SettlementFinding, SettlementResult } from '../reconcile/settlement/schema.ts'
import { columnFormat, houseView, longDayText } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import {
  listPart,
  nextStepsPart,
  type ReportSource,
  reportPage,
  tile,
  verdictSheet,
  verdictTitles,
  wide,
} from './layout.ts'

/** Content of the page. */
export interface SettlementReport {
  readonly result: SettlementResult
  /** The book, its files and the CSV file. */
  readonly sources?: readonly ReportSource[]
  /** Time of the check, epoch milliseconds. */
  readonly madeAt: number
  /** Program and version. */
  readonly madeBy: string
}

/** Maximum number of revisions; CSV and JSON have all. */
const maxFindings = 500

/** Renders the result as one self-contained page. */
export function settlementPage({ result, sources = [], madeAt, madeBy }: SettlementReport): string {
  const { companyCode, environment, date, timezone, verdict } = result
  return reportPage({
    title: `Settlement of ${companyCode}, ${date}: ${verdictTitles[verdict]}`,
    over: `Settlement · ${companyCode} · ${environment}`,
    heading: longDayText(date),
    under: `${timezone} · every slip of the book settled again from its cards by the rules of the games`,
    content: [
      verdictSheet(verdict, settlementText(result)),
      tilesPart(result),
      nextStepsPart(result.next),
      listPart('Reasons for an inconclusive result', [
        ...result.reasons.map(({ message }) => message),
        ...result.notChecked.map(
          ({ slips, message, tables }) => `${countText(slips, 'slip')} at ${tables.join(', ')}: ${message}`,
        ),
      ]),
      totalsPart(result),
      gamesPart(result),
      tablesPart(result),
      findingsPart(result.findings),
    ],
    sources,
    foot: `Checked at ${secondText(madeAt)} by ${madeBy}. Differences are the platform’s figure minus that by the rules: a positive win/loss means that players got more than the rules give.`,
  })
}

const tilesPart = ({ slips, revisions, wrong, unchecked }: SettlementResult): Markup => html`<ul class="tiles">
${tile(grouped(slips), 'slips of the day')}
${tile(grouped(revisions), 'revisions settled again')}
${tile(grouped(wrong), 'slips settled differently by the platform')}
${tile(grouped(unchecked), 'slips not checked completely')}
</ul>`

function totalsPart({ totals }: SettlementResult): Part {
  if (totals.length === 0) return null
  // The house's view is next to that of the players: an excess that they got is its loss.
  const houses = totals.map(({ field, difference }) => (field === 'winLoss' ? houseView(difference) : null))
  const [player, house] = [columnFormat(totals.map(({ difference }) => difference)), columnFormat(houses)]
  const rows = totals.map(
    ({ currency, field, difference, slips }, i) =>
      html`<tr><th scope="row">${currency}</th><td>${field}</td><td class="units off">${player(difference)}</td><td class="units">${houses[i] == null ? '' : house(houses[i])}</td><td class="units">${grouped(slips)}</td></tr>`,
  )
  return html`<section class="sheet"><h2>Differences by currency</h2>${wide(
    'Differences by currency',
    html`<table><caption>Platform minus rules, by the latest revisions.</caption>
<thead><tr><th scope="col">Currency</th><th scope="col">Figure</th><th scope="col" class="units">Difference</th><th scope="col" class="units">GGR (house)</th><th scope="col" class="units">Slips</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}</section>`
}

function gamesPart({ games }: SettlementResult): Part {
  if (games.length === 0) return null
  const rows = games.map(
    ({ game, variant, slips, revisions, wrong, unchecked }) =>
      html`<tr><th scope="row">${game} <span class="soft">${variant}</span></th>${[slips, revisions].map((n) => html`<td class="units">${grouped(n)}</td>`)}
<td class="${wrong > 0 ? 'units off' : 'units'}">${grouped(wrong)}</td><td class="units">${grouped(unchecked)}</td></tr>`,
  )
  return html`<section class="sheet"><h2>Games</h2>${wide(
    'Games',
    html`<table><thead><tr><th scope="col">Game</th><th scope="col" class="units">Slips</th><th scope="col" class="units">Revisions</th><th scope="col" class="units">Settled differently</th><th scope="col" class="units">Not checked</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}</section>`
}

function tablesPart({ tables }: SettlementResult): Part {
  if (tables.length === 0) return null
  return html`<section class="sheet"><h2>Settings of tables</h2><ul>${tables.map(
    ({ tableId, settings, from, slips }) =>
      html`<li>${tableId}: ${settings || 'documented defaults'}, ${from === 'stated' ? 'as stated' : `read from ${countText(slips, 'slip')}`}</li>`,
  )}</ul></section>`
}

/** Lists each slip once, with all its revisions, folded by game and in order of date. */
function findingsPart(findings: readonly SettlementFinding[]): Part {
  if (findings.length === 0) return null
  const shown = findings.slice(0, maxFindings)
  const note =
    findings.length > maxFindings
      ? `The first ${maxFindings} of ${grouped(findings.length)} revisions; the CSV file has all.`
      : 'All of them, each slip once.'
  const slips = [...Map.groupBy(shown, ({ slipId }) => slipId).values()].sort((a, b) => byText(dateOf(a), dateOf(b)))
  const games = Map.groupBy(slips, ([first]) => `${first?.game} ${first?.variant}`)
  return html`<section class="sheet"><h2>Slips settled differently</h2><p class="soft">${note}</p>${[...games].map(
    ([name, own]) =>
      html`<details><summary>${name}: ${countText(own.length, 'slip')}</summary>${wide(
        `Slips settled differently, ${name}`,
        html`<table class="stack"><thead><tr><th scope="col">Slip</th><th scope="col">Player</th><th scope="col">Bets and result</th><th scope="col">Figures</th></tr></thead>
<tbody>${own.map(slipRow)}</tbody></table>`,
      )}</details>`,
  )}</section>`
}

const dateOf = ([first]: readonly SettlementFinding[]): string => `${first?.settledAt} ${first?.slipId}`

function slipRow(revisions: readonly SettlementFinding[]): Part {
  const [first] = revisions
  if (!first) return null
  const { slipId, player, currency, tableId, roundId, game, variant } = first
  return html`<tr><td class="slip"><span class="id">${slipId}</span><br><span class="soft">${first.settledAt}, round <span class="id">${roundId}</span></span></td>
<td class="who"><bdi>${player}</bdi> <span class="soft">${currency}</span></td>
<td>${game} ${variant} at ${tableId}${revisions.map(({ bets, cardInfo, code }) => html`<br>${bets}<br><span class="id">${cardInfo === '' ? 'no cards' : cardInfo}</span> <span class="soft">${code}</span>`)}</td>
<td class="details">${revisions.map(revisionPart)}</td></tr>`
}

function revisionPart({ rev, status, impossible, fields }: SettlementFinding): Markup {
  const [platform, rules] = [
    columnFormat(fields.map((each) => each.platform)),
    columnFormat(fields.map((each) => each.rules)),
  ]
  const figures = fields.map(
    (each) =>
      html`<span>${each.field}</span><span class="units">${platform(each.platform)}</span><span class="units">${rules(each.rules)}</span>`,
  )
  return html`<p class="soft">revision ${rev}, ${status}</p>${impossible !== null && html`<p>${impossible}</p>`}<div class="pairs"><span class="soft">figure</span><span class="soft units">platform</span><span class="soft units">rules</span>${figures}</div>`
}
