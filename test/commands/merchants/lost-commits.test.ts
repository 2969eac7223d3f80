import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cuttingProxy } from '../../support/databases/cutting-proxy.ts'
import { postgres } from '../../support/databases/engines.ts'
import { aHome, runJson } from '../../support/program/cli.ts'
import { aShop, payer } from './shop.ts'

/** Decisions about money whose commit was carried out by PostgreSQL, and whose response was lost with the connection. */

const payments = ['console', 'merchants', 'payments']
const funds = ['console', 'merchants', 'funds']

test('a decision that was committed unseen is found, or ends with 10 and a command that is safe, and is made once', async () => {
  const home = aHome()
  const { url = '' } = await postgres.database()
  const ids = await aShop(url)
  const proxy = await cuttingProxy(url)
  const env = { COUNTROOM_DB: proxy.url, COUNTROOM_BOOK: join(home.folder, 'own.book') }
  const call = (args: readonly string[]) => runJson(args, { home, env })
  const deposits = (await call([...funds, 'list'])).data['funds'] as { id: string; kind: string }[]
  const depositOf = (kind: string) => deposits.find((each) => each.kind === kind)?.id ?? ''
  const decisions = {
    'an acceptance': [[...payments, 'accept', ids.part, '--reason', 'fee'], /insert into "gateway_acceptances"/],
    'a refund': [[...payments, 'refund', ids.paid, '--to', payer], /insert into "gateway_refunds"/],
    'a release': [[...funds, 'release', depositOf('frozen')], /update "gateway_funds"/],
    'a return': [[...funds, 'return', depositOf('foreign'), '--to', payer], /update "gateway_funds"/],
  } as const
  for (const [name, [args, statement]] of Object.entries(decisions)) {
    proxy.cutAfterCommit(statement, 'server is gone')
    const lost = await call(args)
    proxy.mend()
    expect([name, lost.code, lost.error?.code]).toEqual([name, 10, 'MONEY_UNKNOWN'])
    const [next = ''] = lost.error.details['next'] as string[]
    expect(next).toMatch(new RegExp(`^countroom ${args.slice(0, 4).join(' ')}`))
    // Run as it is: it says that the decision was made.
    const again = await call(next.replaceAll("'", '').split(' ').slice(1))
    expect([name, next, again.code, again.error?.code, again.error?.message]).toEqual([
      name,
      next,
      6,
      'CONFLICT',
      expect.any(String),
    ])
  }
  expect(proxy.cuts).toBe(4)

  // A server that is back at once is asked, and the decision is reported as made.
  proxy.cutAfterCommit(/insert into "gateway_refunds"/, 'server is back')
  const found = await call([...payments, 'refund', ids.overpaid, '--overpaid', '--to', payer])
  expect([found.code, found.data['state'], proxy.cuts]).toEqual([0, 'sent', 5])

  await call(['console', 'clock', 'advance', '1h'])
  const refunds = (await call([...payments, 'refunds'])).data['refunds'] as { state: string }[]
  expect(refunds.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  const ledger = await call(['console', 'merchants', 'ledger', 'export', '--out', join(home.folder, 'ledger.csv')])
  expect(ledger.data).toMatchObject({ balanced: true, faults: [] })
  const trail = (await call(['audit', 'list', '--command', 'console', '--limit', '20'])).data['entries'] as {
    outcome: string
  }[]
  expect(trail.filter(({ outcome }) => outcome.includes('MONEY_UNKNOWN'))).toHaveLength(4)
})
