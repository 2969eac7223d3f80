import { describe, expect, test } from 'vitest'
import { breakId } from '../../../src/domain/reconcile/breaks.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { reconcileWallets } from '../../../src/operator/balances/reconcile.ts'
import { latestRuns } from '../../../src/operator/book/runs.ts'
import { applyToBreaks } from '../../../src/operator/reconcile/breaks/actions.ts'
import { recordBreaks } from '../../../src/operator/reconcile/breaks/store.ts'
import type { BetRecord, TransferRecord } from '../../../src/services/casino/api/schemas/index.ts'
import { aBook, allBreaks, aRecord, reading, toRow, writeRows, writeTransfers } from '../book-rows.ts'
import { aFakePlatform, inWriteOrder } from '../reconcile-fake.ts'

const hour = 3_600_000
const created = Date.UTC(2026, 2, 1)

/** Players who were never online, and a book that is older; one clock for all. */
async function aRoom(balances: Record<string, string>, { isOnline = false, start = Date.UTC(2026, 0, 1) } = {}) {
  let now = Date.UTC(2026, 2, 10, 8)
  let ids = 0
  const book = await aBook(() => now)
  const waits: number[] = []
  const balanceLookups: string[] = []
  const lookedUp: string[] = []
  const transfers = new Map<string, TransferRecord>()
  let records: BetRecord[] = []
  let onWait = () => {}
  const keepPosition = (cursor: string | null) =>
    book.store.write(async ({ q }) => {
      await q.deleteFrom('book_position').execute()
      const row = { started_from: start, caught_up_at: now, rows: records.length, ahead_ms: null }
      await q
        .insertInto('book_position')
        .values({ id: 'bets', cursor, ...row })
        .execute()
    })
  await keepPosition('202603.0')
  const platform = () => ({
    ...aFakePlatform(records, 'UTC').platform,
    player: async ({ query: { username } }: { query: { username: string } }) => {
      balanceLookups.push(username)
      const balance = balances[username.toLowerCase()]
      if (balance === undefined) throw new Problem('PLAYER_NOT_FOUND', 'no such player')
      const about = { nickname: null, status: 'active', currency: 'USD', online: isOnline, lastLoginAt: null } as const
      return { ...about, username, balance, createdAt: new Date(created).toISOString() }
    },
    transfer: async ({ query: { txnId } }: { query: { txnId: string } }) => {
      lookedUp.push(txnId)
      const record = transfers.get(txnId)
      if (!record) throw new Problem('TXN_NOT_FOUND', 'no such transfer')
      return record
    },
  })
  return {
    ...{ book, waits, balanceLookups, lookedUp, balances, transfers, keepPosition },
    /** Event between the two checks. */
    whileWaiting: (what: () => void) => {
      onWait = what
    },
    /** Records that platform and book have. */
    write: async (...some: readonly Partial<BetRecord>[]) => {
      records = inWriteOrder(some.map((record) => aRecord(record)))
      await writeRows(
        book,
        records.map((record, i) => toRow(record, i + 1)),
      )
      await keepPosition(`202603.${records.length}`)
    },
    reconcile: (usernames: readonly string[], isWhole = false) => {
      now += 2 * hour
      return reconcileWallets(
        {
          ...{ platform: platform(), book, environment: 'live', here: () => now, there: () => now },
          sleep: async (ms) => {
            waits.push(ms)
            onWait()
          },
        },
        // IDs that sort by creation.
        { usernames, isWhole, id: () => `id-${String(++ids).padStart(5, '0')}` },
      )
    },
  }
}

describe('the first reading of a player', () => {
  test('that the journal did not create is recorded, and proves nothing yet', async () => {
    const room = await aRoom({ amy: '100' })
    expect((await room.reconcile(['amy'])).players).toMatchObject([
      {
        ...{ verdict: 'cannot-conclude', balance: '100', difference: '100', readAt: '2026-03-10T10:00:00.000Z' },
        ...{ since: null, breakId: null, reasons: [{ code: 'JOURNAL_BEGINS_LATER' }] },
      },
    ])
    expect(room.waits).toEqual([])
  })

  test('is a difference if journal and ledgers are complete', async () => {
    const room = await aRoom({ amy: '100' })
    expect((await room.reconcile(['amy'], true)).players).toMatchObject([
      { verdict: 'differences', difference: '100', since: { from: 'beginning', markId: null } },
    ])
    expect(await allBreaks(room.book)).toMatchObject([{ subject: 'amy beginning', amount: '100', player: 'amy' }])
  })

  test('of zero is proven from the beginning', async () => {
    const room = await aRoom({ amy: '0' })
    expect((await room.reconcile(['amy'])).players).toMatchObject([
      { verdict: 'balanced', since: { from: 'beginning' }, reasons: [], leads: [] },
    ])
  })
})

