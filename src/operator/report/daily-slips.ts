import { formatAmount, isAmount, parseAmount, sum } from '../../domain/money.ts'
import { byText } from '../../domain/reconcile/daily.ts'
import { countText, grouped } from '../../kit/text/count-text.ts'
import { findingNames } from '../reconcile/daily/messages.ts'
import { type ConcernedSlip, type DayResult, slipFindings } from '../reconcile/daily/schema.ts'
import { columnFormat, houseView, sentence, signed } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import { wide } from './layout.ts'

/** Affected slips of a reconciled day: summed by kind of finding, and each slip once with all its findings. */

const fieldNames: Readonly<Record<string, string>> = {
  slips: 'Slips',
  stake: 'Stake',
  hold: 'Hold',
  validStake: 'Valid stake',
  rolling: 'Rolling',
  payout: 'Payout',
  winLoss: 'Win/loss (players)',
  ggr: 'GGR (house)',
  rake: 'Rake',
  delta: 'Delta',
}
/** Returns the label of a figure. */
export const fieldName = (field: string) => fieldNames[field] ?? field

/** Maximum number of slips; CSV and JSON have all. */
const maxSlips = 500

type Slip = readonly ConcernedSlip[]

export function slipsPart(day: DayResult, trace: string): Part {
  if (day.slips.length === 0) return null
  const slips = [...Map.groupBy(day.slips, ({ slipId }) => slipId).values()].sort((a, b) =>
    byText(dateOf(a), dateOf(b)),
  )
  const kinds = slipFindings.filter((kind) => day.slips.some(({ finding }) => finding === kind))
  const left = day.slipsLeftOut > 0 ? ` ${grouped(day.slipsLeftOut)} more are not listed.` : ''
  const cut = slips.length > maxSlips ? ` The first ${maxSlips} of ${grouped(slips.length)}.` : ''
  const listed = slips.slice(0, maxSlips)
  return html`<section class="sheet"><h2>Affected slips</h2>${sumsPart(day, kinds)}
<p class="soft">${sentence(trace)}${cut}${left}</p>${kinds.map((kind) => {
    // A slip is listed below the first of its kinds.
    const own = listed.filter((slip) => kinds.find((each) => slip.some(({ finding }) => finding === each)) === kind)
    if (own.length === 0) return null
    return html`<details><summary>${findingNames[kind]}: ${countText(own.length, 'slip')}</summary>${wide(
      `Affected slips, ${findingNames[kind]}, ${day.date}`,
      html`<table class="stack"><thead><tr><th scope="col">Findings</th><th scope="col">Slip</th><th scope="col">Player</th><th scope="col">Details</th></tr></thead>
<tbody>${own.map(slipRow)}</tbody></table>`,
    )}</details>`
  })}</section>`
}

/** Returns the sort key of a slip: its time, then its ID. */
const dateOf = ([first]: Slip): string => `${first?.settledAt} ${first?.slipId}`

/** Renders the findings of each kind, with the amount that the players got at the platform beyond the book's figure. */
function sumsPart({ slips: findings, date }: DayResult, kinds: readonly ConcernedSlip['finding'][]): Markup {
  const lines = kinds.flatMap((kind) => {
    const own = findings.filter(({ finding }) => finding === kind)
    return [...Map.groupBy(own, ({ currency }) => currency)].map(([currency, rows]) => ({
      kind,
      currency,
      slips: new Set(rows.map(({ slipId }) => slipId)).size,
      difference: formatAmount(sum([...Map.groupBy(rows, ({ slipId }) => slipId).values()].map(winLossOf))),
    }))
  })
  const [players, house] = [
    columnFormat(lines.map(({ difference }) => difference)),
    columnFormat(lines.map(({ difference }) => houseView(difference))),
  ]
  const shown = (text: string) => (/[1-9]/.test(text) ? signed(text) : text)
  const rows = lines.map(
    ({ kind, currency, slips, difference }) =>
      html`<tr><th scope="row">${findingNames[kind]}</th><td>${currency}</td><td class="units">${grouped(slips)}</td><td class="units">${shown(players(difference))}</td><td class="units">${shown(house(houseView(difference)))}</td></tr>`,
  )
  return wide(
    `Findings by kind, ${date}`,
    html`<table><caption>Win/loss: platform minus book.</caption><thead><tr><th scope="col">Finding</th><th scope="col">Currency</th><th scope="col" class="units">Slips</th><th scope="col" class="units">Win/loss (players)</th><th scope="col" class="units">GGR (house)</th></tr></thead><tbody>${rows}</tbody></table>`,
  )
}

/** Returns the difference in win/loss of a slip, by its highest revision. A record that one side does not have counts as 0 there. */
function winLossOf(slip: Slip): bigint {
  const latest = slip.reduce<ConcernedSlip | undefined>(
    (best, each) => (best && best.rev >= each.rev ? best : each),
    undefined,
  )
  const each = latest?.fields.find(({ field }) => field === 'winLoss')
  const units = (text: string | null | undefined) => (text != null && isAmount(text) ? parseAmount(text) : 0n)
  return units(each?.platform) - units(each?.book)
}

function slipRow(slip: Slip): Part {
  const [first] = slip
  if (!first) return null
  const tags = slip.map(({ finding }) => {
    const isProven = finding !== 'candidate' && finding !== 'newer-than-book'
    return html`<span class="tag ${isProven ? 'differences' : 'quiet'}">${findingNames[finding]}</span> `
  })
  return html`<tr><td>${tags}</td>
<td class="slip"><span class="id">${first.slipId}</span><br><span class="soft">${[...new Set(slip.map(({ rev, status }) => `revision ${rev}, ${status}`))].join('; ')}</span></td>
<td class="who"><bdi>${first.player}</bdi><br><span class="soft">${first.tableId}</span></td>
<td class="details"><span class="soft">${first.settledAt}, round </span><span class="id">${first.roundId}</span>${slip.map((each) => html`${each.note !== null && html`<p>${sentence(each.note)}</p>`}${pairsPart(each)}`)}</td></tr>`
}

function pairsPart({ fields }: ConcernedSlip): Part {
  if (fields.length === 0) return null
  const [platform, book] = [
    columnFormat(fields.map((each) => each.platform)),
    columnFormat(fields.map((each) => each.book)),
  ]
  const cell = (text: string | null, format: (text: string) => string) =>
    text === null ? html`<span class="soft">none</span>` : html`<span class="units">${format(text)}</span>`
  return html`<div class="pairs"><span class="soft">Field</span><span class="soft units">Platform</span><span class="soft units">Book</span>
${fields.map((each) => [html`<span>${fieldName(each.field)}</span>`, cell(each.platform, platform), cell(each.book, book)])}</div>`
}
