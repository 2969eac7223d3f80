import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ipnText } from '../../../src/domain/signing.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { keepCallback } from '../../../src/operator/callbacks/inbox.ts'
import { ipnForm } from '../../../src/operator/callbacks/signatures.ts'
import { demoCredentials } from '../../../src/services/gateway/admin/demo-data.ts'
import { depositTo } from '../../../src/services/gateway/admin/platform.ts'
import { gateway as contract } from '../../../src/services/gateway/api/contract.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { openWorld } from '../../../src/world/world.ts'
import { standIn } from '../../support/http/stand-in.ts'
import { aHome, run, runJson } from '../../support/program/cli.ts'

/** A world in a file with one payment per amount paid (`due`: all of it; null: none), an hour later. */
async function aWorldWith(db: string, paid: readonly { order?: string; amount: string | null }[]): Promise<string[]> {
  const world = await openWorld({ db })
  await ensureDemoWorld(world)
  const demo = await demoCredentials(world.gateway, 'production')
  const transport = inProcess(world.server)
  const client = createClient(contract, (request) =>
    transport({ ...request, headers: { ...request.headers, 'x-api-key': demo?.apiKey ?? '' } }),
  )
  const ids: string[] = []
  for (const { order, amount } of paid) {
    const { payment_id: id } = await client.createPayment({
      body: {
        price_amount: 100,
        price_currency: 'usd',
        pay_currency: 'usdttrc20',
        ...(order ? { order_id: order } : {}),
      },
    })
    if (amount !== null) await depositTo(world.gateway, id, amount === 'due' ? {} : { amount })
    ids.push(String(id))
  }
  await world.clock.advance((await world.clock.now()) + 3_600_000)
  await world.close()
  return ids
}

test('a gateway without payments in the range is balanced, and the range is named', async () => {
  const home = aHome()
  const env = { COUNTROOM_DB: join(home.folder, 'world.db'), COUNTROOM_BOOK: join(home.folder, 'own.book') }
  await aWorldWith(env.COUNTROOM_DB, [{ amount: 'due' }])
  const options = { home, env }
  const late = ['reconcile', 'payments', '--since', '2100-01-01T00:00:00Z']
  // Without a book, callbacks are unknown, also of payments that the gateway does not have.
  const unknown = await run(['reconcile', 'payments'], options)
  expect([unknown.code, unknown.stderr]).toEqual([11, expect.stringMatching(/There is no book, so received callbacks/)])
  expect((await run(late, options)).code).toBe(11)
  await (await openBook(env.COUNTROOM_BOOK)).close()
  expect(await run(late, options)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'The gateway has no payments created at or after 2100-01-01T00:00:00.000Z, so none was compared.',
    ),
  })
  const until = ['reconcile', 'payments', '--until', '2001-01-01T00:00:00Z']
  expect((await run(until, options)).stderr).toContain('no payments created before 2001-01-01T00:00:00.000Z')
})

