import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { world as worldMigrations } from '../../../src/db/migrations/world/index.ts'
import { openStore, type Tx } from '../../../src/db/store.ts'
import { postgres, sqliteFile } from '../../support/databases/engines.ts'
import { asApprover } from '../../support/program/approver.ts'
import { aHome, run, runJson, runSpawned } from '../../support/program/cli.ts'
import { aShop, payer } from './shop.ts'

/**
 * The accounting of a shop: refunds, acceptances, deposits that credit no payment, the ledger, payouts and callbacks.
 */

const refund = ['console', 'merchants', 'payments', 'refund']
const hour = ['console', 'clock', 'advance', '1h']

describe.each([sqliteFile, postgres])('on $name', (engine) => {
  test('refunds, acceptances and returned deposits are created once, balance, and their callbacks are healed', async () => {
    const home = aHome()
    const database = await engine.database()
    const db = database.url ?? join(home.folder, 'world.db')
    const book = join(home.folder, 'own.book')
    const ids = await aShop(db)
    const env = { COUNTROOM_DB: db, COUNTROOM_BOOK: book, COUNTROOM_APPROVAL_ABOVE: '80:USD' }
    const call = (...args: string[]) => runJson(args, { home, env })
    const accept = (id: string) =>
      call('console', 'merchants', 'payments', 'accept', id, '--reason', 'An exchange kept its fee', '--as', 'ann')

    // Lists, filtered.
    const parts = await call('payments', 'list', '--status', 'partially_paid')
    expect((parts.data['payments'] as { order_id: string }[]).map(({ order_id }) => order_id)).toEqual(['o-4', 'o-3'])
    expect(parts.data['total']).toBe(2)
    expect((await call('payments', 'list', '--order', '=o-1')).data).toMatchObject({
      total: 1,
      payments: [{ payment_id: Number(ids.paid) }],
    })
    expect((await call('payments', 'list', '--status', 'finished,failed', '--limit', '2')).data).toMatchObject({
      total: 3,
      more: true,
    })
    expect((await call('invoices', 'list')).data).toMatchObject({
      total: 1,
      invoices: [{ order_id: 'o-7', gw_payment_id: null, gw_payment_status: null }],
    })

    // Acceptance.
    expect((await accept(ids.part)).data).toMatchObject({ status: 'finished', received: '60', due: '100' })
    expect(await accept(ids.part)).toMatchObject({ code: 6, error: { code: 'CONFLICT' } })

    // Refunds below and above the limit.
    const overpaid = [...refund, ids.overpaid, '--overpaid', '--to', payer, '--as', 'ann']
    expect((await call(...overpaid, '--dry-run')).data).toMatchObject({ state: 'sent', amount: '30' })
    expect((await call(...overpaid)).data).toMatchObject({ state: 'sent', amount: '30', sends: '27.9' })
    expect((await call(...overpaid)).code).toBe(6)
    const whole = (...as: string[]) => call(...refund, ids.paid, '--to', payer, ...as)
    const beth = await asApprover(home, 'beth', ['--book', book])
    const requested = await whole()
    expect(requested).toMatchObject({ code: 3, data: { state: 'requested' }, error: { code: 'APPROVAL_NEEDED' } })
    expect(requested.error.details['next']).toEqual([
      expect.stringMatching(
        new RegExp(
          `^countroom console merchants payments refund .*${ids.paid} --to ${payer} --as beth --passphrase-file -$`,
        ),
      ),
    ])
    // A name alone is no second person.
    const alone = await whole('--as', 'carl')
    expect([alone.code, alone.error.details['next']]).toEqual([6, requested.error.details['next']])
    const me = userInfo().username
    expect((await whole(...beth)).data).toMatchObject({ state: 'sent', requestedBy: me, approvedBy: 'beth' })
    expect((await whole(...beth)).code).toBe(6)
    // One whose address the customer names, withdrawn again.
    const asks = [...refund, ids.back, '--ask-customer']
    expect((await call(...asks, '--dry-run')).data).toMatchObject({ state: 'approved', amount: '50' })
    expect((await call(...asks)).data).toMatchObject({
      state: 'approved',
      address: '',
      link: expect.stringMatching(/\/pay\/[A-Za-z0-9]{24}\/refund\/[A-Za-z0-9]{32}$/),
    })
    expect((await call(...asks)).error.message).toMatch(/waits for the customer's address.* --withdraw$/)
    expect((await call(...refund, ids.back, '--to', payer)).code).toBe(6)
    expect((await call(...refund, ids.back, '--to', payer, '--withdraw')).code).toBe(2)
    expect((await call(...refund, ids.back, '--withdraw')).data).toMatchObject({ state: 'withdrawn' })
    expect((await call(...refund, ids.back, '--withdraw')).code).toBe(6)
    expect((await call(...refund, ids.back, '--to', payer)).data).toMatchObject({ state: 'sent', amount: '50' })

    // Deposits that credit no payment.
    const { funds } = (await call('console', 'merchants', 'funds', 'list')).data as {
      funds: { id: string; kind: string; state: string }[]
    }
    const depositOf = (kind: string) => funds.find((each) => each.kind === kind)?.id ?? ''
    const decide = (...args: string[]) => call('console', 'merchants', 'funds', ...args)
    const released = await decide('release', depositOf('frozen'))
    expect(released.data).toMatchObject({ state: 'released' })
    expect((await decide('release', depositOf('frozen'))).code).toBe(6)
    expect((await decide('release', depositOf('foreign'))).code).toBe(6)
    expect((await decide('return', depositOf('foreign'), '--to', payer)).data).toMatchObject({ state: 'returning' })
    expect((await decide('return', depositOf('foreign'), '--to', payer)).code).toBe(6)

    await call(...hour)
    expect((await call('payments', 'show', ids.paid)).data['payment_status']).toBe('refunded')
    expect((await call('payments', 'show', ids.back)).data['payment_status']).toBe('refunded')
    expect((await call('payments', 'show', ids.overpaid)).data['payment_status']).toBe('finished')
    expect((await call('payments', 'show', String(released.data['result']))).data).toMatchObject({
      payment_status: 'finished',
      parent_payment_id: Number(ids.frozen),
    })
    const listed = (await call('console', 'merchants', 'payments', 'refunds')).data['refunds'] as { state: string }[]
    expect(listed.map(({ state }) => state).toSorted()).toEqual(['done', 'done', 'done', 'done', 'withdrawn'])

    // The ledger balances, and a change to it is found.
    const file = join(home.folder, 'ledger.csv')
    const exported = ['console', 'merchants', 'ledger', 'export', '--out', file]
    const ledger = await call(...exported)
    expect(ledger).toMatchObject({ code: 0, data: { balanced: true, faults: [] } })
    expect((await call(...exported)).code).toBe(6)
    const text = readFileSync(file, 'utf8')
    expect(text.split('\n')[0]).toBe('row,time,posting,line,account,owner,currency,amount,balance,reference,orderId')
    expect(text).toMatch(/entry,.*,available,.*,usdttrc20,99\.500000,.*,payment\/\d+,'=o-1\n/)
    expect(text).toMatch(/sum,.*,,,,,usdttrc20,0\.000000,0\.000000,,\n/)

    // All of these callbacks are rebuilt.
    const healed = (await call('ipn', 'heal', '--min-age', '0')).data['callbacks'] as {
      kind: string
      subject: string
      status: string
    }[]
    const statusOf = (subject: unknown) => healed.find((each) => each.subject === String(subject))?.status
    expect(statusOf(ids.paid)).toBe('refunded')
    expect(statusOf(ids.part)).toBe('finished')
    expect(statusOf(released.data['result'])).toBe('finished')
    expect(healed.filter(({ kind }) => kind === 'payout').map(({ status }) => status)).toEqual([
      'finished',
      'finished',
      'finished',
      'finished',
    ])
    expect((await call('ipn', 'heal', '--min-age', '0')).data).toMatchObject({ callbacks: [], complete: true })

    await reconciles(call, home, listed.filter(({ state }) => state === 'done') as unknown as Refund[])

    await change(db, ({ q }) =>
      q
        .updateTable('gateway_entries')
        .set({ units: '1' })
        .where('posting', '=', text.match(/^entry,[^,]*,([^,]+),/m)?.[1] ?? '')
        .execute(),
    )
    const faulty = await call(...exported, '--force')
    expect(faulty).toMatchObject({ code: 9, error: { code: 'DIFFERENCES' }, data: { balanced: false } })
    expect((faulty.data['faults'] as { kind: string }[]).map(({ kind }) => kind)).toContain('posting')
    expect(faulty.error.message).toMatch(/^The ledger does not balance: .*posting \S+ \(.*\) sums to /)
  })

  test('kill -9 of a refund leaves all of it or nothing, and the same command finishes it', async () => {
    const home = aHome()
    const database = await engine.database()
    const db = database.url ?? join(home.folder, 'world.db')
    const ids = await aShop(db)
    const env = { COUNTROOM_DB: db }
    const words = [...refund, ids.paid, '--to', payer, '--json']
    let isKilled = false
    // Killed when it has printed its target, which precedes any change.
    await runSpawned(words, {
      home,
      env,
      watch: (child, printed) => {
        if (isKilled || printed === '') return
        isKilled = true
        child.kill('SIGKILL')
      },
    })
    expect(isKilled).toBe(true)
    const again = await run(words, { home, env })
    expect([0, 6]).toContain(again.code)
    expect((await run(words, { home, env })).code).toBe(6)
    await runJson(hour, { home, env })
    const { refunds } = (await runJson(['console', 'merchants', 'payments', 'refunds'], { home, env })).data as {
      refunds: { state: string; sends: string }[]
    }
    expect(refunds).toMatchObject([{ state: 'done', sends: '97.9' }])
    expect((await runJson(['payouts', 'list'], { home, env })).data['payouts']).toMatchObject([{ status: 'finished' }])
  })
})

/** Changes a world's database past its rules. */
async function change(url: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const store = await openStore({ url, migrations: worldMigrations, now: Date.now })
  await store.write(work)
  await store.close()
}

interface Refund {
  readonly payout: string
  readonly id: string
  readonly currency: string
  readonly sends: string
  readonly address: string
}

/** The ledger of payouts against the gateway: matched, then with every kind of difference, then cleared. */
async function reconciles(
  call: (...args: string[]) => ReturnType<typeof runJson>,
  home: ReturnType<typeof aHome>,
  refunds: readonly Refund[],
): Promise<void> {
  const head = 'payout_id,external_id,currency,amount,address,status,clerk'
  const rows = refunds.map(({ payout, id, currency, sends, address }, i) =>
    i === 0 ? `,${id},${currency},${sends},,paid,x` : `${payout},,${currency},${sends},${address},,x`,
  )
  const good = home.write('good.csv', [head, ...rows, ''].join('\n'))
  const csv = join(home.folder, 'payouts-result.csv')
  const first = await call('reconcile', 'payouts', good, '--csv', csv)
  expect(first).toMatchObject({
    code: 0,
    data: { verdict: 'balanced', counts: { matched: refunds.length }, payouts: [] },
  })
  expect(readFileSync(csv, 'utf8').split('\n')[0]).toBe(
    'line,payoutId,externalId,result,currency,amount,address,status,time,gatewayCurrency,gatewayAmount,gatewayAddress,gatewayStatus,gatewayTime,differs,message',
  )
  const wrong = [rows[0], `${refunds[1]?.payout},,usdttrc20,1,,failed,x`, '1,,btc,0.5,,,=x', `,never,trx,3,,,x`]
  const bad = home.write('bad.csv', [head, ...wrong, ''].join('\n'))
  const second = await call('reconcile', 'payouts', bad)
  expect(second).toMatchObject({
    code: 9,
    data: { counts: { matched: 1, different: 1, 'missing-at-gateway': 2, 'missing-in-ledger': refunds.length - 2 } },
  })
  const breaks = second.data['breaks'] as string[]
  expect(breaks).toHaveLength(1 + 2 + refunds.length - 2)
  const id = breaks.find((each) => each.startsWith('payouts-')) ?? ''
  expect((await call('reconcile', 'breaks', 'show', id)).data).toMatchObject({
    break: { kind: 'payouts', state: 'open' },
  })
  expect((await call('reconcile', 'explain', id)).data['next']).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^To check whether it is still there, .*: countroom help reconcile payouts$/),
    ]),
  )
  // Rows that the right ledger has are cleared; rows that it does not have stay open.
  await call('reconcile', 'payouts', good)
  const { breaks: open } = (await call('reconcile', 'breaks', 'list', '--kind', 'payouts')).data as {
    breaks: { subject: string }[]
  }
  expect(open.map(({ subject }) => subject).toSorted()).toEqual(['1', 'external never'])
  // A row of the night before, with our reference only: the payout was created outside of the range of its time.
  const [one] = refunds
  const early = `,${one?.id},${one?.currency},${one?.sends},,paid,x,2026-01-01T00:00:00Z`
  const night = home.write('night.csv', `${head},time\n${early}\n`)
  expect(await call('reconcile', 'payouts', night)).toMatchObject({
    code: 0,
    data: { verdict: 'balanced', counts: { matched: 1 }, listed: 0, doubts: [] },
  })
  const broken = home.write('broken.csv', `${head}\n,,trx,3,,,x\n1,,trx,three,,maybe,x\n`)
  const invalid = await call('reconcile', 'payouts', broken)
  expect(invalid.code).toBe(2)
  expect(invalid.error.message).toMatch(/Line 2: .*missing.*Line 3: "three" must be an amount above 0/)
}
