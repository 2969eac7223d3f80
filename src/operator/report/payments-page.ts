import { byText } from '../../domain/reconcile/daily.ts'
import { type Finding, findingKinds } from '../../domain/reconcile/payments.ts'
import { secondText } from '../../kit/moment.ts'
import { grouped } from '../../kit/text/count-text.ts'
import type { PaymentsReconciled } from '../reconcile/payments/reconcile.ts'
import { sentence } from './format.ts'
import { html, type Markup, type Part } from './html.ts'
import { listPart, type ReportSource, reportPage, tile, verdictSheet, verdictTitles, wide } from './layout.ts'

/** Content of the page. */
export interface PaymentsReport {
  readonly result: PaymentsReconciled
  /** Range of the compared payments, in words. */
  readonly range: string
  /** The files that it comes from and was written with. */
  readonly sources?: readonly ReportSource[]
  /** Time of the comparison, epoch milliseconds. */
  readonly madeAt: number
  /** Program and version. */
  readonly madeBy: string
}

const verdictTexts = {
  balanced: 'Every payment has its callback, was paid in full, and agrees with the orders.',
  differences: 'The findings below need attention.',
  'cannot-conclude': 'No difference was found, but the data is not sufficient; see below.',
} as const satisfies Record<PaymentsReconciled['verdict'], string>

/** Maximum number of rows of a kind; CSV and JSON have all. */
const maxRows = 500

/** Renders the result as one self-contained page. */
export function paymentsPage({ result, range, sources = [], madeAt, madeBy }: PaymentsReport): string {
  const { verdict, findings, doubts } = result
  return reportPage({
    title: `Reconciliation of payments: ${verdictTitles[verdict]}`,
    over: 'Reconciliation of payments',
    heading: range,
    under: `payments of the gateway against received callbacks${result.orders === null ? '' : ' and the merchant’s orders'}`,
    content: [
      verdictSheet(verdict, verdictTexts[verdict]),
      tiles(result),
      listPart('Reasons for an inconclusive result', doubts),
      findingsPart(findings),
    ],
    foot: `Compared at ${secondText(madeAt)} by ${madeBy}.`,
    sources,
  })
}

function tiles({ payments, callbacks, orders, findings }: PaymentsReconciled): Markup {
  const kinds = findingKinds.map((kind) => [kind, findings.filter((each) => each.kind === kind).length] as const)
  return html`<ul class="tiles">
${tile(grouped(payments), 'payments')}${tile(grouped(callbacks), 'callbacks about them')}${orders === null ? null : tile(grouped(orders), 'orders')}
${kinds.filter(([, count]) => count > 0).map(([kind, count]) => tile(grouped(count), kind))}
</ul>`
}

/** Lists the findings folded by kind. Payments are in the order of their numbers, which is that of their creation. */
function findingsPart(findings: readonly Finding[]): Part {
  if (findings.length === 0) return null
  const byKind = Map.groupBy(findings, ({ kind }) => kind)
  const isWhole = [...byKind.values()].every(({ length }) => length <= maxRows)
  const note = isWhole ? 'All of them.' : `At most ${maxRows} of each kind.`
  return html`<section class="sheet"><h2>Findings</h2><p class="soft">${note}</p>${findingKinds.map((kind) => {
    const all = byKind.get(kind) ?? []
    if (all.length === 0) return null
    const own = all.toSorted((a, b) => byText(orderOf(a), orderOf(b))).slice(0, maxRows)
    const counted = own.length === all.length ? grouped(own.length) : `${grouped(own.length)} of ${grouped(all.length)}`
    return html`<details><summary>${kind}: ${counted}</summary>${wide(
      `Findings, ${kind}`,
      html`<table><thead><tr><th scope="col">Payment</th><th scope="col">Order</th><th scope="col">Message</th><th scope="col">Expected</th><th scope="col">Found</th></tr></thead>
<tbody>${own.map(findingRow)}</tbody></table>`,
    )}</details>`
  })}</section>`
}

/** Findings without a payment are last. */
const orderOf = ({ paymentId, orderId }: Finding): string => `${paymentId?.padStart(20) ?? '~'} ${orderId ?? ''}`

function findingRow({ paymentId, orderId, message, expected, found }: Finding): Markup {
  return html`<tr><th scope="row">${paymentId ?? ''}</th><td><bdi>${orderId ?? ''}</bdi></td><td>${sentence(message)}</td><td>${expected ?? ''}</td><td>${found ?? ''}</td></tr>`
}
