import { formatUnits, playerScale } from '../../domain/money.ts'
import { byText, type PlayerLine, type Verdict, worstVerdict } from '../../domain/reconcile/daily.ts'
import type { Day } from '../../domain/time/day.ts'
import { secondText } from '../../kit/moment.ts'
import { countText, grouped } from '../../kit/text/count-text.ts'
import type { DayTotal } from '../bets/slips-by-day.ts'
import { hoursText, verdictText } from '../reconcile/daily/messages.ts'
import type { Reconciled } from '../reconcile/daily/reconcile-day.ts'
import type { DayResult } from '../reconcile/daily/schema.ts'
import { fieldName, slipsPart } from './daily-slips.ts'
import { amountText, bothClocks, columnFormat, houseView, longDayText, sentence, signed } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import {
  forBothScreens,
  listPart,
  nextStepsPart,
  type ReportSource,
  reportPage,
  tile,
  verdictSheet,
  verdictTitles,
  wide,
} from './layout.ts'
import { daysPlot, type PlayerBar, playersPlot, shownBars } from './plots.ts'

/** Content of the page. */
export interface DailyReport {
  /** One day, or the days of a range in order. */
  readonly days: readonly Reconciled[]
  /** Days around them in the book. */
  readonly around: { readonly days: readonly Day[]; readonly totals: readonly DayTotal[] }
  /** The book, its files and the CSV file. */
  readonly sources?: readonly ReportSource[]
  /** Time of the comparison, epoch milliseconds. */
  readonly madeAt: number
  /** Program and version. */
  readonly madeBy: string
}

/** Renders the result as one self-contained page. */
export function dailyPage(report: DailyReport): string {
  const results = report.days.map(({ result }) => result)
  const [first, last] = [results[0], results.at(-1)]
  if (!first || !last) throw new Error('a report needs at least one day')
  const isRange = results.length > 1
  const title = isRange ? `${first.date} to ${last.date}` : first.date
  return reportPage({
    title: `Reconciliation of ${first.companyCode}, ${title}: ${verdictTitles[worstVerdict(results.map(({ verdict }) => verdict))]}`,
    over: `Daily reconciliation · ${first.companyCode} · ${first.environment}`,
    heading: isRange ? `${longDayText(first.date)} to ${longDayText(last.date)}` : longDayText(first.date),
    under: `${first.timezone}${isRange ? ` · ${countText(results.length, 'day')}` : ` · ${hoursText(first.hours)}`} · the platform’s summary against the book’s highest revisions`,
    content: html`${isRange ? rangeParts(report, results) : dayParts(first)}
${plotParts(report)}
${isRange ? results.filter((day) => day.verdict !== 'balanced').map(daySection) : [totalsPart(first), evidencePart(first)]}`,
    foot: `Compared at ${secondText(report.madeAt)} by ${report.madeBy}. Figures are the players’: a positive figure means that players won and the house lost. GGR is the house’s view of the win/loss.`,
    ...(report.sources && { sources: report.sources }),
  })
}

function dayParts(day: DayResult): Part {
  return [
    verdictPart(day),
    tilesPart(day),
    nextStepsPart(day.next),
    reasonsPart(day),
    differencesPart(day),
    listPart(
      'Explanations',
      day.explanations.slice(0, maxRows).map(({ message }) => message),
    ),
    boundaryPart(day),
    slipsPart(day, traceText(day)),
    listPart('Warnings', day.warnings),
  ]
}

const verdictPart = (day: DayResult): Markup => verdictSheet(day.verdict, verdictText(day), `Verdict, ${day.date}`)

function tilesPart(day: DayResult): Markup {
  const winLoss = day.totals.filter(({ field }) => field === 'winLoss')
  return html`<ul class="tiles">
${tile(grouped(day.compared), day.differing === 0 ? 'players compared' : `players compared, ${grouped(day.differing)} with differences`)}
${tile(grouped(day.booked.slips), `slips in the book, ${grouped(day.platform.slips)} at the platform`)}
${winLoss.slice(0, 3).map((total) => {
  const words = `${total.currency ?? 'Unknown currency'}, players’ win/loss`
  const isSame = total.difference === '0'
  return tile(
    amountText(total.book),
    isSame ? `${words} on both sides` : `${words} in the book, ${amountText(total.platform)} at the platform`,
  )
})}
${winLoss.slice(0, 3).map((total) => tile(amountText(houseView(total.book)), `${total.currency ?? 'Unknown currency'}, GGR (house) in the book`))}
${tile(grouped(day.revisions), 'revisions with checked arithmetic')}
</ul>`
}