test('a run without players is inconclusive: nothing was checked', async () => {
  const room = await aRoom({})
  expect(await room.reconcile([])).toMatchObject({ verdict: 'cannot-conclude', players: [] })
  expect(await reading(room.book, (reader) => latestRuns(reader, { limit: 1 }))).toMatchObject([{ exit: 11 }])
})

test('a player older than the book has the first reading recorded, and the next ones proven', async () => {
  const room = await aRoom({ amy: '100' }, { start: created + 1 })
  expect((await room.reconcile(['amy'])).players).toMatchObject([
    { verdict: 'cannot-conclude', difference: null, balance: '100', reasons: [{ code: 'BOOK_BEGINS_LATER' }] },
  ])
  for (const markId of ['id-00002', 'id-00004'])
    expect((await room.reconcile(['amy'])).players).toMatchObject([{ verdict: 'balanced', since: { markId } }])
})

test('a player older than the book is proven from the first reading also with a complete journal', async () => {
  const room = await aRoom({ amy: '100' }, { start: created + hour })
  expect((await room.reconcile(['amy'], true)).players).toMatchObject([{ verdict: 'cannot-conclude' }])
  expect((await room.reconcile(['amy'], true)).players).toMatchObject([{ verdict: 'balanced', reasons: [] }])
})

test('a difference of an earlier reading is reported if the current one may be a stake, and the current reading stays open', async () => {
  const room = await aRoom({ amy: '100' }, { isOnline: true })
  const checkpoints = async () =>
    (await reading(room.book, ({ q }) => q.selectFrom('book_wallet_marks').selectAll().orderBy('id').execute())).map(
      ({ balance, verdict, held }) => [balance, verdict, held],
    )
  await room.reconcile(['amy'])
  room.balances['amy'] = '90'
  expect((await room.reconcile(['amy'])).players).toMatchObject([
    { verdict: 'cannot-conclude', reasons: [{ code: 'STAKES_HELD' }], isFromEarlier: false },
  ])
  room.balances['amy'] = '85'
  expect((await room.reconcile(['amy'])).players).toMatchObject([
    { verdict: 'differences', difference: '-10', balance: '90', isFromEarlier: true },
  ])
  expect(await checkpoints()).toEqual([
    ['100', 'begun', null],
    ['90', 'differences', null],
    ['85', 'cannot-conclude', null],
  ])
})

test('a reading is stored with its verdict', async () => {
  const room = await aRoom({ amy: '100' })
  const last = async () =>
    (await reading(room.book, ({ q }) => q.selectFrom('book_wallet_marks').selectAll().orderBy('id').execute())).at(-1)
  await room.reconcile(['amy'])
  expect(await last()).toMatchObject({ balance: '100', verdict: 'begun', held: null })
  await room.reconcile(['amy'])
  expect(await last()).toMatchObject({ balance: '100', verdict: 'balanced', held: '0' })
  room.balances['amy'] = '90'
  await room.reconcile(['amy'])
  expect(await last()).toMatchObject({ balance: '90', verdict: 'differences', held: null })
})

/** A room in which the first reading of these players is recorded. */
async function aReadRoom(balances: Record<string, string>) {
  const room = await aRoom(balances)
  await room.reconcile(Object.keys(balances))
  return room
}

