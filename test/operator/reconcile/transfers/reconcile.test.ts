import { describe, expect, test } from 'vitest'
import type { LedgerTransfer } from '../../../../src/domain/reconcile/transfers.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { recordBreaks } from '../../../../src/operator/reconcile/breaks/store.ts'
import {
  ledgerOf,
  reconcileTransfers,
  type TransfersOptions,
  type TransfersWork,
} from '../../../../src/operator/reconcile/transfers/reconcile.ts'
import { checksOf } from '../../../../src/operator/transfers/lookups.ts'
import type { TransferRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aTransfer, reading, writeTransfers } from '../../book-rows.ts'

const at = Date.UTC(2026, 2, 10, 8)
const now = at + 3_600_000
const hour = { from: at - 1_800_000, to: at + 1_800_000 }

/** A deposit of 100 USD of amy in the ledger. */
const aRow = (over: Partial<LedgerTransfer> = {}): LedgerTransfer => ({
  ...{ txnId: 't-1', username: 'amy', dir: 'in', amount: 1_000_000n, currency: 'USD', at, line: 2 },
  ...over,
})

/** The same deposit at the platform. */
const aRecord = (over: Partial<TransferRecord> = {}): TransferRecord => ({
  ...{ txnId: 't-1', username: 'amy', dir: 'in', amount: '100', at: '2026-03-10T08:00:01.000Z' },
  ...{ status: 'done', balance: '100' },
  ...over,
})

/** A platform with these transfers; `old` ones are found with their player only. */
function aPlatform(records: readonly TransferRecord[], { old = [] as readonly string[], currency = 'USD' } = {}) {
  const lookups: string[] = []
  const platform = {
    transfer: async ({ query: { txnId, username } }: { query: { txnId: string; username?: string } }) => {
      lookups.push(username === undefined ? txnId : `${txnId} of ${username}`)
      const match = records.find((record) => record.txnId === txnId)
      const isOfPlayer = username === undefined ? !old.includes(txnId) : match?.username === username
      if (!match || !isOfPlayer) throw new Problem('TXN_NOT_FOUND', 'no such transfer')
      return match
    },
    player: async ({ query: { username } }: { query: { username: string } }) => {
      lookups.push(username)
      if (username === 'gone') throw new Problem('PLAYER_NOT_FOUND', 'no such player')
      return { username, currency }
    },
  }
  return { platform: platform as unknown as TransfersWork['platform'], lookups }
}

type Options = Partial<TransfersOptions> & Partial<Pick<TransfersWork, 'now' | 'here' | 'signal' | 'onStep'>>

function reconcile(platform: TransfersWork['platform'], book: Book, options: Options = {}) {
  const { ledger = [aRow()], span = null, freshMs = 900_000, isRecheck = false, ...work } = options
  return reconcileTransfers(
    { platform, book, now: () => now, here: () => 5_000, ...work },
    { ledger, span, freshMs, isRecheck },
  )
}

