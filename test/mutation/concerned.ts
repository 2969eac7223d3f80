import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The tests of use cases, which open a world or a gateway per test: those that state something about the source, fastest first. */
export const ofUseCases: readonly (readonly [sources: string, tests: readonly string[]])[] = [
  ['src/services/casino/queries/{bets,summaries,credit,day-bets}.ts', ['test/services/casino/queries.test.ts']],
  [
    'src/services/casino/{wallet,server/movements,queries/wallets,queries/transfers}.ts',
    ['test/services/casino/movements.test.ts', 'test/services/casino/wallet.test.ts'],
  ],
  ['src/services/casino/bets/read.ts', ['test/services/casino/bets/pages.test.ts']],
  ['src/services/casino/bets/bet-records.ts', ['test/services/casino/bets/bet-records.test.ts']],
  ['src/services/casino/account/daily-bet-count.ts', ['test/services/casino/account/daily-bet-count.test.ts']],
  [
    'src/services/casino/bets/summary.ts',
    ['test/services/casino/bets/summary.test.ts', 'test/services/casino/summary.test.ts'],
  ],
  [
    'src/{services/casino/account/read,services/casino/api/limits,services/casino/account/standing,services/casino/account/low-balance}.ts',
    [
      'test/services/casino/account/low-balance.test.ts',
      'test/services/casino/account/limits.test.ts',
      'test/services/casino/account/read.test.ts',
      'test/services/casino/live/streaming.test.ts',
    ],
  ],
  [
    'src/services/casino/server/periodic.ts',
    ['test/services/casino/server/periodic.test.ts', 'test/services/casino/account/read.test.ts'],
  ],
  [
    'src/{services/casino/rounds/settlement,services/casino/rounds/place-bets,services/casino/rounds/placed-bets-column}.ts',
    [
      'test/services/casino/rounds/settlement.test.ts',
      'test/services/casino/rounds/rounds.test.ts',
      'test/services/casino/account/demo-idle.test.ts',
      'test/services/casino/worked-rounds.test.ts',
      'test/services/casino/afterlife.test.ts',
      'test/services/casino/page/play.test.ts',
    ],
  ],
  [
    'src/{services/gateway/ledger,services/gateway/custody}.ts',
    [
      'test/services/gateway/ledger.test.ts',
      'test/services/gateway/custody.test.ts',
      'test/services/gateway/payments/payments.test.ts',
    ],
  ],
  ['src/services/gateway/{account-standing,rates/rates}.ts', ['test/services/gateway/account-standing.test.ts']],
  ['src/services/gateway/payments/invoices.ts', ['test/services/gateway/payments/invoices.test.ts']],
  ['src/services/gateway/payments/payable.ts', ['test/services/gateway/payments/invoices.test.ts']],
  [
    'src/{services/gateway/payments/deposits,services/gateway/payments/settlement,services/gateway/payments/quotes}.ts',
    [
      'test/services/gateway/payments/deposits.test.ts',
      'test/services/gateway/payments/settlement.test.ts',
      'test/services/gateway/part-payments.test.ts',
      'test/services/gateway/payments/payments.test.ts',
      'test/services/gateway/custody.test.ts',
    ],
  ],
  [
    'src/services/gateway/payments/payments.ts',
    [
      'test/services/gateway/payments/lists.test.ts',
      'test/services/gateway/payments/payments.test.ts',
      'test/services/gateway/payments/invoices.test.ts',
      'test/services/gateway/part-payments.test.ts',
    ],
  ],
  ['src/services/gateway/server/idempotency.ts', ['test/services/gateway/server/idempotency.test.ts']],
  [
    'src/{services/gateway/payouts,services/gateway/payout-policy}.ts',
    ['test/services/gateway/payouts/policy.test.ts', 'test/services/gateway/payouts/payouts.test.ts'],
  ],
  ['src/services/gateway/subscriptions.ts', ['test/services/gateway/subscriptions.test.ts']],
  [
    'src/services/gateway/queries/{chain,custody,ledger,payouts,refunds,subscriptions}.ts',
    ['test/services/gateway/queries.test.ts'],
  ],
  ['src/services/gateway/queries/payments.ts', ['test/services/gateway/payments/queries.test.ts']],
  [
    'src/services/gateway/payments/{current,sandbox-cases}.ts',
    [
      'test/services/gateway/payments/lists.test.ts',
      'test/services/gateway/payments/payments.test.ts',
      'test/services/gateway/payments/deposits.test.ts',
      'test/services/gateway/part-payments.test.ts',
      'test/services/gateway/payments/invoices.test.ts',
    ],
  ],
  [
    'src/services/gateway/payout-lists.ts',
    [
      'test/services/gateway/payouts/payouts.test.ts',
      'test/services/gateway/payouts/policy.test.ts',
      'test/services/gateway/list-filters.test.ts',
    ],
  ],
  [
    'src/services/gateway/payments/{email-bills,transitions}.ts',
    ['test/services/gateway/subscriptions.test.ts', 'test/services/gateway/payments/payments.test.ts'],
  ],
  [
    'src/services/gateway/{payments/{refunds,approved-refunds,sent-back,unsent-refunds},staff-payouts}.ts',
    [
      'test/services/gateway/staff/refunds.test.ts',
      'test/services/gateway/pages/refunds.test.ts',
      'test/services/gateway/staff/decisions.test.ts',
    ],
  ],
  [
    'src/services/gateway/payments/{accept,funds}.ts',
    ['test/services/gateway/staff/decisions.test.ts', 'test/services/gateway/staff/refunds.test.ts'],
  ],
  [
    'src/{operator/transfers/transfer,operator/transfers/journal}.ts',
    [
      'test/operator/transfers/journal.test.ts',
      'test/operator/transfer-answers.test.ts',
      'test/operator/transfers/transfer.test.ts',
      'test/operator/transfers/stored-batch.test.ts',
    ],
  ],
  ['src/operator/transfers/batch-file.ts', ['test/operator/transfers/batch-file.test.ts']],
  ['src/operator/transfers/apply-batch.ts', ['test/operator/transfers/apply-batch.test.ts']],
  [
    'src/operator/transfers/batches.ts',
    ['test/operator/transfers/batches.test.ts', 'test/operator/transfers/journal.test.ts'],
  ],
  ['src/operator/transfers/lookups.ts', ['test/operator/transfers/lookups.test.ts']],
  ['src/operator/reconcile/breaks/record.ts', ['test/operator/reconcile/breaks/record.test.ts']],
  ['src/operator/reconcile/breaks/store.ts', ['test/operator/reconcile/breaks/store.test.ts']],
  ['src/operator/reconcile/billing/reconcile.ts', ['test/operator/reconcile/billing/reconcile.test.ts']],
  ['src/operator/reconcile/payments/reconcile.ts', ['test/operator/reconcile/payments/reconcile.test.ts']],
  ['src/operator/reconcile/payouts/reconcile.ts', ['test/operator/reconcile/payouts/reconcile.test.ts']],
  ['src/operator/reconcile/payouts/breaks.ts', ['test/operator/reconcile/payouts/breaks.test.ts']],
  ['src/operator/reconcile/payouts/ledger-csv.ts', ['test/operator/reconcile/payouts/ledger-csv.test.ts']],
  [
    'src/operator/gateway-orders/journal.ts',
    ['test/operator/gateway-orders/journal.test.ts', 'test/operator/gateway-orders/place.test.ts'],
  ],
  ['src/operator/gateway-orders/place.ts', ['test/operator/gateway-orders/place.test.ts']],
  ['src/operator/gateway-orders/payout-file.ts', ['test/operator/gateway-orders/payout-file.test.ts']],
  ['src/operator/gateway-orders/payout-rehearsal.ts', ['test/operator/gateway-orders/payout-rehearsal.test.ts']],
  ['src/operator/reconcile/transfers/reconcile.ts', ['test/operator/reconcile/transfers/reconcile.test.ts']],
  ['src/operator/reconcile/billing/breaks.ts', ['test/operator/reconcile/billing/breaks.test.ts']],
  ['src/operator/reconcile/payments/breaks.ts', ['test/operator/reconcile/payments/breaks.test.ts']],
  ['src/operator/reconcile/payments/orders-csv.ts', ['test/operator/reconcile/payments/orders-csv.test.ts']],
  ['src/operator/reconcile/transfers/breaks.ts', ['test/operator/reconcile/transfers/breaks.test.ts']],
  [
    'src/operator/reconcile/transfers/ledger-csv.ts',
    ['test/operator/reconcile/transfers/ledger-csv.test.ts', 'test/domain/reconcile/transfers.test.ts'],
  ],
  ['src/operator/reconcile/transfers/ledger-span.ts', ['test/operator/reconcile/transfers/ledger-span.test.ts']],
  ['src/operator/reconcile/breaks/ages.ts', ['test/operator/reconcile/breaks/ages.test.ts']],
  [
    'src/operator/reconcile/restated.ts',
    ['test/operator/reconcile/restated.test.ts', 'test/operator/book/repair.test.ts'],
  ],
  ['src/operator/reconcile/daily/closed-days.ts', ['test/operator/reconcile/daily/closed-days.test.ts']],
  ['src/operator/reconcile/daily/book-side.ts', ['test/operator/reconcile/daily/book-side.test.ts']],
  ['src/operator/reconcile/daily/compare-records.ts', ['test/operator/reconcile/daily/compare-records.test.ts']],
  ['src/operator/reconcile/daily/doubts.ts', ['test/operator/reconcile/daily/doubts.test.ts']],
  [
    'src/operator/reconcile/daily/investigate.ts',
    ['test/operator/reconcile/daily/investigate.test.ts', 'test/operator/reconcile/daily/explanations.test.ts'],
  ],
  ['src/operator/reconcile/daily/result.ts', ['test/operator/reconcile/daily/result.test.ts']],
  [
    'src/operator/reconcile/daily/reconcile-day.ts',
    ['test/operator/reconcile/daily/day-boundary.test.ts', 'test/operator/reconcile/daily/reconcile-day.test.ts'],
  ],
  ['src/operator/reconcile/daily/{days,verdict}.ts', ['test/operator/reconcile/daily/verdict.test.ts']],
  [
    'src/operator/reconcile/daily/{day-boundary,day-rule}.ts',
    ['test/operator/reconcile/daily/count-day.test.ts', 'test/operator/reconcile/daily/day-boundary.test.ts'],
  ],
  [
    'src/operator/reconcile/settlement/{breaks,table-settings}.ts',
    ['test/operator/reconcile/settlement/breaks.test.ts'],
  ],
  ['src/operator/reconcile/settlement/recorded-row.ts', ['test/operator/reconcile/settlement/rows.test.ts']],
  [
    'src/operator/reconcile/settlement/rounds.ts',
    ['test/operator/reconcile/settlement/rows.test.ts', 'test/operator/reconcile/settlement/settle-day.test.ts'],
  ],
  [
    'src/operator/reconcile/settlement/{settle-day,tally}.ts',
    ['test/operator/reconcile/settlement/rows.test.ts', 'test/operator/reconcile/settlement/small-days.test.ts'],
  ],
  [
    'src/operator/reconcile/{periods/figures,periods/periods,periods/restated,periods/standing,periods/store}.ts',
    [
      'test/operator/reconcile/periods/figures.test.ts',
      'test/operator/reconcile/periods/standing.test.ts',
      'test/operator/reconcile/periods.test.ts',
    ],
  ],
  [
    'src/operator/bets/repair/{apply,free-places,history,repair}.ts',
    [
      'test/operator/bets/repair/apply.test.ts',
      'test/operator/bets/repair/free-places.test.ts',
      'test/operator/book/repair.test.ts',
    ],
  ],
  ['src/operator/bets/repair/plan.ts', ['test/operator/bets/repair/plan.test.ts']],
  ['src/operator/bets/repair/read-day.ts', ['test/operator/bets/repair/read-day.test.ts']],
  ['src/operator/bets/repair/sorted-months.ts', ['test/operator/bets/repair/sorted-months.test.ts']],
  ['src/operator/audit/audit.ts', ['test/operator/audit/audit.test.ts']],
  [
    'src/operator/transfers/{batch-decisions,batch-report}.ts',
    ['test/operator/transfers/batch-report.test.ts', 'test/operator/transfers/batches.test.ts'],
  ],
  [
    'src/operator/transfers/{batch-players,batch-warnings}.ts',
    ['test/operator/transfers/batch-warnings.test.ts', 'test/operator/transfers/draft-batch.test.ts'],
  ],
  ['src/operator/transfers/draft-batch.ts', ['test/operator/transfers/draft-batch.test.ts']],
  ['src/operator/bets/slip-versions.ts', ['test/operator/bets/slip-versions.test.ts']],
  ['src/operator/bets/slips-by-day.ts', ['test/operator/bets/slips-by-day.test.ts']],
  ['src/operator/bets/slip-rows.ts', ['test/operator/bets/slip-rows.test.ts']],
  ['src/operator/balances/reconcile.ts', ['test/operator/balances/reconcile.test.ts']],
]

