import { describe, expect, test } from 'vitest'
import type {
  ChainTxRow,
  ConversionRow,
  EntryRow,
  FundsRow,
  MailRow,
  MerchantRow,
  PayoutRow,
  RefundRow,
  SubscriptionRow,
} from '../../../src/db/schema/gateway.ts'
import type { Reader } from '../../../src/db/store.ts'
import {
  chainTxOf,
  chainTxsTo,
  dueChainTxs,
  insertChainTx,
  nextDueChainTx,
  openChainTxs,
  saveChainTx,
} from '../../../src/services/gateway/queries/chain.ts'
import {
  conversionOf,
  conversionsOf,
  insertConversion,
  insertSubaccount,
  insertSubTransfer,
  subaccountNamed,
  subaccountOf,
  subaccountsOf,
  subTransferOf,
  subTransfersOf,
} from '../../../src/services/gateway/queries/custody.ts'
import {
  allBalances,
  allEntries,
  balanceOf,
  balancesOf,
  balancesOfMerchant,
  entriesOfPostings,
  insertEntry,
  latestEntries,
  postingsOf,
  saveBalance,
} from '../../../src/services/gateway/queries/ledger.ts'
import {
  batchOf,
  earliestUnverified,
  insertBatch,
  insertPayout,
  insertWhitelisted,
  isWhitelisted,
  nextReadyPayout,
  payoutOf,
  payoutsIn,
  payoutsOf,
  payoutsSentSince,
  payoutsSince,
  readyPayouts,
  removeWhitelisted,
  saveBatch,
  savePayout,
  unverifiedPayouts,
  whitelistOf,
} from '../../../src/services/gateway/queries/payouts.ts'
import {
  acceptanceOf,
  fundsOf,
  fundsOfMerchant,
  insertAcceptance,
  insertFunds,
  insertRefund,
  isRefunding,
  refundingAmong,
  refundOfPayout,
  refundsOf,
  refundsOfMerchant,
  refundWith,
  saveFunds,
  saveRefund,
} from '../../../src/services/gateway/queries/refunds.ts'
import {
  dueSubscriptions,
  insertMail,
  insertPlan,
  insertSubscription,
  mailsTo,
  nextDueSubscription,
  planOf,
  plansOf,
  savePlan,
  saveSubscription,
  subscriptionBilledBy,
  subscriptionOf,
  subscriptionsOf,
} from '../../../src/services/gateway/queries/subscriptions.ts'
import { queryEngines, queryStore } from '../../support/databases/query-store.ts'

/** Queries against rows that were written directly: each condition and order of them. */

const now = 1_000

