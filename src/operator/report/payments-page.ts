import { createHash } from 'node:crypto'
import { type Finding, findingKinds } from '../../domain/reconcile/payments.ts'
import type { PaymentsReconciled } from '../reconcile/payments/reconcile.ts'
import { html, type Markup, type Part } from './html.ts'
import { style } from './style.ts'

/** Content of the page. */
export interface PaymentsReport {
  readonly result: PaymentsReconciled
  /** Range of the compared payments, in words. */
  readonly range: string
  /** Time of the comparison, epoch milliseconds. */
  readonly madeAt: number
  /** Program and version. */
  readonly madeBy: string
}

const verdictTitles = {
  balanced: 'Balanced',
  differences: 'Differences',
  'cannot-conclude': 'Inconclusive',
} as const satisfies Record<PaymentsReconciled['verdict'], string>

const verdictTexts = {
  balanced: 'Every payment has its callback, was paid in full, and agrees with the orders.',
  differences: 'The findings below need attention.',
  'cannot-conclude': 'No difference was found, but the data is not sufficient; see below.',
} as const satisfies Record<PaymentsReconciled['verdict'], string>

/** Maximum number of rows; CSV and JSON have all. */
const maxRows = 500

/** Renders the result as one self-contained page, with a policy that forbids everything else. */
export function paymentsPage({ result, range, madeAt, madeBy }: PaymentsReport): string {
  const { verdict, findings, doubts } = result
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Reconciliation of payments: ${verdictTitles[verdict]}</title>
`
  const body = html`</head>
<body>
<header>
<div class="over">Reconciliation of payments</div>
<h1>${range}</h1>
<p class="under">payments of the gateway against received callbacks${result.orders === null ? '' : ' and the merchant’s orders'}</p>
</header>
<main>
<section class="sheet verdict ${verdict}" aria-label="Verdict"><div><h2>${verdictTitles[verdict]}</h2><p>${verdictTexts[verdict]}</p></div></section>
${tiles(result)}
${doubtsPart(doubts)}
${findingsPart(findings)}
</main>
<footer><p>Compared at ${new Date(madeAt).toISOString()} by ${madeBy}.</p></footer>
</body>
</html>
`
  // The style is inserted unescaped, because its hash covers these exact bytes.
  return `${head}<style>${style}</style>\n${body}`
}

function tiles({ payments, callbacks, orders, findings }: PaymentsReconciled): Markup {
  const kinds = findingKinds.map((kind) => [kind, findings.filter((each) => each.kind === kind).length] as const)
  return html`<ul class="tiles">
${tile(payments, 'payments')}${tile(callbacks, 'callbacks about them')}${orders === null ? null : tile(orders, 'orders')}
${kinds.filter(([, count]) => count > 0).map(([kind, count]) => tile(count, kind))}
</ul>`
}

const tile = (count: number, words: string) =>
  html`<li class="tile"><b>${count.toLocaleString('en-US')}</b><span>${words}</span></li>`

function doubtsPart(doubts: readonly string[]): Part {
  if (doubts.length === 0) return null
  return html`<section class="sheet"><h2>Reasons for an inconclusive result</h2>
<ul>${doubts.map((doubt) => html`<li>${doubt}</li>`)}</ul></section>`
}

function findingsPart(findings: readonly Finding[]): Part {
  if (findings.length === 0) return null
  const rows = findings.slice(0, maxRows).map(
    ({
      kind,
      paymentId,
      orderId,
      message,
      expected,
      found,
    }) => html`<tr><th scope="row">${kind}</th><td>${paymentId ?? ''}</td>
<td><bdi>${orderId ?? ''}</bdi></td><td>${message}</td><td>${expected ?? ''}</td><td>${found ?? ''}</td></tr>`,
  )
  const note =
    findings.length > maxRows ? `The first ${maxRows} of ${findings.length.toLocaleString('en-US')}.` : 'All of them.'
  return html`<section class="sheet"><h2>Findings</h2><div class="wide" tabindex="0" role="region" aria-label="Findings">
<table><caption>${note}</caption>
<thead><tr><th scope="col">Kind</th><th scope="col">Payment</th><th scope="col">Order</th><th scope="col">Message</th><th scope="col">Expected</th><th scope="col">Found</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}