/** The tests of rules: those that import them, nearest first, and open no database. */
const ofRules = ['test/domain/**/*.test.ts', 'test/rulebook/**/*.test.ts']

/** Rules with so many importers that every test would have to run. */
const maxTests = 12

/** Files that are mutated by default: the rules, and the use cases that move or compare money. */
export const defaultSources = ['src/domain/**/*.ts', ...ofUseCases.map(([sources]) => sources)]

let rules: readonly string[] | undefined

/** Returns the test files that may notice a change of a source, in the order in which to run them. */
export function testsOf(source: string): string[] {
  const chosen = ofUseCases.find(([sources]) => matchesGlob(source, sources))
  if (chosen) return chosen[1].map(existing)
  rules ??= globSync(ofRules, { cwd: root })
    .sort()
    .filter((test) => test.startsWith('test/domain/') || distanceOf(test, 'src/db/store.ts') === undefined)
  return rules
    .flatMap((test) => {
      const distance = distanceOf(test, source)
      if (distance === undefined) return []
      // The file's own test, by its name, comes first, then those of its own folder.
      const isOwn = basename(test, '.test.ts') === basename(source, '.ts')
      const isBeside = dirname(test).slice('test'.length) === dirname(source).slice('src'.length)
      return [{ test, rank: isOwn ? 0 : distance + (isBeside ? 0 : 1.5) }]
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxTests)
    .map(({ test }) => test)
}

/** A test that is named wrongly would notice nothing, and its source would look badly tested. */
function existing(test: string): string {
  if (!existsSync(join(root, test))) throw new Error(`test/mutation/concerned.ts names ${test}, which does not exist`)
  return test
}

/** Returns a source and the modules that import it on the way from some tests. */
export function staleAfter(source: string, tests: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const target of importsOf(file)) visit(target)
  }
  for (const test of tests) visit(test)
  const stale = new Set([source])
  for (let before = 0; before < stale.size; ) {
    before = stale.size
    for (const file of seen) if (importsOf(file).some((target) => stale.has(target))) stale.add(file)
  }
  return [...stale]
}

function distanceOf(from: string, to: string): number | undefined {
  const seen = new Set([from])
  let ring = [from]
  for (let distance = 1; ring.length > 0; distance++) {
    const next = ring.flatMap(importsOf).filter((file) => !seen.has(file))
    if (next.includes(to)) return distance
    for (const file of next) seen.add(file)
    ring = [...new Set(next)]
  }
  return undefined
}

const known = new Map<string, readonly string[]>()

/** Returns the imports of a file without types, which are erased before a run. */
function importsOf(file: string): readonly string[] {
  let targets = known.get(file)
  if (targets) return targets
  const text = readFileSync(join(root, file), 'utf8')
  const matches = [
    ...text.matchAll(/\bfrom\s+'(\.[^']+\.ts)'|\bimport\(\s*'(\.[^']+\.ts)'|\bimport\s+'(\.[^']+\.ts)'/g),
  ]
  targets = matches.map(([, a, b, c]) => relative(root, resolve(root, dirname(file), a ?? b ?? c ?? '')))
  known.set(file, targets)
  return targets
}