describe('a transfer of the ledger', () => {
  test('is matched if the platform has it, and stored', async () => {
    const book = await aBook()
    const { platform, lookups } = aPlatform([aRecord()])
    const steps: number[] = []
    expect(await reconcile(platform, book, { onStep: (done) => steps.push(done) })).toEqual({
      ...{ verdict: 'balanced', doubts: [], known: 0 },
      transfers: [
        {
          ...{ txnId: 't-1', result: 'matched', line: 2, player: 'amy', dir: 'in', amount: '100', currency: 'USD' },
          ...{ at: '2026-03-10T08:00:00.000Z', differences: [], message: expect.any(String) },
          platform: { player: 'amy', dir: 'in', amount: '100', at: '2026-03-10T08:00:01.000Z' },
        },
      ],
    })
    expect([lookups, steps]).toEqual([['t-1 of amy', 'amy'], [1]])
    expect((await reading(book, (reader) => checksOf(reader, ['t-1']))).get('t-1')).toMatchObject({ result: 'matched' })
  })

  test('is not looked up again once it was matched, unless it changed or the run is a recheck', async () => {
    const book = await aBook()
    const { platform, lookups } = aPlatform([aRecord()])
    await reconcile(platform, book)
    lookups.length = 0
    expect(await reconcile(platform, book)).toMatchObject({
      verdict: 'balanced',
      known: 1,
      transfers: [{ result: 'matched' }],
    })
    expect(lookups).toEqual([])
    expect((await reconcile(platform, book, { isRecheck: true })).known).toBe(0)
    expect(lookups).toEqual(['t-1 of amy', 'amy'])
    const { transfers, known } = await reconcile(platform, book, { ledger: [aRow({ amount: 1_000_001n })] })
    expect([known, transfers]).toMatchObject([0, [{ result: 'different' }]])
    // A difference is looked up by every run.
    expect((await reconcile(platform, book, { ledger: [aRow({ amount: 1_000_001n })] })).known).toBe(0)
  })

  test.each([
    ['another amount', { amount: 1_000_001n }, ['amount'], /100.0001/],
    ['another direction', { dir: 'out' }, ['dir'], /^t-1: dir out in the ledger, in at the platform$/],
    ['another currency', { currency: 'EUR' }, ['currency'], /EUR/],
    ['another player', { username: 'bob' }, ['player'], /bob/],
  ] as const)('differs by %s', async (_, over, fields, message) => {
    const { verdict, transfers } = await reconcile(aPlatform([aRecord()]).platform, await aBook(), {
      ledger: [aRow(over)],
    })
    expect([verdict, transfers.map((each) => [each.result, each.differences.map(({ field }) => field)])]).toEqual([
      'differences',
      [['different', fields]],
    ])
    expect(transfers[0]?.message).toMatch(message)
  })

  test('has its currency from the player, who is read once; one that the platform does not have leaves it unknown', async () => {
    const { platform, lookups } = aPlatform(
      ['a', 'b'].map((txnId) => aRecord({ txnId })).concat(aRecord({ txnId: 'c', username: 'gone' })),
    )
    const ledger = ['a', 'b']
      .map((txnId) => aRow({ txnId }))
      .concat(aRow({ txnId: 'c', username: 'gone', currency: 'XXX' }))
    expect((await reconcile(platform, await aBook(), { ledger })).verdict).toBe('balanced')
    expect(lookups.filter((call) => !call.includes(' '))).toEqual(['amy', 'gone'])
  })

  test('that the journal has with other values differs, also if an earlier run matched it', async () => {
    const book = await aBook()
    const { platform } = aPlatform([aRecord()])
    await reconcile(platform, book)
    await writeTransfers(book, { txn_id: 't-1', amount: '99' })
    expect(await reconcile(platform, book)).toMatchObject({
      ...{ verdict: 'differences', known: 1 },
      transfers: [{ result: 'different', differences: [{ field: 'journal' }] }],
    })
  })

  test('whose amount at the platform cannot be read has no difference', async () => {
    const { transfers } = await reconcile(aPlatform([aRecord({ amount: 'x' })]).platform, await aBook())
    expect(transfers[0]?.differences).toEqual([{ field: 'amount', ledger: '100', other: '0' }])
  })

  test('is found at any age with its player', async () => {
    const { platform, lookups } = aPlatform([aRecord()], { old: ['t-1'] })
    expect((await reconcile(platform, await aBook())).verdict).toBe('balanced')
    expect(lookups).toEqual(['t-1 of amy', 'amy'])
  })
})

describe('a transfer that the platform does not have', () => {
  const missing = (over: Partial<LedgerTransfer>, options: Options, book: Book) =>
    reconcile(aPlatform([]).platform, book, { ledger: [aRow(over)], ...options })

  test.each([
    [
      at + 900_000,
      'differences',
      'missing-at-platform',
      't-1: the platform does not have this deposit of 100 USD of amy',
    ],
    [
      at + 899_999,
      'cannot-conclude',
      'undecided',
      't-1: the platform does not have this deposit of 100 USD of amy yet; it may be in progress. Run this again later',
    ],
  ] as const)('at %i is in the verdict as %s', async (moment, verdict, result, message) => {
    const end = await missing({}, { now: () => moment }, await aBook())
    expect([end.verdict, end.transfers]).toMatchObject([verdict, [{ result, message, platform: null }]])
  })

  test('without a time is as old as its first lookup by this machine', async () => {
    let here = 5_000
    const book = await aBook(() => here)
    const run = async () => (await missing({ at: null }, { here: () => here, now: () => 0 }, book)).transfers[0]?.result
    expect(await run()).toBe('undecided')
    here += 899_999
    expect(await run()).toBe('undecided')
    here += 1
    expect(await run()).toBe('missing-at-platform')
  })

  test('without a time is as old as in the journal', async () => {
    const book = await aBook()
    await writeTransfers(book, { txn_id: 't-1', made_at: 1_000, state: 'unknown' })
    const run = (here: number) => missing({ at: null }, { here: () => here, now: () => 0 }, book)
    expect((await run(900_999)).transfers[0]?.result).toBe('undecided')
    expect((await run(901_000)).transfers[0]).toMatchObject({
      result: 'missing-at-platform',
      message: expect.stringMatching(/of amy; journal: unknown$/),
    })
  })
})