describe.each(queryEngines)('on $name', (engine) => {
  const aStore = () => queryStore(engine, now)

  const side = { environment: 'production' } as const
  const all = { offset: 0, limit: 99, isDescending: false }
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

  const aMerchantRow = (id: string, over: Partial<MerchantRow> = {}): MerchantRow => ({
    ...{ id, ...side, name: id, ipn_secret: 's', ipn_url: null, ipn_attempts: null, compat: 0, compat_header: 'x' },
    ...{ tolerance_bps: 0, frozen: 0, verified: 1, totp_sealed: null, totp_step: null, approval_usd: null },
    ...{ payout_limit_usd: null, payout_day_limit_usd: null, created_at: 0 },
    ...over,
  })

  describe('transactions of a chain', () => {
    const aTx = (id: string, over: Partial<ChainTxRow> = {}): ChainTxRow => ({
      ...{
        id,
        ...side,
        network: 'btc',
        direction: 'in',
        hash: id,
        sender: 's',
        recipient: 'r',
        contract: null,
        units: '1',
      },
      ...{ block: 1, removed: 0, due_at: now, created_at: 5 },
      ...over,
    })

    test('are due up to now, longest due first', async () => {
      const { read, write } = await aStore()
      expect(await read(nextDueChainTx)).toBeUndefined()
      const rows = [
        aTx('b'),
        aTx('a'),
        aTx('c', { due_at: 9 }),
        aTx('d', { due_at: now + 1 }),
        aTx('e', { due_at: null }),
      ]
      for (const row of rows) await write((tx) => insertChainTx(tx, row))
      await write((tx) => saveChainTx(tx, 'e', { hash: 'x' }))
      const hashOf = async (id: string) => (await read((reader) => chainTxOf(reader, id)))?.hash
      expect([await hashOf('e'), await hashOf('a'), await hashOf('z')]).toEqual(['x', 'a', undefined])
      const due = (limit: number) => read(async (reader) => idsOf(await dueChainTxs(reader, limit)))
      expect([await due(9), await due(2), await read(nextDueChainTx)]).toEqual([['c', 'a', 'b'], ['c', 'a'], 9])
    })

    test('to an address are in the order of time; those of a network are awaited until removed', async () => {
      const { read, write } = await aStore()
      for (const row of [
        ...[aTx('b'), aTx('a'), aTx('c', { created_at: 4 }), aTx('d', { recipient: 'x' })],
        ...[aTx('e', { environment: 'sandbox' }), aTx('f', { removed: 1 }), aTx('g', { due_at: null })],
        aTx('h', { network: 'trx' }),
      ])
        await write((tx) => insertChainTx(tx, row))
      expect(idsOf(await read((reader) => chainTxsTo(reader, 'production', 'r')))).toEqual([
        'c',
        'a',
        'b',
        'f',
        'g',
        'h',
      ])
      expect(idsOf(await read((reader) => openChainTxs(reader, 'production', 'btc'))).sort()).toEqual([
        'a',
        'b',
        'c',
        'd',
      ])
    })
  })

  describe('custody', () => {
    test('has pages of conversions by every filter, oldest first', async () => {
      const { read, write } = await aStore()
      const aConversion = (id: string, over: Partial<ConversionRow> = {}): ConversionRow => ({
        ...{
          id,
          ...side,
          merchant: 'M',
          status: 'finished',
          from_currency: 'btc',
          to_currency: 'trx',
          from_amount: '1',
        },
        ...{ to_amount: null, created_at: 10, updated_at: 10 },
        ...over,
      })
      for (const row of [
        ...[
          aConversion('b'),
          aConversion('a'),
          aConversion('c', { created_at: 9 }),
          aConversion('d', { merchant: 'N' }),
        ],
        ...[aConversion('e', { status: 'failed' }), aConversion('f', { from_currency: 'eth' })],
        ...[aConversion('g', { to_currency: 'eth' }), aConversion('h', { created_at: 11 })],
      ])
        await write((tx) => insertConversion(tx, row))
      const page = async (filter: object, part = all) => {
        const { rows, count } = await read((reader) => conversionsOf(reader, { merchant: 'M', ...filter }, part))
        return [idsOf(rows).join(''), count]
      }
      const one = async (id: string) => (await read((reader) => conversionOf(reader, id)))?.id
      expect([await one('a'), await one('z')]).toEqual(['a', undefined])
      expect(await page({})).toEqual(['cabefgh', 7])
      expect(await page({}, { ...all, offset: 1, limit: 2 })).toEqual(['ab', 7])
      expect(await page({ ids: ['a', 'd'] })).toEqual(['a', 1])
      expect(await page({ statuses: ['failed'] })).toEqual(['e', 1])
      expect(await page({ fromCurrency: 'eth' })).toEqual(['f', 1])
      expect(await page({ toCurrency: 'eth' })).toEqual(['g', 1])
      expect([await page({ from: 10 }), await page({ to: 10 })]).toEqual([
        ['abefgh', 6],
        ['cabefg', 6],
      ])
    })

    test('has sub-accounts and transfers of a merchant', async () => {
      const { read, write } = await aStore()
      const times = { created_at: 10, updated_at: 10 }
      const transfer = { ...side, from_id: '1', to_id: '2', currency: 'btc', amount: '1', status: 'finished' } as const
      await write(async (tx) => {
        for (const [id, merchant, name, at] of [
          ['2', 'M', 'bob', 10],
          ['1', 'M', 'amy', 10],
          ['3', 'M', 'cho', 9],
          ['4', 'N', 'amy', 9],
        ] as const) {
          await insertSubaccount(tx, { ...side, id, merchant, name, ...times, created_at: at })
          await insertSubTransfer(tx, { ...transfer, id, merchant, ...times, created_at: at })
        }
        await insertSubTransfer(tx, { ...transfer, id: '5', merchant: 'M', ...times, status: 'failed' })
      })
      const one = async (id: string) => [
        (await read((reader) => subaccountOf(reader, id)))?.id,
        (await read((reader) => subTransferOf(reader, id)))?.id,
      ]
      expect([await one('1'), await one('2'), await one('9')]).toEqual([
        ['1', '1'],
        ['2', '2'],
        [undefined, undefined],
      ])
      const accounts = (ids?: readonly string[]) => read((reader) => subaccountsOf(reader, 'M', ids, all))
      expect([idsOf((await accounts()).rows), (await accounts()).count]).toEqual([['3', '1', '2'], 3])
      expect([idsOf((await accounts(['1', '4'])).rows), (await accounts(['1', '4'])).count]).toEqual([['1'], 1])
      const named = async (merchant: string, name: string) =>
        (await read((reader) => subaccountNamed(reader, merchant, name)))?.id
      expect([await named('M', 'amy'), await named('N', 'amy'), await named('N', 'bob')]).toEqual(['1', '4', undefined])
      const transfers = async (ids?: readonly string[], statuses?: readonly string[]) =>
        idsOf((await read((reader) => subTransfersOf(reader, 'M', { ids, statuses }, all))).rows).join('')
      expect([await transfers(), await transfers(['1', '4']), await transfers(undefined, ['failed'])]).toEqual([
        ...['3125', '1', '5'],
      ])
    })
  })

  describe('the ledger', () => {
    const account = (kind: 'available' | 'held' | 'sub', owner: string, currency = 'btc') => ({ kind, owner, currency })

    test('has the balance of each account, zero before the first', async () => {
      const { read, write } = await aStore()
      const [own, other] = [account('available', 'M'), account('held', 'M')]
      expect(await read((reader) => balanceOf(reader, own))).toBe(0n)
      await write(async (tx) => {
        await insertSubaccount(tx, { ...side, id: 'S', merchant: 'M', name: 's', created_at: 0, updated_at: 0 })
        await saveBalance(tx, own, 5n)
        await saveBalance(tx, own, 7n)
        await saveBalance(tx, other, 8n)
        await saveBalance(tx, account('available', 'M', 'ada'), 9n)
        await saveBalance(tx, account('sub', 'S'), 10n)
        await saveBalance(tx, account('available', 'N'), 11n)
      })
      expect([
        await read((reader) => balanceOf(reader, own)),
        await read((reader) => balanceOf(reader, other)),
      ]).toEqual([...[7n, 8n]])
      const shown = (rows: readonly { kind: string; owner: string; currency: string; units: string }[]) =>
        rows.map((row) => `${row.currency} ${row.kind} ${row.owner} ${row.units}`)
      expect(shown(await read((reader) => balancesOf(reader, 'M')))).toEqual([
        ...['ada available M 9', 'btc available M 7', 'btc held M 8'],
      ])
      const everything = await read(allBalances)
      expect(everything.map((row) => row.account)).toEqual(everything.map((row) => row.account).toSorted())
      expect(everything).toHaveLength(5)
      const ofMerchant = await read((reader) => balancesOfMerchant(reader, 'M'))
      expect(shown(ofMerchant).sort()).toEqual([
        ...['ada available M 9', 'btc available M 7', 'btc held M 8', 'btc sub S 10'],
      ])
      expect(ofMerchant.map((row) => row.account)).toEqual(ofMerchant.map((row) => row.account).toSorted())
    })

    test('has postings in the order of time, in batches, and their entries by position', async () => {
      const { read, write } = await aStore()
      const anEntry = (posting: string, position: number, over: Partial<EntryRow> = {}): EntryRow => ({
        ...{ posting, position, account: 'a', units: '1', ref: 'r', at: 10 },
        ...over,
      })
      const rows = [
        ...[anEntry('p2', 1), anEntry('p2', 0), anEntry('p1', 0), anEntry('p3', 0, { at: 9 })],
        ...[anEntry('p1', 1, { account: 'b' }), anEntry('p4', 0, { account: 'b' })],
        anEntry('p4', 1, { account: 'c' }),
      ]
      await write(async (tx) => {
        for (const row of rows) await insertEntry(tx, row)
      })
      const postings = async (account = 'a') => {
        const batches: string[][] = []
        await read(async (reader) => {
          for await (const batch of postingsOf(reader, account)) batches.push(batch.map(({ posting }) => posting))
        })
        return batches
      }
      expect(await postings()).toEqual([['p3', 'p1', 'p2']])
      expect([await postings('none'), await postings('c')]).toEqual([[], [['p4']]])
      const named = (entries: readonly EntryRow[]) => entries.map((row) => `${row.posting}.${row.position}`)
      expect(named(await read((reader) => entriesOfPostings(reader, ['p2', 'p1'])))).toEqual([
        'p1.0',
        'p1.1',
        'p2.0',
        'p2.1',
      ])
      expect(named(await read(allEntries))).toEqual(['p1.0', 'p1.1', 'p2.0', 'p2.1', 'p3.0', 'p4.0', 'p4.1'])
      const latest = (limit: number) =>
        read(async (reader) => (await latestEntries(reader, 'b', limit)).map((row) => row.posting))
      expect([await latest(9), await latest(1)]).toEqual([['p4', 'p1'], ['p4']])
      const newest = await read((reader) => latestEntries(reader, 'a', 9))
      expect(newest.map((row) => row.posting)).toEqual(['p2', 'p2', 'p1', 'p3'])
      await write(async (tx) => {
        const many = Array.from({ length: 2_001 }, (_, i) =>
          anEntry(`q${String(i).padStart(4, '0')}`, 0, { at: i < 1_000 ? 20 : 21 }),
        )
        for (const row of many) await insertEntry(tx, row)
      })
      const batches = await postings()
      expect(batches.map(({ length }) => length)).toEqual([2_000, 4])
      expect(new Set(batches.flat()).size).toBe(2_004)
    })
  })

  describe('payouts', () => {
    const aPayout = (id: string, over: Partial<PayoutRow> = {}): PayoutRow => ({
      ...{
        id,
        batch: 'B',
        ...side,
        merchant: 'M',
        status: 'waiting',
        currency: 'trx',
        amount: '1',
        fee: '0',
        address: 'T',
      },
      ...{ fiat_amount: null, fiat_currency: null, description: null, external_id: null, ipn_callback_url: null },
      ...{ hash: null, error: null, execute_at: null, due_at: now, purpose: null, sent_at: null, created_at: 10 },
      ...{ requested_at: null, updated_at: 10 },
      ...over,
    })
    const withRows = async (...rows: readonly PayoutRow[]) => {
      const { read, write } = await aStore()
      await write(async (tx) => {
        for (const row of [aMerchantRow('M'), aMerchantRow('F', { frozen: 1 }), aMerchantRow('V', { verified: 0 })])
          await tx.q.insertInto('gateway_merchants').values(row).execute()
        for (const row of rows) await insertPayout(tx, row)
      })
      return {
        write,
        ids: (of: (reader: Reader) => Promise<PayoutRow[]>) => read(async (reader) => idsOf(await of(reader)).join('')),
        read,
      }
    }

    test('of a batch are by ID, and change one by one', async () => {
      const { write, ids, read } = await withRows(aPayout('b'), aPayout('a'), aPayout('c', { batch: 'C' }))
      await write((tx) => savePayout(tx, 'a', { hash: 'h' }))
      expect(await ids((reader) => payoutsIn(reader, 'B'))).toBe('ab')
      const one = async (id: string) => (await read((reader) => payoutOf(reader, id)))?.id
      expect([await one('a'), await one('b'), await one('z')]).toEqual(['a', 'b', undefined])
      const batch = { ...side, merchant: 'M', wrong_codes: 0, needs_approval: 0, created_at: 0, verified_at: null }
      for (const id of ['B', 'C']) await write((tx) => insertBatch(tx, { ...batch, id }))
      await write((tx) => saveBatch(tx, 'B', { wrong_codes: 2 }))
      const codesOf = async (id: string) => (await read((reader) => batchOf(reader, id)))?.wrong_codes
      expect([await codesOf('B'), await codesOf('C'), await codesOf('D')]).toEqual([2, 0, undefined])
      const hashes = (await read((reader) => payoutsIn(reader, 'B'))).map(({ hash }) => hash)
      expect(hashes).toEqual(['h', null])
    })

    test('are listed by every filter and order', async () => {
      const { ids } = await withRows(
        ...[aPayout('b', { requested_at: 3 }), aPayout('a', { requested_at: 4 }), aPayout('c', { created_at: 9 })],
        ...[aPayout('d', { merchant: 'N' }), aPayout('e', { batch: 'C' }), aPayout('f', { status: 'failed' })],
        aPayout('g', { created_at: 11 }),
      )
      const list = (filter: object, order: Parameters<typeof payoutsOf>[2] = 'id', part = all) =>
        ids((reader) => payoutsOf(reader, { merchant: 'M', ...filter }, order, part))
      expect([await list({}), await list({}, 'id', { ...all, isDescending: true })]).toEqual(['abcefg', 'gfecba'])
      expect([await list({ batch: 'C' }), await list({ statuses: ['failed'] })]).toEqual(['e', 'f'])
      expect([await list({ from: 10 }), await list({ to: 10 })]).toEqual(['abefg', 'abcef'])
      expect([await list({}, 'created_at'), await list({}, 'requested_at')]).toEqual(['cabefg', 'cefgba'])
    })

    test('count toward limits by the time of their creation, and of their sending', async () => {
      const { ids } = await withRows(
        ...[aPayout('a'), aPayout('b', { created_at: 9 }), aPayout('c', { merchant: 'N' })],
        ...[
          aPayout('d', { status: 'failed' }),
          aPayout('e', { status: 'rejected' }),
          aPayout('f', { purpose: 'refund' }),
        ],
      )
      expect(await ids((reader) => payoutsSince(reader, 'M', 10))).toBe('a')
      const sent = await withRows(
        ...[aPayout('a', { sent_at: 10 }), aPayout('b', { sent_at: 9 }), aPayout('c', { sent_at: 10, merchant: 'N' })],
        ...[aPayout('d', { sent_at: 10, status: 'failed' }), aPayout('e', { sent_at: 10, status: 'finished' })],
        aPayout('f', { sent_at: 10, purpose: 'return' }),
      )
      expect(await sent.ids((reader) => payoutsSentSince(reader, 'M', 10))).toBe('ae')
    })

    test('are ready when they are due, longest first, unless their merchant must not move money', async () => {
      const { ids, read } = await withRows(
        ...[
          aPayout('b'),
          aPayout('a'),
          aPayout('c', { due_at: 9, status: 'processing' }),
          aPayout('d', { due_at: null }),
        ],
        ...[aPayout('e', { due_at: now + 1 }), aPayout('f', { due_at: 1, status: 'sending' })],
        ...[aPayout('g', { due_at: 2, merchant: 'F' }), aPayout('h', { due_at: 3, merchant: 'V' })],
      )
      const ready = (limit: number) => ids((reader) => readyPayouts(reader, limit))
      expect([await ready(9), await ready(2), await read(nextReadyPayout)]).toEqual(['cab', 'ca', 9])
      expect(await (await withRows()).read(nextReadyPayout)).toBeUndefined()
    })

    test('of unverified batches are listed oldest first', async () => {
      const status = 'creating' as const
      const { ids, read } = await withRows(
        ...[
          aPayout('a', { status }),
          aPayout('b', { status, created_at: 9 }),
          aPayout('c', { status, created_at: 11 }),
        ],
        aPayout('d', { created_at: 1 }),
      )
      const unverified = (limit: number) => ids((reader) => unverifiedPayouts(reader, 10, limit))
      expect([await unverified(9), await unverified(1), await read(earliestUnverified)]).toEqual(['ba', 'b', 9])
      expect(await (await withRows()).read(earliestUnverified)).toBeUndefined()
    })

    test('go to whitelisted addresses of a merchant and coin', async () => {
      const { read, write } = await aStore()
      for (const [merchant, coin, address] of [
        ['M', 'trx', 'b'],
        ['M', 'trx', 'a'],
        ['M', 'trx', 'a'],
        ['M', 'btc', 'c'],
        ['N', 'trx', 'a'],
      ] as const)
        await write((tx) => insertWhitelisted(tx, merchant, coin, address))
      const list = async (merchant: string) =>
        (await read((reader) => whitelistOf(reader, merchant))).map(({ coin, address }) => `${coin} ${address}`)
      expect([await list('M'), await list('N')]).toEqual([['btc c', 'trx a', 'trx b'], ['trx a']])
      await write((tx) => removeWhitelisted(tx, 'M', 'trx', 'a'))
      expect([await list('M'), await list('N')]).toEqual([['btc c', 'trx b'], ['trx a']])
      const is = (merchant: string, coin: string, address: string) =>
        read((reader) => isWhitelisted(reader, merchant, coin, address))
      expect([
        await is('M', 'trx', 'b'),
        await is('N', 'trx', 'b'),
        await is('M', 'btc', 'b'),
        await is('M', 'trx', 'a'),
      ]).toEqual([...[true, false, false, false]])
    })
  })

  test('refunds are of a payment or a merchant, and only approved, sent and done ones are under way', async () => {
    const { read, write } = await aStore()
    const aRefund = (id: string, over: Partial<RefundRow> = {}): RefundRow => ({
      ...{
        id,
        ...side,
        merchant: 'M',
        payment_id: 1,
        deposit: null,
        part: id,
        coin: 'trx',
        units: '1',
        fee_units: '0',
      },
      ...{ address: 'T', source: 'available', payout: `p-${id}`, state: 'requested', token: null, asked_by: null },
      ...{ approved_by: null, asked_at: 10, sent_at: null },
      ...over,
    })
    const states = ['requested', 'approved', 'sent', 'done', 'failed', 'withdrawn'] as const
    await write(async (tx) => {
      for (const row of [aRefund('b'), aRefund('a'), aRefund('c', { asked_at: 9 }), aRefund('d', { deposit: 't' })])
        await insertRefund(tx, row)
      await insertRefund(tx, aRefund('e', { payment_id: 99, deposit: 'u', state: 'sent' }))
      for (const [i, state] of states.entries())
        await insertRefund(tx, aRefund(`s${i}`, { payment_id: 10 + i, merchant: 'N', state }))
    })
    expect(idsOf(await read((reader) => refundsOf(reader, 1)))).toEqual(['c', 'a', 'b'])
    const ofMerchant = async (limit: number) => idsOf(await read((reader) => refundsOfMerchant(reader, 'M', limit)))
    expect([await ofMerchant(9), await ofMerchant(2)]).toEqual([
      ['e', 'd', 'b', 'a', 'c'],
      ['e', 'd'],
    ])
    expect((await read((reader) => refundOfPayout(reader, 'p-a')))?.id).toBe('a')
    await write((tx) => saveRefund(tx, 'a', { address: 'X' }))
    const addressOf = async (id: string) => (await read((reader) => refundWith(reader, id)))?.address
    expect([await addressOf('a'), await addressOf('b'), await addressOf('z')]).toEqual(['X', 'T', undefined])
    const acceptance = {
      merchant: 'M',
      status: 'expired',
      received: '1',
      due: '2',
      accepted_by: null,
      accepted_at: 0,
    } as const
    for (const payment_id of [1, 2])
      await write((tx) => insertAcceptance(tx, { ...acceptance, payment_id, reason: `r${payment_id}` }))
    const reasonOf = async (id: number) => (await read((reader) => acceptanceOf(reader, id)))?.reason
    expect([await reasonOf(1), await reasonOf(2), await reasonOf(3)]).toEqual(['r1', 'r2', undefined])
    const among = await read((reader) => refundingAmong(reader, [1, 10, 11, 12, 13, 14, 15, 99]))
    expect([...among].sort()).toEqual([11, 12, 13])
    const one = (id: number) => read((reader) => isRefunding(reader, id))
    expect([await one(10), await one(11), (await read((reader) => refundingAmong(reader, []))).size]).toEqual([
      false,
      true,
      0,
    ])
  })

  test('frozen and foreign deposits of a merchant are listed newest first', async () => {
    const { read, write } = await aStore()
    const funds = (tx_id: string, over: Partial<FundsRow> = {}): FundsRow => ({
      ...{ tx_id, ...side, merchant: 'M', payment_id: 1, kind: 'frozen', network: 'btc', contract: null, units: '1' },
      ...{ sender: 's', state: 'held', result: null, decided_by: null, decided_at: null, seen_at: 10 },
      ...over,
    })
    for (const row of [funds('a'), funds('b'), funds('c', { seen_at: 11 }), funds('d', { merchant: 'N' })])
      await write((tx) => insertFunds(tx, row))
    await write((tx) => saveFunds(tx, 'a', { result: 'x' }))
    const resultOf = async (id: string) => (await read((reader) => fundsOf(reader, id)))?.result
    expect([await resultOf('a'), await resultOf('b'), await resultOf('z')]).toEqual(['x', null, undefined])
    const ids = async (limit: number) =>
      (await read((reader) => fundsOfMerchant(reader, 'M', limit))).map(({ tx_id }) => tx_id)
    expect([await ids(9), await ids(2)]).toEqual([
      ['c', 'b', 'a'],
      ['c', 'b'],
    ])
  })

  describe('subscriptions', () => {
    const aSubscription = (id: string, over: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
      ...{ id, ...side, merchant: 'M', plan: 'P', subaccount: null, email: 'e', invoice: null, invoice_days: null },
      ...{ status: 'active', paid_until: 0, due_at: now, created_at: 0, updated_at: 0 },
      ...over,
    })

    test('are listed by every filter, and are due longest first', async () => {
      const { read, write } = await aStore()
      expect(await read(nextDueSubscription)).toBeUndefined()
      for (const row of [
        ...[aSubscription('b'), aSubscription('a'), aSubscription('c', { plan: 'Q', due_at: 9 })],
        ...[
          aSubscription('d', { status: 'paused', due_at: null }),
          aSubscription('e', { merchant: 'N', due_at: now + 1 }),
        ],
      ])
        await write((tx) => insertSubscription(tx, row))
      const list = async (filter: object) => {
        const { rows, count } = await read((reader) => subscriptionsOf(reader, { merchant: 'M', ...filter }, all))
        return [idsOf(rows).join(''), count]
      }
      expect([await list({}), await list({ plan: 'Q' }), await list({ statuses: ['paused'] })]).toEqual([
        ...[
          ['abcd', 4],
          ['c', 1],
          ['d', 1],
        ],
      ])
      expect([await list({ isActive: true }), await list({ isActive: false })]).toEqual([
        ...[
          ['abc', 3],
          ['d', 1],
        ],
      ])
      await write((tx) => saveSubscription(tx, 'a', { invoice: 'i' }))
      const invoiceOf = async (id: string) => (await read((reader) => subscriptionOf(reader, id)))?.invoice
      expect([await invoiceOf('a'), await invoiceOf('b'), await invoiceOf('z')]).toEqual(['i', null, undefined])
      const billed = async (invoice: string) => (await read((reader) => subscriptionBilledBy(reader, invoice)))?.id
      expect([await billed('i'), await billed('j')]).toEqual(['a', undefined])
      const due = async (limit: number) => idsOf(await read((reader) => dueSubscriptions(reader, limit)))
      expect([await due(9), await due(2), await read(nextDueSubscription)]).toEqual([['c', 'a', 'b'], ['c', 'a'], 9])
    })

    test('are of plans of a merchant, which change one by one', async () => {
      const { read, write } = await aStore()
      const urls = { ipn_callback_url: null, success_url: null, cancel_url: null, partially_paid_url: null }
      const plan = {
        ...side,
        ...urls,
        title: 't',
        interval_days: 1,
        amount: '1',
        currency: 'usd',
        created_at: 0,
        updated_at: 0,
      }
      await write(async (tx) => {
        for (const [id, merchant] of [
          ['b', 'M'],
          ['a', 'M'],
          ['c', 'N'],
        ] as const)
          await insertPlan(tx, { ...plan, id, merchant })
        await savePlan(tx, 'a', { title: 'x' })
      })
      const titleOf = async (id: string) => (await read((reader) => planOf(reader, id)))?.title
      expect([await titleOf('a'), await titleOf('b'), await titleOf('z')]).toEqual(['x', 't', undefined])
      const { rows, count } = await read((reader) => plansOf(reader, 'M', all))
      expect([idsOf(rows), count]).toEqual([['a', 'b'], 2])
    })

    test('are billed by mails, latest first', async () => {
      const { read, write } = await aStore()
      const aMail = (id: string, over: Partial<MailRow> = {}): MailRow => ({
        ...{ id, ...side, merchant: 'M', recipient: 'ann', subject: 's', body: 'b', created_at: 10 },
        ...over,
      })
      for (const row of [
        ...[aMail('a'), aMail('b'), aMail('c', { created_at: 11, recipient: 'bob' })],
        aMail('d', { environment: 'sandbox' }),
      ])
        await write((tx) => insertMail(tx, row))
      const mails = async (recipient: string | undefined, limit = 9) =>
        idsOf(await read((reader) => mailsTo(reader, 'production', recipient, limit))).join('')
      expect([await mails(undefined), await mails('ann'), await mails(undefined, 2)]).toEqual(['cba', 'ba', 'cb'])
    })
  })
})