test('payments, callbacks and orders are compared, and every difference is named', async () => {
  const home = aHome()
  const db = join(home.folder, 'world.db')
  const env = { COUNTROOM_DB: db, COUNTROOM_BOOK: join(home.folder, 'own.book') }
  const options = { home, env }
  const reconcile = (...args: string[]) => runJson(['reconcile', 'payments', ...args], options)
  const [good = '', less = '', more = '', lost = ''] = await aWorldWith(db, [
    { order: 'o-1', amount: 'due' },
    { order: 'o-2', amount: '40' },
    { order: 'o-3', amount: '250' },
    { amount: 'due' },
  ])
  const before = await reconcile('--orders', home.write('none.csv', 'order_id,amount,currency\n'))
  expect(before).toMatchObject({ code: 9, data: { verdict: 'differences', payments: 4, orders: 0, callbacks: 0 } })
  expect(before.warnings.join()).toMatch(/There is no book/)

  // Callbacks of all but one arrived, and one more about a payment that the gateway does not have.
  expect(await runJson(['ipn', 'heal', good, less, lost], options)).toMatchObject({ code: 0, data: { healed: 3 } })
  const book = await openBook(env.COUNTROOM_BOOK)
  for (const id of [Number(more), 99]) {
    const body = Buffer.from(ipnText({ payment_id: id, payment_status: 'waiting', actually_paid: 0, updated_at: null }))
    const identity = ipnForm.identityOf({ body, headers: [] })
    if ('because' in identity) throw new Error(identity.because)
    await keepCallback(book, { ...identity, body, headers: [], signedAt: null })
  }
  await book.close()
  const orders = home.write(
    'orders.csv',
    'order_id,amount,currency,paid,customer\no-1,100,USD,yes,a\no-2,100,USD,no,b\no-3,100,USD,yes,c\n=o-9<b>,5,USD,yes,d\n',
  )
  const csv = join(home.folder, 'findings.csv')
  const page = join(home.folder, 'payments.html')
  const { code, data, error } = await reconcile('--orders', orders, '--csv', csv, '--report', page)
  expect(code).toBe(9)
  expect(error).toMatchObject({ code: 'DIFFERENCES', category: 'differences' })
  expect(data).toMatchObject({
    verdict: 'differences',
    payments: 4,
    callbacks: 4,
    orders: 4,
    counts: { missing: 0, stale: 1, underpaid: 1, overpaid: 1, unknown: 3 },
    doubts: [],
  })
  const findings = (data['findings'] as { kind: string; paymentId: string | null; orderId: string | null }[]).map(
    ({ kind, paymentId, orderId }) => [kind, paymentId, orderId],
  )
  expect(findings).toEqual([
    ['underpaid', less, 'o-2'],
    ['stale', more, 'o-3'],
    ['overpaid', more, 'o-3'],
    ['unknown', '99', null],
    ['unknown', null, '=o-9<b>'],
    ['unknown', lost, null],
  ])
  const text = readFileSync(csv, 'utf8')
  expect(text.split('\n')[0]).toBe('kind,payment_id,order_id,message,expected,found')
  expect(text).toContain("'=o-9")
  const shown = readFileSync(page, 'utf8')
  expect(shown).toContain('<h2>Differences</h2>')
  expect(shown).toContain('o-9&lt;b&gt;')
  expect(shown).not.toContain('o-9<b>')
  for (const [flag, file] of [
    ['--csv', csv],
    ['--report', page],
  ] as const)
    expect((await run(['reconcile', 'payments', flag, file], options)).code).toBe(6)
  expect((await run(['reconcile', 'payments', '--csv', 'x', '--report', 'x'], options)).code).toBe(2)

  // After healing, only differences of money or of orders are left.
  await run(['ipn', 'heal'], options)
  const healed = await reconcile()
  expect(healed.data['counts']).toEqual({ missing: 0, stale: 0, underpaid: 1, overpaid: 1, unknown: 1 })
  // Differences from orders stay open without another comparison with the orders; the healed one is cleared.
  const { breaks } = (await runJson(['reconcile', 'breaks', 'list', '--state', 'all'], options)).data as {
    breaks: { id: string; subject: string; state: string }[]
  }
  expect(breaks.map(({ subject, state }) => `${state} ${subject}`).sort()).toEqual(
    [
      `cleared payments stale ${more} o-3`,
      `open orders unknown ${lost} -`,
      'open orders unknown - =o-9<b>',
      `open payments overpaid ${more} o-3`,
      `open payments underpaid ${less} o-2`,
      'open payments unknown 99 -',
    ].sort(),
  )
  expect(new Set(healed.data['breaks'] as string[])).toEqual(
    new Set(
      breaks.flatMap(({ id, subject, state }) => (state === 'open' && subject.startsWith('payments') ? [id] : [])),
    ),
  )
})

test('without differences it is balanced, unless callbacks may be pending or no receiver ran', async () => {
  const home = aHome()
  const db = join(home.folder, 'world.db')
  const env = { COUNTROOM_DB: db, COUNTROOM_BOOK: join(home.folder, 'own.book') }
  const reconcile = (...args: string[]) => runJson(['reconcile', 'payments', ...args], { home, env })
  await aWorldWith(db, [{ order: 'o-1', amount: null }])
  expect(await reconcile()).toMatchObject({ code: 11, data: { verdict: 'cannot-conclude', doubts: { length: 1 } } })
  expect(existsSync(env.COUNTROOM_BOOK)).toBe(false)
  await run(['ipn', 'list'], { home, env })
  const book = await openBook(env.COUNTROOM_BOOK)
  await book.close()
  expect(await reconcile()).toMatchObject({ code: 9, data: { counts: { missing: 1 } } })
  expect(await reconcile('--min-age', '86400')).toMatchObject({ code: 11, data: { doubts: { length: 1 } } })
  await run(['ipn', 'heal'], { home, env })
  expect(await reconcile()).toMatchObject({ code: 0, data: { verdict: 'balanced', findings: [], payments: 1 } })
  expect(await reconcile('--until', '2000-01-01')).toMatchObject({ code: 0, data: { payments: 0 } })
})