describe('the journal in the period of the ledger', () => {
  const inHour = { txn_id: 'j-1', made_at: at, changed_at: at }

  test('has transfers that the ledger lacks', async () => {
    const book = await aBook()
    await writeTransfers(
      book,
      inHour,
      { ...inHour, txn_id: 't-1' },
      { ...inHour, txn_id: 'late', made_at: hour.to + 1 },
    )
    const { platform, lookups } = aPlatform([aRecord()])
    expect(await reconcile(platform, book, { span: hour })).toMatchObject({
      verdict: 'differences',
      transfers: [
        { txnId: 't-1', result: 'matched' },
        {
          ...{ txnId: 'j-1', result: 'missing-in-ledger', line: null, platform: null },
          message: 'j-1: the journal has this deposit of 100 USD of amy as done, but the ledger does not have it',
        },
      ],
    })
    expect(lookups).not.toContain('j-1 of amy')
  })

  test('is not searched without a time range', async () => {
    const book = await aBook()
    await writeTransfers(book, inHour)
    expect((await reconcile(aPlatform([aRecord()]).platform, book)).transfers).toHaveLength(1)
  })

  test('has open transfers, which are looked up: of the player they are missing, else they are in doubt', async () => {
    const book = await aBook()
    const open = { ...inHour, state: 'unknown' } as const
    await writeTransfers(
      book,
      open,
      { ...open, txn_id: 'j-2' },
      { ...open, txn_id: 'j-3', username: 'AMY', name_key: 'amy' },
    )
    const records = [aRecord(), aRecord({ txnId: 'j-2', username: 'bob' }), aRecord({ txnId: 'j-3', username: 'AMY' })]
    const end = await reconcile(aPlatform(records).platform, book, { span: hour })
    expect(end.transfers.map(({ txnId, result, platform }) => [txnId, result, platform?.player])).toEqual([
      ['t-1', 'matched', 'amy'],
      ['j-3', 'missing-in-ledger', 'AMY'],
    ])
    expect(end.doubts).toEqual(
      ['j-1', 'j-2'].map(
        (id) =>
          `The journal does not have the outcome of ${id} (deposit of 100 USD of amy), and the platform does not have it. To finish it: countroom wallet transfer ${id}`,
      ),
    )
  })

  test('makes a run inconclusive if only doubts are left', async () => {
    const book = await aBook()
    await writeTransfers(book, { ...inHour, state: 'unknown' })
    expect((await reconcile(aPlatform([aRecord()]).platform, book, { span: hour })).verdict).toBe('cannot-conclude')
  })
})