function reasonsPart(day: DayResult): Part {
  if (day.reasons.length === 0) return null
  const intro =
    day.verdict === 'differences'
      ? 'These reasons do not explain the differences; other figures may be doubtful.'
      : 'Each of these reasons makes the result inconclusive, even if the figures agree.'
  return html`<section class="sheet"><h2>Reasons for an inconclusive result</h2><p class="soft">${intro}</p>
<ul>${day.reasons.map(({ message }) => html`<li>${sentence(message)}</li>`)}</ul></section>`
}

/** Maximum number of rows; CSV and JSON have all. */
const maxRows = 500

function differencesPart(day: DayResult): Part {
  const { differences } = day
  if (differences.length === 0) return null
  // Amounts that are compared have the same number of decimals.
  const amounts = differences.filter(({ field }) => field !== 'slips')
  const format = columnFormat(amounts.flatMap(({ platform, book, difference }) => [platform, book, difference]))
  const rows = differences.slice(0, maxRows).map((each, i) => {
    const text = each.field === 'slips' ? amountText : format
    return html`<tr class="${edges(differences, i)}"><th scope="row"><span class="${each.player === differences[i - 1]?.player ? 'repeated' : 'first'}"><bdi>${each.player}</bdi>${each.currency !== null && html` <span class="soft">${each.currency}</span>`}</span></th><td>${fieldName(each.field)}</td>
<td class="units">${text(each.platform)}</td><td class="units">${text(each.book)}</td>
<td class="units off">${each.difference === null ? 'not a number' : signed(text(each.difference))}</td><td>${each.certain ? 'certain' : html`<span class="tag quiet">in doubt</span>`}</td></tr>`
  })
  return html`<section class="sheet"><h2>Differences</h2>${wide(
    `Differences, ${day.date}`,
    html`<table class="grouped"><caption>Platform minus book.${cutNote(differences.length)}</caption>
<thead><tr><th scope="col">Player</th><th scope="col">Field</th><th scope="col" class="units">Platform</th><th scope="col" class="units">Book</th><th scope="col" class="units">Difference</th><th scope="col">Certainty</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}</section>`
}

/** Returns the classes that mark the first and the last row of a player. */
const edges = (rows: readonly { readonly player: string }[], i: number): string =>
  [rows[i - 1]?.player === rows[i]?.player ? '' : 'starts', rows[i + 1]?.player === rows[i]?.player ? '' : 'ends'].join(
    ' ',
  )

const cutNote = (count: number) => (count > maxRows ? ` The first ${maxRows} of ${grouped(count)}.` : '')

function boundaryPart({ boundary, dayRule, date }: DayResult): Part {
  if (boundary === null)
    return dayRule.from === 'documented'
      ? null
      : html`<section class="sheet"><h2>Day boundary</h2><p>${dayRule.message}.</p></section>`
  const rows = boundary.candidates.map(
    ({ basis, timezone, hours, slips, differing, matches, isComplete }) =>
      html`<tr><th scope="row">${basis}</th><td>${timezone}</td><td class="units">${hours}</td><td class="units">${grouped(slips)}</td><td class="units">${grouped(differing)}</td><td>${matches ? 'yes' : isComplete ? 'no' : 'not in the book'}</td></tr>`,
  )
  return html`<section class="sheet"><h2>Day boundary</h2><p>${dayRule.message}.</p>${wide(
    `Day boundary, ${date}`,
    html`<table><caption>The day by every rule: ${boundary.message}.</caption>
<thead><tr><th scope="col">Slips count by</th><th scope="col">Time zone</th><th scope="col" class="units">Hours</th><th scope="col" class="units">Slips</th><th scope="col" class="units">Players differ</th><th scope="col">Match</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  )}</section>`
}

function traceText({ trace }: DayResult): string {
  const read = `${countText(trace.records, 'record')} of the platform read again`
  const texts = {
    'not-needed': 'The platform’s records were not read again, because nothing differs.',
    off: 'Tracing was disabled: the slips are named by the book alone.',
    impossible: trace.note ?? '',
    failed: trace.note ?? '',
    partial: `${read}, not the whole day: ${trace.note ?? ''}.`,
    complete: `${read} and compared with the book.`,
  } as const satisfies Record<DayResult['trace']['state'], string>
  return texts[trace.state]
}

function totalsPart(day: DayResult): Part {
  if (day.totals.length === 0) return null
  const currencies = [...new Set(day.totals.map(({ currency }) => currency))]
  return html`<section class="sheet"><h2>Totals</h2>${currencies.map((currency) => {
    const players = day.totals.filter((total) => total.currency === currency)
    // The house's view is below that of the players.
    const own = players.flatMap((total) =>
      total.field !== 'winLoss'
        ? [total]
        : [
            total,
            {
              ...total,
              field: 'ggr',
              platform: houseView(total.platform),
              book: houseView(total.book),
              difference: houseView(total.difference),
            },
          ],
    )
    const name = currency ?? 'Currency unknown'
    const amounts = columnFormat(
      own.flatMap((each) => (each.field === 'slips' ? [] : [each.platform, each.book, each.difference])),
    )
    const rows = own.map((total) => {
      const format = total.field === 'slips' ? amountText : amounts
      return html`<tr><th scope="row">${fieldName(total.field)}</th><td class="units">${format(total.platform)}</td><td class="units">${format(total.book)}</td>
<td class="units${total.difference === '0' ? '' : ' off'}">${total.difference === '0' ? format('0') : signed(format(total.difference))}</td></tr>`
    })
    return html`<h3>${name} <span class="soft">· ${countText(own[0]?.players ?? 0, 'player')}</span></h3>${wide(
      `Totals, ${name}, ${day.date}`,
      html`<table><thead><tr><th scope="col">Field</th><th scope="col" class="units">Platform</th><th scope="col" class="units">Book</th><th scope="col" class="units">Difference</th></tr></thead><tbody>${rows}</tbody></table>`,
    )}`
  })}</section>`
}

function evidencePart(day: DayResult): Markup {
  const { book } = day
  const moment = (text: string | null) => (text === null ? 'never' : bothClocks(text, day.timezone))
  const rows: [string, string][] = [
    ['Start of the day', moment(day.start)],
    ['End of the day', `${moment(day.end)}, after ${hoursText(day.hours)}`],
    [
      'Counting of slips',
      day.dayRule.from === 'documented'
        ? 'on the day of the first settlement, with the highest revision; voided slips count only in the number of slips'
        : day.dayRule.message,
    ],
    ['Start of the book', book.startedFrom === null ? 'nothing was synced yet' : moment(book.startedFrom)],
    ['Last up to date', moment(book.caughtUpAt)],
    ['Latest settlement', moment(book.latestAt)],
    ['Cursor', book.cursor ?? 'none'],
    ['Records in the book', grouped(book.rows)],
    ['Tracing', traceText(day)],
  ]
  return html`<section class="sheet"><h2>Data sources</h2><dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`
}

const countedVerdicts = {
  balanced: 'balanced',
  differences: 'with differences',
  'cannot-conclude': 'inconclusive',
} as const satisfies Record<Verdict, string>

function rangeParts(report: DailyReport, results: readonly DayResult[]): Part {
  const verdict = worstVerdict(results.map((day) => day.verdict))
  const count = (of: Verdict) => results.filter((day) => day.verdict === of).length
  const sentence = (['balanced', 'differences', 'cannot-conclude'] as const)
    .filter((of) => count(of) > 0)
    .map((of) => `${count(of)} ${countedVerdicts[of]}`)
    .join(', ')
  const booked = results.flatMap(({ totals }) => totals.filter(({ field }) => field === 'winLoss'))
  const [players, house] = [
    columnFormat(booked.map(({ book }) => book)),
    columnFormat(booked.map(({ book }) => houseView(book))),
  ]
  const rows = report.days.map(({ result: day }) => {
    const name = day.verdict === 'balanced' ? html`${day.date}` : html`<a href="#day-${day.date}">${day.date}</a>`
    const winLoss = day.totals.filter(({ field }) => field === 'winLoss')
    return html`<tr><th scope="row">${name}</th><td><span class="tag ${day.verdict}">${verdictTitles[day.verdict]}</span></td><td class="units">${day.hours}</td>
<td class="units">${grouped(day.compared)}</td><td class="units">${grouped(day.platform.slips)}</td><td class="units">${grouped(day.booked.slips)}</td>
<td class="units">${winLoss.map((total, i) => html`${i > 0 && html`<br>`}${total.currency ?? ''} ${players(total.book)}`)}</td><td class="units">${winLoss.map((total, i) => html`${i > 0 && html`<br>`}${total.currency ?? ''} ${house(houseView(total.book))}`)}</td></tr>`
  })
  return html`${verdictSheet(verdict, `${countText(results.length, 'day')}: ${sentence}.`)}
<section class="sheet"><h2>Day by day</h2>${wide(
    'Day by day',
    html`<table><thead><tr><th scope="col">Day</th><th scope="col">Verdict</th><th scope="col" class="units">Hours</th><th scope="col" class="units">Players</th><th scope="col" class="units">Slips, platform</th><th scope="col" class="units">Slips, book</th><th scope="col" class="units">Players’ win/loss</th><th scope="col" class="units">GGR (house)</th></tr></thead><tbody>${rows}</tbody></table>`,
  )}</section>`
}

function daySection(day: DayResult): Markup {
  return html`<section id="day-${day.date}"><h2>${longDayText(day.date)}</h2>${dayParts(day)}${totalsPart(day)}${evidencePart(day)}</section>`
}

/** Maximum number of currencies with plots; the tables have all. */
const maxCurrencies = 4

function plotParts(report: DailyReport): Part {
  return [daysPart(report), playersPart(report)]
}

function daysPart({ days, around }: DailyReport): Markup {
  const marked = new Set(days.map(({ result }) => result.date))
  const slips = Map.groupBy(around.totals, ({ currency }) => currency)
  const currencies = [...slips.keys()].sort((a, b) => slipsOf(slips.get(b)) - slipsOf(slips.get(a)) || byText(a, b))
  if (currencies.length === 0)
    return html`<section class="sheet"><h2>Win/loss per day</h2><p class="soft">The book has no slips around this day.</p></section>`
  const figures = currencies.slice(0, maxCurrencies).map((currency) => {
    const totals = new Map((slips.get(currency) ?? []).map((total) => [total.day, total]))
    const texts = around.days.map((day) => formatUnits(totals.get(day)?.winLoss ?? 0n, playerScale))
    const [won, house] = [columnFormat(texts), columnFormat(texts.map(houseView))]
    const rows = around.days.map((day, i) => {
      const text = texts[i] ?? ''
      const total = totals.get(day)
      if (!total?.slips && !marked.has(day)) return null
      return html`<tr><th scope="row">${day}${marked.has(day) ? html` <span class="tag quiet">this day</span>` : ''}</th><td class="units">${grouped(total?.slips ?? 0)}</td><td class="units">${won(text)}</td><td class="units">${house(houseView(text))}</td></tr>`
    })
    const empty = rows.filter((row) => row === null).length
    return html`<figure><figcaption><h3>${currency}</h3>${dayKey(marked.size)}</figcaption>
${forBothScreens((screen) => daysPlot(around.days, totals, marked, currency, screen))}
<details><summary>Figures of this plot</summary>${wide(
      `Win/loss per day, ${currency}`,
      html`<table>${empty > 0 && html`<caption>${countText(empty, 'day')} without slips: not listed.</caption>`}<thead><tr><th scope="col">Day</th><th scope="col" class="units">Slips</th><th scope="col" class="units">Players’ win/loss, ${currency}</th><th scope="col" class="units">GGR (house), ${currency}</th></tr></thead><tbody>${rows}</tbody></table>`,
    )}</details></figure>`
  })
  return html`<section class="sheet"><h2>Win/loss per day</h2><p class="soft">Figures of the book, each slip on the day of its first settlement. Above the line players won, below it they lost.</p>${figures}${moreCurrencies(currencies)}</section>`
}

const slipsOf = (totals: readonly DayTotal[] | undefined) => (totals ?? []).reduce((sum, { slips }) => sum + slips, 0)

function moreCurrencies(currencies: readonly string[]): Part {
  const rest = currencies.slice(maxCurrencies)
  return rest.length > 0 && html`<p class="soft">Not plotted: ${rest.join(', ')}.</p>`
}

function keyItem(shape: Markup, words: string): Markup {
  return html`<li><svg viewBox="0 0 12 12" aria-hidden="true">${shape}</svg>${words}</li>`
}

const wonKey = () => keyItem(html`<rect class="won" width="12" height="12" rx="2"/>`, 'players won')
const lostKey = () => keyItem(html`<rect class="lost" width="12" height="12" rx="2"/>`, 'players lost')

function dayKey(marked: number): Markup {
  const band = keyItem(
    html`<rect class="band" width="12" height="12" rx="2"/>`,
    marked === 1 ? 'reconciled day' : 'reconciled days',
  )
  return html`<ul class="key">${wonKey()}${lostKey()}${band}</ul>`
}

function playersPart({ days }: DailyReport): Part {
  const bars = playerBars(days.flatMap(({ lines }) => lines))
  const currencies = [...bars.keys()].sort(
    (a, b) => (bars.get(b)?.length ?? 0) - (bars.get(a)?.length ?? 0) || byText(a, b),
  )
  if (currencies.length === 0) return null
  const figures = currencies.slice(0, maxCurrencies).map((currency) => {
    const all = bars.get(currency) ?? []
    const shown = shownBars(all)
    const differs = shown.some((bar) => bar.platform !== null)
    const text = (units: bigint) => formatUnits(units, playerScale)
    const [book, platform] = [
      columnFormat(shown.map((bar) => text(bar.book))),
      columnFormat(shown.map((bar) => text(bar.platform ?? bar.book))),
    ]
    const rows = shown.map(
      (bar) =>
        html`<tr><th scope="row"><bdi>${bar.username}</bdi></th><td class="units">${book(text(bar.book))}</td><td class="units${bar.differs ? ' off' : ''}">${platform(text(bar.platform ?? bar.book))}</td><td class="units">${book(text(-bar.book))}</td></tr>`,
    )
    if (shown.length === 0)
      return html`<figure><figcaption><h3>${currency}</h3></figcaption><p class="soft">No player won or lost.</p></figure>`
    return html`<figure><figcaption><h3>${currency} <span class="soft">· ${shown.length < all.length ? `${shown.length} of ${countText(all.length, 'player')}: the largest wins and losses, and differences` : countText(all.length, 'player')}</span></h3>
<ul class="key">${wonKey()}${lostKey()}${differs && keyItem(html`<path class="stated" d="M6 1l5 5l-5 5l-5-5z"/>`, 'platform, if different')}</ul></figcaption>
${forBothScreens((screen) => playersPlot(shown, currency, screen))}
<details><summary>Figures of this plot</summary>${wide(
      `Win/loss per player, ${currency}`,
      html`<table><thead><tr><th scope="col">Player</th><th scope="col" class="units">Book, ${currency}</th><th scope="col" class="units">Platform, ${currency}</th><th scope="col" class="units">GGR (house), ${currency}</th></tr></thead><tbody>${rows}</tbody></table>`,
    )}</details></figure>`
  })
  const sentence = days.length > 1 ? 'All reconciled days together.' : 'Figures by the book’s highest revisions.'
  return html`<section class="sheet"><h2>Win/loss per player</h2><p class="soft">${sentence} Players on the right won, players on the left lost.</p>${figures}${moreCurrencies(currencies)}</section>`
}

/** Returns every player's win/loss over the days, by currency. */
function playerBars(lines: readonly PlayerLine[]): Map<string, PlayerBar[]> {
  const sums = new Map<
    string,
    { currency: string; username: string; book: bigint; platform: bigint; isRead: boolean; differs: boolean }
  >()
  for (const line of lines) {
    const winLoss = line.fields.find(({ field }) => field === 'winLoss')
    if (!winLoss) continue
    const currency = line.currency ?? 'unknown currency'
    const key = `${currency} ${line.player}`
    const sum = sums.get(key) ?? {
      currency,
      username: line.username,
      book: 0n,
      platform: 0n,
      isRead: true,
      differs: false,
    }
    sums.set(key, {
      ...sum,
      book: sum.book + winLoss.book,
      platform: sum.platform + (winLoss.platform ?? 0n),
      isRead: sum.isRead && winLoss.platform !== null,
      differs: sum.differs || !line.matches,
    })
  }
  const bars = [...sums.values()].map(({ currency, username, book, platform, isRead, differs }) => ({
    currency,
    bar: { username, book, platform: isRead && platform !== book ? platform : null, differs },
  }))
  const byCurrency = Map.groupBy(bars, ({ currency }) => currency)
  return new Map([...byCurrency].map(([currency, own]) => [currency, own.map(({ bar }) => bar)]))
}