describe('a list that changes while it is read', () => {
  const payment = (id: number) => ({
    payment_id: id,
    payment_status: 'waiting',
    price_amount: 5,
    price_currency: 'usd',
    pay_amount: 5,
    actually_paid: 0,
    actually_paid_at_fiat: 0,
    pay_currency: 'usdttrc20',
    pay_address: 'TTq2h3jJgR1JgRyLqkqHHBjHYzDQDE8HSa',
    order_id: null,
    order_description: null,
    invoice_id: null,
    parent_payment_id: null,
    purchase_id: null,
    outcome_amount: 0,
    outcome_currency: 'usdttrc20',
    updated_at: '2026-03-02T12:00:00.000Z',
  })

  /** Returns the outcome of a list with these pages, each with its stated total. */
  async function reconciled(pages: readonly { ids: readonly number[]; total: number }[]) {
    const home = await standIn(
      {
        '/payment': ({ url }) => {
          const page = Number(new URL(url, 'http://x').searchParams.get('page'))
          const { ids, total } = pages[page] ?? { ids: [], total: pages.at(-1)?.total ?? 0 }
          const data = { data: ids.map(payment), limit: 500, page, pagesCount: 1, total }
          return { text: JSON.stringify(data), headers: { 'content-type': 'application/json' } }
        },
      },
      { services: ['gateway'] },
    )
    const path = join(home.folder, 'own.book')
    const book = await openBook(path)
    for (const id of pages.flatMap(({ ids }) => ids)) {
      const body = Buffer.from(ipnText(payment(id)))
      const identity = ipnForm.identityOf({ body, headers: [] })
      if ('because' in identity) throw new Error(identity.because)
      await keepCallback(book, { ...identity, body, headers: [], signedAt: null })
    }
    await book.close()
    return runJson(['reconcile', 'payments'], { home, env: { COUNTROOM_BOOK: path } })
  }

  test('and has as many entries as its final total is complete', async () => {
    const grown = [
      { ids: [1, 2], total: 2 },
      { ids: [3], total: 3 },
    ]
    expect(await reconciled(grown)).toMatchObject({ code: 0, data: { verdict: 'balanced', payments: 3 } })
  })

  test.each([
    ['fewer', [{ ids: [1, 2], total: 3 }], /counts 3 payments but listed 2/],
    [
      'more',
      [
        { ids: [1, 2], total: 2 },
        { ids: [3], total: 2 },
      ],
      /counts 2 payments but listed 3/,
    ],
    [
      'as many, with a duplicate',
      [
        { ids: [1, 2], total: 3 },
        { ids: [2], total: 3 },
      ],
      /counts 3 payments but listed 2/,
    ],
  ])('and has %s than its total proves nothing', async (_what, pages, doubt) => {
    const { code, data, error } = await reconciled(pages)
    expect([code, error.code, data['verdict']]).toEqual([11, 'CANNOT_CONCLUDE', 'cannot-conclude'])
    expect(String(data['doubts'])).toMatch(doubt)
  })
})

test.each([
  ['a column is missing', 'order_id,amount\no-1,5\n', /no column "currency"/],
  ['an amount is invalid', 'order_id,amount,currency\no-1,five,USD\n', /Line 2: "five"/],
  ['an order is a duplicate', 'order_id,amount,currency\no-1,5,USD\no-1,5,USD\n', /Line 3: .*twice/],
  [
    'several rows are invalid, each with its line and all of its errors',
    'order_id,amount,currency,paid\no-1,5,USD,perhaps\no-2,5,USD,yes\n\n,-1,€,no\no-2,5,USD,no\n',
    /^Line 2: "perhaps" must be yes or no; Line 5: the order_id is missing; Line 5: "-1" is not an amount; Line 5: "€" is not a currency; Line 6: the order o-2 appears twice in the file$/,
  ],
  ['it is no CSV', 'order_id,amount,currency\n"o-1,5,USD\n', /not valid CSV/],
])('orders are refused completely if %s', async (_what, text, message) => {
  const home = aHome()
  const { code, error } = await runJson(['reconcile', 'payments', '--orders', home.write('orders.csv', text)], { home })
  expect({ code, message: error.message }).toEqual({ code: 2, message: expect.stringMatching(message) })
})