describe('a later reading', () => {
  test('of the same balance is proven, without a second check or a look-up', async () => {
    const room = await aReadRoom({ amy: '100' })
    await writeTransfers(room.book, { txn_id: 'old', username: 'amy', made_at: created, changed_at: created })
    expect(await room.reconcile(['amy'])).toMatchObject({
      ...{
        verdict: 'balanced',
        next: [],
        players: [{ difference: '0', since: { from: 'reading', markId: 'id-00002' } }],
      },
    })
    expect([room.waits, room.lookedUp]).toEqual([[], []])
  })

  test('of another balance is a difference if a second check two seconds later finds it too', async () => {
    const room = await aReadRoom({ amy: '100', bob: '5' })
    room.balanceLookups.length = 0
    room.balances['amy'] = '99.9999'
    const { verdict, players, counts } = await room.reconcile(['bob', 'amy'])
    expect([verdict, counts]).toEqual(['differences', { balanced: 1, differences: 1, 'cannot-conclude': 0 }])
    expect(players).toMatchObject([
      { player: 'bob', verdict: 'balanced', breakId: null },
      { player: 'amy', verdict: 'differences', difference: '-0.0001', leads: [{ code: 'UNKNOWN_MOVEMENT' }] },
    ])
    expect([room.waits, room.balanceLookups]).toEqual([[2_000], ['bob', 'amy', 'amy']])
    expect(await allBreaks(room.book)).toMatchObject([{ id: players[1]?.breakId, amount: '-0.0001', state: 'open' }])
  })

  test('whose difference is gone at the second check is proven', async () => {
    const room = await aReadRoom({ amy: '100' })
    room.balances['amy'] = '90'
    room.whileWaiting(() => {
      room.balances['amy'] = '100'
    })
    expect(await room.reconcile(['amy'])).toMatchObject({ verdict: 'balanced', players: [{ balance: '100' }] })
    expect([room.waits, await allBreaks(room.book)]).toEqual([[2_000], []])
  })

  test('clears the break of a difference that disappeared', async () => {
    const room = await aReadRoom({ amy: '100' })
    room.balances['amy'] = '90'
    await room.reconcile(['amy'])
    room.balances['amy'] = '100'
    await room.reconcile(['amy'])
    expect(await allBreaks(room.book)).toMatchObject([{ state: 'cleared' }])
  })

  test('clears a break of the beginning if it is proven from there', async () => {
    const room = await aRoom({ amy: '100' })
    await room.reconcile(['amy'], true)
    room.balances['amy'] = '0'
    expect((await room.reconcile(['amy'], true)).verdict).toBe('balanced')
    expect(await allBreaks(room.book)).toMatchObject([{ subject: 'amy beginning', state: 'cleared' }])
  })

  test.each([
    ['amy id-00002', '100', 'cleared'],
    ['amy id-00001', '100', 'open'],
    ['amy beginning', '100', 'open'],
    ['amy id-00002', '90', 'open'],
    ['bob id-00002', '100', 'open'],
  ])('over a break of %s and a balance of %s leaves it %s', async (subject, balance, state) => {
    const room = await aReadRoom({ amy: '100' })
    const player = subject.slice(0, 3)
    const finding = { kind: 'wallet', subject, date: null, player, currency: 'USD', amount: '1', detail: {} } as const
    await room.book.store.write((tx) =>
      recordBreaks(tx, { id: 'r', who: 'w' }, { detected: [{ ...finding, message: '', fingerprint: '' }], looked: [] }),
    )
    room.balances['amy'] = balance
    await room.reconcile(['amy'])
    const row = (await allBreaks(room.book)).find((each) => each.subject === subject)
    expect(row).toMatchObject({ state })
  })
})

describe('an amount that a person settled', () => {
  const afterBreak = async (state: 'open' | 'closed' | 'none', amount: string | null, balance: string) => {
    const room = await aReadRoom({ amy: '100' })
    const subject = 'amy id-00002'
    const finding = { kind: 'wallet', subject, date: null, player: 'amy', currency: 'USD', amount } as const
    if (state !== 'none')
      await room.book.store.write((tx) =>
        recordBreaks(
          tx,
          { id: 'r', who: 'w' },
          {
            ...{ detected: [{ ...finding, message: '', fingerprint: '', detail: {} }], looked: [] },
          },
        ),
      )
    if (state === 'closed') {
      const id = breakId({ kind: 'wallet', subject })
      await applyToBreaks(room.book, [id], 'dana', { what: 'closed', reason: 'written-off', note: null })
    }
    room.balances['amy'] = balance
    return (await room.reconcile(['amy'])).players[0]?.verdict
  }

  test.each([
    ['closed', '-10', '90', 'balanced'],
    ['closed', '-10', '89.9999', 'differences'],
    ['open', '-10', '90', 'differences'],
    ['closed', null, '90', 'differences'],
    // An amount that cannot be read settles no amount, not even the smallest.
    ['closed', 'x', '100.0001', 'differences'],
    ['none', null, '100.0001', 'differences'],
  ] as const)('by a break that is %s with %s makes a balance of %s %s', async (state, amount, balance, verdict) => {
    expect(await afterBreak(state, amount, balance)).toBe(verdict)
  })
})