describe('a row of an open break', () => {
  /** A book in which a run found `gone` missing at the platform. */
  async function aBookWithBreak(over: object = {}) {
    const book = await aBook()
    const detail = {
      ...{ txnId: 'gone', result: 'missing-at-platform', line: 3, player: 'amy', dir: 'in', amount: '5' },
      ...{ currency: 'USD', at: '2026-03-10T08:00:00.000Z', platform: null, differences: [], message: 'm', ...over },
    }
    const about = { date: null, player: 'amy', currency: 'USD', amount: '5', message: 'm', fingerprint: 'f' }
    const breaks = [{ kind: 'transfers' as const, subject: 'gone', ...about, detail }]
    await book.store.write((tx) => recordBreaks(tx, { id: 'L', who: 'dana' }, { detected: breaks, looked: [] }))
    return book
  }
  const otherTransfers = async (book: Book, records: readonly TransferRecord[], options: Options = {}) =>
    (await reconcile(aPlatform([aRecord(), ...records]).platform, book, { span: hour, ...options })).transfers.slice(1)

  test('that the ledger no longer has stays a difference', async () => {
    const what = 'gone: this deposit of 5 USD of amy is no longer in the ledger, which covers its time'
    expect(await otherTransfers(await aBookWithBreak(), [])).toMatchObject([
      { txnId: 'gone', result: 'gone-from-ledger', line: null, message: `${what}; the platform does not have it` },
    ])
    const theirs = aRecord({ txnId: 'gone', username: 'bob', dir: 'out', amount: '7' })
    expect(await otherTransfers(await aBookWithBreak(), [theirs])).toMatchObject([
      { platform: { player: 'bob' }, message: `${what}; the platform has out 7 of bob` },
    ])
  })

  test.each([
    ['is at the start', hour.from, 1],
    ['is at the end', hour.to, 1],
    ['is before', hour.from - 1, 0],
    ['is after', hour.to + 1, 0],
  ])('whose time %s of the range', async (_, moment, count) => {
    const text = new Date(moment).toISOString()
    expect(await otherTransfers(await aBookWithBreak({ at: text }), [])).toHaveLength(count)
    const platform = { player: 'amy', dir: 'in', amount: '5', at: text }
    expect(await otherTransfers(await aBookWithBreak({ at: null, platform }), [])).toHaveLength(count)
  })

  test('without a time, without a range, or still listed is unchanged', async () => {
    expect(await otherTransfers(await aBookWithBreak({ at: null }), [])).toEqual([])
    expect(await otherTransfers(await aBookWithBreak(), [], { span: null })).toEqual([])
    const ledger = [aRow(), aRow({ txnId: 'gone', amount: 50_000n })]
    expect(await otherTransfers(await aBookWithBreak(), [], { ledger })).toMatchObject([
      { result: 'missing-at-platform' },
    ])
    const book = await aBookWithBreak()
    await writeTransfers(book, { txn_id: 'gone', made_at: at })
    expect(await otherTransfers(book, [])).toMatchObject([{ result: 'missing-in-ledger' }])
  })
})

describe('a run', () => {
  const ledger = Array.from({ length: 60 }, (_, i) => aRow({ txnId: `t-${i}` }))
  const records = ledger.map(({ txnId }) => aRecord({ txnId }))

  test('stores 25 results at a time, and continues there after a stop', async () => {
    const book = await aBook()
    const stop = new AbortController()
    const steps: number[] = []
    const onStep = (done: number) => {
      steps.push(done)
      if (done === 50) stop.abort()
    }
    const { platform } = aPlatform(records)
    await expect(reconcile(platform, book, { ledger, onStep, signal: stop.signal })).rejects.toThrow(/abort/i)
    expect(steps).toEqual([25, 50])
    expect(await reconcile(platform, book, { ledger })).toMatchObject({ verdict: 'balanced', known: 50 })
  })

  test('ends with the last full batch', async () => {
    const steps: number[] = []
    const onStep = (done: number) => steps.push(done)
    await reconcile(aPlatform(records).platform, await aBook(), { ledger: ledger.slice(0, 50), onStep })
    expect(steps).toEqual([25, 50])
  })

  test('sends eight requests at a time', async () => {
    let [running, most] = [0, 0]
    const { platform } = aPlatform(records)
    const transfer: typeof platform.transfer = async (...request) => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running -= 1
      return platform.transfer(...request)
    }
    await reconcile({ ...platform, transfer }, await aBook(), { ledger })
    expect(most).toBe(8)
  })

  test('over an empty ledger is inconclusive without a time range, because nothing was checked', async () => {
    const { platform } = aPlatform([])
    expect(await reconcile(platform, await aBook(), { ledger: [] })).toMatchObject({
      verdict: 'cannot-conclude',
      transfers: [],
    })
    expect(await reconcile(platform, await aBook(), { ledger: [], span: hour })).toMatchObject({ verdict: 'balanced' })
  })

  test.each(['transfer', 'player'] as const)('ends with a failure of the platform: %s', async (call) => {
    const { platform } = aPlatform([aRecord()])
    const failing = {
      ...platform,
      [call]: async () => {
        throw new Problem('RATE_LIMITED', 'slow down')
      },
    }
    await expect(reconcile(failing, await aBook())).rejects.toThrow('slow down')
  })
})

test('a transfer of the journal as a row of a ledger', () => {
  expect(ledgerOf(aTransfer({ txn_id: 'x', username: 'Amy', dir: 'out', amount: '1.5', made_at: 7 }))).toEqual({
    ...{ txnId: 'x', username: 'Amy', dir: 'out', amount: 15_000n, currency: 'USD', at: 7, line: null },
  })
})