describe('our transfer that was never looked up', () => {
  const transferRecord = (amount: string): TransferRecord => ({
    ...{ txnId: 't-1', username: 'amy', dir: 'in', amount, status: 'done', balance: amount },
    at: '2026-03-10T10:30:00.000Z',
  })
  const withTransfer = async (balance: string, record?: TransferRecord) => {
    const room = await aReadRoom({ amy: '0' })
    const at = Date.UTC(2026, 2, 10, 10, 30)
    await writeTransfers(room.book, { txn_id: 't-1', amount: '50', made_at: at, changed_at: at })
    if (record) room.transfers.set('t-1', record)
    room.balances['amy'] = balance
    const { players } = await room.reconcile(['amy'])
    return { player: players[0], lookedUp: room.lookedUp, waits: room.waits }
  }

  test('is not looked up if the balance is right', async () => {
    expect(await withTransfer('50')).toMatchObject({ player: { verdict: 'balanced', deposits: '50' }, lookedUp: [] })
  })

  test('counts as the platform has it if the balance is wrong, and no second check is needed', async () => {
    expect(await withTransfer('40', transferRecord('40'))).toMatchObject({
      player: { verdict: 'balanced', deposits: '40' },
      lookedUp: ['t-1'],
      waits: [],
    })
  })

  test('still counts if the platform does not have it, which is a difference', async () => {
    expect(await withTransfer('0')).toMatchObject({ player: { verdict: 'differences', difference: '-50' } })
  })
})

describe('a record that cannot be read', () => {
  const withRecord = async (balance: string) => {
    const room = await aReadRoom({ amy: '100' })
    await room.write({ payout: '0', settledAt: '2026-03-10T10:30:00.000Z', placedAt: '2026-03-10T10:29:00.000Z' })
    await room.book.store.write(({ q }) => q.updateTable('book_revisions').set({ record: 'broken' }).execute())
    room.balances['amy'] = balance
    return { room, run: await room.reconcile(['amy']) }
  }

  test.each(['100', '90'])('leaves a balance of %s inconclusive, and reports the reason', async (balance) => {
    const { room, run } = await withRecord(balance)
    expect(run).toMatchObject({ verdict: 'cannot-conclude', next: [expect.stringContaining('into a new book')] })
    expect(run.players[0]?.reasons.map(({ code }) => code)).toEqual(['RECORD_UNREADABLE'])
    expect([room.waits, await allBreaks(room.book)]).toEqual([[], []])
  })

  test('stays in doubt in the next run', async () => {
    const { room } = await withRecord('100')
    expect(await room.reconcile(['amy'])).toMatchObject({ verdict: 'cannot-conclude' })
  })
})

describe('a run', () => {
  test('has each player once, in the requested order and spelling, and those that do not exist', async () => {
    const room = await aReadRoom({ amy: '100', bob: '5' })
    const { verdict, players, counts } = await room.reconcile(['Bob', 'nobody', 'amy', 'BOB'])
    expect(players.map(({ player }) => player.toLowerCase())).toEqual(['bob', 'nobody', 'amy'])
    expect(players[1]?.reasons).toMatchObject([{ code: 'PLAYER_NOT_FOUND' }])
    expect([verdict, counts]).toEqual(['cannot-conclude', { balanced: 2, differences: 0, 'cannot-conclude': 1 }])
  })

  test('with an empty book proves no balance', async () => {
    const room = await aRoom({ amy: '100' })
    await room.keepPosition(null)
    const { players, counts } = await room.reconcile(['amy', 'bob'])
    expect(players.map(({ reasons }) => reasons[0]?.code)).toEqual(['BOOK_EMPTY', 'BOOK_EMPTY'])
    expect(counts).toEqual({ balanced: 0, differences: 0, 'cannot-conclude': 2 })
  })

  test.each([
    ['100', 0, 0],
    ['90', 9, 1],
    [undefined, 11, 0],
  ])('over a balance of %s is in the history with exit code %i and %i differing', async (balance, exit, differing) => {
    const room = await aReadRoom({ amy: '100' })
    if (balance === undefined) delete room.balances['amy']
    else room.balances['amy'] = balance
    const { runId } = await room.reconcile(['amy'])
    const [run] = await reading(room.book, (reader) => latestRuns(reader, { limit: 1 }))
    expect(run).toMatchObject({ id: runId, job: 'reconcile wallet', exit })
    expect(JSON.parse(run?.summary ?? '')).toEqual({ players: 1, differing })
  })
})
