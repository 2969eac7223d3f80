import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { book as bookMigrations } from '../../src/db/migrations/book/index.ts'
import type { DetectedBreak } from '../../src/domain/reconcile/breaks.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { reconcileWallets } from '../../src/operator/balances/reconcile.ts'
import { openBook } from '../../src/operator/book/book.ts'
import { applyToBreaks } from '../../src/operator/reconcile/breaks/actions.ts'
import { keepDays } from '../../src/operator/reconcile/breaks/record.ts'
import { breakNamed, listBreaks, recordBreaks } from '../../src/operator/reconcile/breaks/store.ts'
import { reconcileDay } from '../../src/operator/reconcile/daily/reconcile-day.ts'
import { explainBreak } from '../../src/operator/reconcile/explain/explain-break.ts'
import { findRestated } from '../../src/operator/reconcile/restated.ts'
import { keepChecks } from '../../src/operator/transfers/lookups.ts'
import { transfer } from '../../src/operator/transfers/transfer.ts'
import { adjust } from '../../src/services/casino/admin/index.ts'
import { changeRound } from '../../src/services/casino/simulator/index.ts'
import { keepingEngines } from '../support/databases/engines.ts'
import { insertRows, toRow, writeRows } from './book-rows.ts'
import { aFakePlatform, inWriteOrder, recordsOf } from './reconcile-fake.ts'
import { aCountRoom, type CountRoom, inSummary } from './reconcile-support.ts'

const aBreak = (subject: string, figure = 'x'): DetectedBreak => ({
  kind: 'daily',
  subject,
  date: '2026-03-10',
  player: subject,
  currency: 'USD',
  amount: '1',
  message: subject,
  fingerprint: figure,
  detail: {},
})
const run = { id: 'run', who: 'reconcile daily' }
const looked = [{ kind: 'daily' as const, covers: () => true }]

describe('the breaks of a book', () => {
  test('are one per subject across runs and people, open exactly when the last run found it and the finding is not closed', async () => {
    const subjects = ['amy', 'bob', 'cho'] as const
    const figures = fc.constantFrom('x', 'y')
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ findings: fc.dictionary(fc.constantFrom(...subjects), figures) }) },
      { weight: 1, arbitrary: fc.record({ close: fc.constantFrom(...subjects) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const book = await openBook(':memory:', () => 1)
        const model = new Map<string, { open: boolean; figure: string; times: number; isCleared: boolean }>()
        const ids = new Map<string, string>()
        for (const each of steps) {
          if ('close' in each) {
            const known = model.get(each.close)
            if (!known?.open) continue
            await applyToBreaks(book, [ids.get(each.close) ?? ''], 'dana', {
              what: 'closed',
              reason: 'timing',
              note: null,
            })
            model.set(each.close, { ...known, open: false })
            continue
          }
          const findings = Object.entries(each.findings)
          const noted = await book.store.write((tx) =>
            recordBreaks(tx, run, { detected: findings.map(([subject, figure]) => aBreak(subject, figure)), looked }),
          )
          for (const [i, [subject, figure]] of findings.entries()) {
            const known = model.get(subject)
            const isSettled = known !== undefined && !known.open && !known.isCleared && known.figure === figure
            model.set(subject, { open: !isSettled, figure, times: (known?.times ?? 0) + 1, isCleared: false })
            const { id = '' } = noted.breaks[i] ?? {}
            expect(ids.get(subject) ?? id).toBe(id)
            ids.set(subject, id)
          }
          for (const [subject, known] of model)
            if (known.open && !(subject in each.findings))
              model.set(subject, { ...known, open: false, isCleared: true })
        }
        const { rows, count } = await listBreaks(book, { limit: 10 })
        expect(count).toBe(model.size)
        for (const row of rows) {
          const known = model.get(row.subject)
          expect([row.state, row.times]).toEqual([
            known?.open ? 'open' : known?.isCleared ? 'cleared' : 'closed',
            known?.times,
          ])
        }
        await book.close()
      }),
      { numRuns: 40 },
    )
  })
})

/** A deposit or withdrawal of ours, recorded and sent. */
let count = 0
async function move(room: CountRoom, dir: 'in' | 'out', username: string, amount: string) {
  count += 1
  const retryOptions = { sleep: async () => {}, random: () => 0, now: room.now, here: room.now }
  const order = { txnId: `t-${count}`, username, dir, amount, currency: 'USD' }
  const { book, transport, now: platformNow } = room
  const end = await transfer({ book, transport, retryOptions, platformNow }, order)
  expect(end.kind).toBe('done')
  return order
}

const ids = realAmbient()
const proof = (room: CountRoom, ...usernames: string[]) =>
  reconcileWallets(
    {
      platform: room.client,
      book: room.book,
      environment: 'live',
      here: room.now,
      there: room.now,
      sleep: async () => {},
    },
    { usernames, isWhole: false, id: () => ids.id() },
  )

describe('balances', () => {
  test('of players created after the book are proven from the beginning, after any events', async () => {
    const room = await aCountRoom({ start: '2026-03-10T00:00:00.000Z' })
    const minute = 60_000
    const happening = fc.oneof(
      fc.record({
        do: fc.constant('move' as const),
        dir: fc.constantFrom('in' as const, 'out' as const),
        by: fc.integer({ min: 1, max: 900 }),
      }),
      fc.record({
        do: fc.constant('bet' as const),
        by: fc.integer({ min: 10, max: 200 }),
        then: fc.subarray(['correct', 'void'] as const),
      }),
      fc.record({ do: fc.constant('read' as const) }),
    )
    let nth = 0
    await room.sync('2026-03-01T00:00:00.000Z')
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 6 }), fc.boolean(), async (all, isPlanted) => {
        nth += 1
        const player = `Player${nth}`
        await move(room, 'in', player, '2000')
        for (const each of all) {
          room.goTo(room.now() + 20 * minute)
          if (each.do === 'move')
            await move(room, each.dir, player, each.dir === 'in' ? `${each.by}.5` : `${each.by / 100}`)
          else if (each.do === 'bet')
            await room.bet(
              { [player]: `${each.by}` },
              each.then.map((what) => (what === 'void' ? { void: true } : { correct: { cardInfo: '5H4S3C5D----' } })),
            )
          // A reading in between has no effect, after the book's cursor or before it.
          else expect((await proof(room, player)).verdict).toBe('balanced')
        }
        room.goTo(room.now() + 20 * minute)
        if (nth % 2 === 0) await room.sync()
        if (isPlanted)
          await adjust(room.world.casino, 'ACME', player, nth % 3 === 0 ? '0.0001' : '-0.0001', `plant-${nth}`)
        const { players } = await proof(room, player)
        expect(players[0]).toMatchObject(
          isPlanted
            ? { verdict: 'differences', difference: nth % 3 === 0 ? '0.0001' : '-0.0001' }
            : { verdict: 'balanced', difference: '0' },
        )
      }),
      { numRuns: 25 },
    )
  })

  test('a difference is one break until it is explained or settled, and the proof continues from there', async () => {
    const room = await aCountRoom({ start: '2026-03-10T00:00:00.000Z' })
    await room.fund('amy')
    room.goTo('2026-03-10T10:00:00.000Z')
    await room.sync()
    const first = await proof(room, 'amy')
    expect(first.players[0]).toMatchObject({
      verdict: 'cannot-conclude',
      difference: '100000',
      reasons: [{ code: 'JOURNAL_BEGINS_LATER' }],
    })
    room.goTo('2026-03-10T11:00:00.000Z')
    expect((await proof(room, 'amy')).players[0]).toMatchObject({ verdict: 'balanced', since: { from: 'reading' } })
    await adjust(room.world.casino, 'ACME', 'amy', '-7.5', 'by-hand')
    room.goTo('2026-03-10T12:00:00.000Z')
    const lost = await proof(room, 'amy')
    room.goTo('2026-03-10T13:00:00.000Z')
    const again = await proof(room, 'AMY')
    expect([lost.players[0]?.difference, again.players[0]?.breakId]).toEqual(['-7.5', lost.players[0]?.breakId])
    expect(again.players[0]?.leads.map(({ code }) => code)).toEqual(['UNKNOWN_MOVEMENT'])
    const id = again.players[0]?.breakId ?? ''
    const { rows } = await listBreaks(room.book, { limit: 10 })
    expect(rows.map((row) => [row.id, row.times, row.amount])).toEqual([[id, 2, '-7.5']])
    await applyToBreaks(room.book, [id], 'dana', { what: 'closed', reason: 'manual-adjustment', note: null })
    room.goTo('2026-03-10T14:00:00.000Z')
    expect((await proof(room, 'amy')).players[0]).toMatchObject({ verdict: 'balanced', breakId: null })
    room.goTo('2026-03-10T15:00:00.000Z')
    await move(room, 'out', 'amy', '100')
    expect((await proof(room, 'amy')).players[0]).toMatchObject({ verdict: 'balanced', withdrawals: '-100' })

    // Reopened, it precedes everything that later runs check: none of them can see it disappear.
    await applyToBreaks(room.book, [id], 'dana', { what: 'reopened', note: null })
    await applyToBreaks(room.book, [id], 'dana', { what: 'reopened', note: 'asked them' })
    room.goTo('2026-03-10T16:00:00.000Z')
    expect((await proof(room, 'amy')).players[0]).toMatchObject({ verdict: 'balanced' })
    const { row, events } = await breakNamed(room.book, id)
    expect(row.state).toBe('open')
    expect(events.slice(-2)).toMatchObject([
      { what: 'reopened', text: null },
      { what: 'noted', text: 'asked them', who: 'dana' },
    ])
    const tenant = { companyCode: 'ACME', environment: 'live', timezone: 'UTC' } as const
    const work = { platform: undefined, book: room.book, tenant, now: room.now, here: room.now, missing: [] }
    expect((await explainBreak(work, id, { tracePages: 1 })).wallet).toMatchObject({
      isReadingKept: false,
      movements: [],
    })

    room.goTo('2026-03-10T16:30:00.000Z')
    // A ledger with the wrong sign still matches, and leaves the balance off by twice the amount.
    await adjust(room.world.casino, 'ACME', 'amy', '3', 'flip-1')
    const flipped = { txnId: 'flip-1', username: 'amy', dir: 'adjust', amount: -30_000n, currency: 'USD' } as const
    const record = await room.client.transfer({ query: { txnId: 'flip-1' } })
    await room.book.store.write((tx) =>
      keepChecks(tx, [{ ledger: { ...flipped, at: null, line: 2 }, result: 'matched', record }]),
    )
    room.goTo('2026-03-10T17:00:00.000Z')
    const [turned] = (await proof(room, 'amy')).players
    expect([turned?.difference, turned?.leads[0]]).toMatchObject(['6', { code: 'ADJUSTMENT_SIGN', ids: ['flip-1'] }])
    // A difference after the current reading is seen to disappear.
    await room.book.store.write((tx) =>
      keepChecks(tx, [{ ledger: { ...flipped, amount: 30_000n, at: null, line: 2 }, result: 'matched', record }]),
    )
    room.goTo('2026-03-10T18:00:00.000Z')
    expect((await proof(room, 'amy')).verdict).toBe('balanced')
    const { rows: all } = await listBreaks(room.book, { limit: 10 })
    expect(all.map((each) => [each.id === id, each.state]).sort()).toEqual([
      [false, 'cleared'],
      [true, 'open'],
    ])
  })

  test('records on another page, a player who continues, and a platform without a transfer are distinguished', async () => {
    const room = await aCountRoom({ start: '2026-03-10T00:00:00.000Z' })
    expect((await proof(room, 'amy')).players[0]?.reasons[0]?.code).toBe('BOOK_EMPTY')
    await room.sync('2026-03-01T00:00:00.000Z')
    const { txnId } = await move(room, 'in', 'amy', '50')
    await move(room, 'in', 'bob', '500')
    room.goTo('2026-03-10T10:00:00.000Z')
    // Between the two reads of the records bob is dealt another round, each time.
    room.beforeEach((path) => (path.includes('/player?username=bob') ? room.bet({ bob: '10' }) : undefined))
    const playing = await proof(room, 'bob', 'amy', 'nobody')
    room.beforeEach(undefined)
    expect(playing.players.map(({ verdict, reasons }) => [verdict, reasons[0]?.code])).toEqual([
      ['cannot-conclude', 'PLAYING'],
      ['balanced', undefined],
      ['cannot-conclude', 'PLAYER_NOT_FOUND'],
    ])
    room.goTo('2026-03-10T12:00:00.000Z')
    expect((await proof(room, 'bob')).verdict).toBe('balanced')
    // If the book does not reach back to a player's beginning, the balance is the start of the proof, and nothing more.
    const reasonOf = async (createdAt: string) => {
      await room.spoil((q) => q.deleteFrom('book_wallet_marks').execute())
      room.tamperWith((path, data) => (path.includes('/player?') ? { ...data, createdAt } : undefined))
      const { verdict, players } = await proof(room, 'bob')
      return [verdict, players[0]?.reasons[0]?.code]
    }
    expect(await reasonOf('2026-02-01T00:00:00.000Z')).toEqual(['cannot-conclude', 'BOOK_BEGINS_LATER'])
    await room.spoil((q) => q.updateTable('book_position').set({ started_from: 0 }).execute())
    expect(await reasonOf('2024-02-01T00:00:00.000Z')).toEqual(['cannot-conclude', 'RETENTION'])
    const gap = {
      id: 'gap',
      kind: 'gap',
      found_at: room.now(),
      slip_id: null,
      rev: null,
      message: 'x',
      detail: '{}',
    } as const
    await room.spoil((q) => q.insertInto('book_alarms').values(gap).execute())
    expect(await reasonOf('2026-03-10T00:00:00.000Z')).toEqual(['cannot-conclude', 'BOOK_HAS_GAP'])
    await room.spoil((q) => q.deleteFrom('book_alarms').execute())
    // A platform restored from an older copy: the transfer is gone, and so is the money.
    await room.spoil((q) => q.deleteFrom('book_wallet_marks').execute())
    room.tamperWith((path, data) => (path.includes('/player?') ? { ...data, balance: '0' } : undefined))
    const lost = await proof(room, 'amy')
    expect(lost.players[0]).toMatchObject({ verdict: 'differences', difference: '-50', deposits: '50' })
    expect(lost.players[0]?.leads.find(({ code }) => code === 'TRANSFER_AMOUNT')?.ids).toEqual([txnId])
  })
})

test('amounts held by rounds are known by the next reading; other missing amounts are then reported for the earlier one', async () => {
  let now = Date.UTC(2026, 2, 10, 8)
  const hour = 3_600_000
  const book = await openBook(':memory:', () => now)
  onTestFinished(() => book.close())
  /** A slip that was bet two minutes before the hour and settled three minutes after it. */
  const slip = (at: number, stake: bigint, payout: bigint, i: number) =>
    recordsOf(
      {
        username: 'amy',
        game: 'baccarat',
        stake,
        payouts: [payout],
        isVoided: false,
        isOnsite: false,
        at: at + 180_000,
      },
      i,
    ).map((record) => ({ ...record, placedAt: new Date(at - 120_000).toISOString() }))
  const start = now
  const records = inWriteOrder([
    ...slip(start + 2 * hour, 50_000n, 90_000n, 1),
    ...slip(start + 4 * hour, 30_000n, 0n, 2),
    ...slip(start + 6 * hour, 20_000n, 20_000n, 3),
  ])
  const known = () => records.filter(({ settledAt }) => Date.parse(settledAt) <= now)
  let balance = '1000'
  const platform = () => ({
    ...aFakePlatform(known(), 'UTC').platform,
    player: async () => ({
      username: 'amy',
      nickname: null,
      status: 'active' as const,
      currency: 'USD',
      balance,
      online: true,
      createdAt: '2025-12-01T00:00:00.000Z',
      lastLoginAt: new Date(now).toISOString(),
    }),
    transfer: async () => {
      throw new Error('not asked')
    },
  })
  const read = async (at: number, states: string) => {
    now = at
    balance = states
    await book.store.write(async (tx) => {
      const { q } = tx
      await q.deleteFrom('book_revisions').execute()
      await q.deleteFrom('book_position').execute()
      await insertRows(
        tx,
        known().map((record, i) => toRow(record, i + 1)),
      )
      const position = {
        cursor: `202603.${known().length}`,
        started_from: start,
        caught_up_at: now,
        rows: known().length,
      }
      await q
        .insertInto('book_position')
        .values({ id: 'bets', ...position })
        .execute()
    })
    const { players } = await reconcileWallets(
      { platform: platform(), book, environment: 'live', here: () => now, there: () => now, sleep: async () => {} },
      { usernames: ['amy'], isWhole: false, id: () => ids.id() },
    )
    const [{ verdict, difference, isFromEarlier, reasons, since } = {}] = players
    return { verdict, difference, isFromEarlier, reasons: reasons?.map(({ code }) => code), since: since?.at }
  }
  expect(await read(start, '1000')).toMatchObject({ verdict: 'cannot-conclude', reasons: ['BOOK_BEGINS_LATER'] })
  // 5 are held for a round that is not visible.
  expect(await read(start + 2 * hour, '995')).toMatchObject({ verdict: 'cannot-conclude', reasons: ['STAKES_HELD'] })
  // Settled since, with 9; another 3 are held. The earlier reading is now proven, and the proof continues from it.
  expect(await read(start + 4 * hour, '1001')).toMatchObject({
    verdict: 'cannot-conclude',
    difference: '-3',
    since: new Date(start + 2 * hour).toISOString(),
  })
  // 2 are held, and a ten-thousandth is missing: that could be a stake too.
  expect(await read(start + 6 * hour, '998.9999')).toMatchObject({ verdict: 'cannot-conclude', difference: '-2.0001' })
  // It was none: the round held 2. The currently held amount has no effect any more.
  expect(await read(start + 8 * hour, '990.9999')).toMatchObject({
    verdict: 'differences',
    difference: '-0.0001',
    isFromEarlier: true,
  })

  // Of a long history since, the latest is reported.
  const later = Array.from({ length: 700 }, (_, i) => slip(start + 9 * hour + i * 1000, 10_000n, 0n, 10 + i)).flat()
  await writeRows(
    book,
    later.map((record, i) => toRow(record, 100 + i)),
  )
  const { rows } = await listBreaks(book, { limit: 1 })
  const tenant = { companyCode: 'ACME', environment: 'live', timezone: 'UTC' } as const
  const work = { platform: undefined, book, tenant, now: () => now, here: () => now, missing: [] }
  const { wallet } = await explainBreak(work, rows[0]?.id ?? '', { tracePages: 1 })
  expect([wallet?.isReadingKept, wallet?.movements.length]).toEqual([true, 500])
  expect(wallet?.movementsLeftOut).toBeGreaterThanOrEqual(200)
  expect(wallet?.movements.at(-1)?.id).toBe(later.at(-1)?.slipId)
})

describe('days that were reconciled', () => {
  test('and changed by a void or correction are reported once, with the amount and the slips, until the change is accepted', async () => {
    const room = await aCountRoom({ start: '2026-03-10T02:00:00.000Z', timezone: 'UTC' })
    await room.fund('amy', 'bob')
    await room.bet({ amy: '100', bob: '40' })
    room.goTo('2026-03-10T20:00:00.000Z')
    const late = await room.bet({ amy: '30' })
    const other = await room.bet({ bob: '7' })
    room.goTo('2026-03-11T01:00:00.000Z')
    await room.sync()
    const day = await room.reconcile('2026-03-10')
    await keepDays(room.book, { id: 'R1', who: 'reconcile daily', exit: 0 }, [day])
    const look = () => findRestated(room.book, { id: 'L', who: 'reconcile restated' }, {})
    expect(await look()).toEqual({ days: 1, unreconciled: [], restated: [] })

    const changed = await changeRound(room.world.casino, late.roundId, { void: true })
    expect(changed.disputed).toBeUndefined()
    await room.sync()
    // A later run finds the day balanced again, with the new figures: that accepts nothing.
    await keepDays(room.book, { id: 'R2', who: 'reconcile daily', exit: 0 }, [await room.reconcile('2026-03-10')])
    const { restated } = await look()
    expect(restated).toMatchObject([
      {
        date: '2026-03-10',
        since: { runId: 'R1', verdict: 'balanced' },
        players: [
          {
            player: 'amy',
            winLoss: '30',
            slips: [{ from: { rev: 1, winLoss: '-30' }, to: { rev: 2, status: 'void', winLoss: '0' } }],
          },
        ],
      },
    ])
    expect((await look()).restated[0]?.breakId).toBe(restated[0]?.breakId)
    const id = restated[0]?.breakId ?? ''
    await applyToBreaks(room.book, [id], 'dana', { what: 'closed', reason: 'late-correction', note: null })
    expect((await look()).restated).toEqual([])
    // A later change is reported separately, as the same break, open again.
    await changeRound(room.world.casino, other.roundId, { void: true })
    await room.sync()
    const further = (await look()).restated
    expect(
      further.map(({ breakId, players }) => [breakId, players.map(({ player, winLoss }) => [player, winLoss])]),
    ).toEqual([[id, [['bob', '7']]]])
    await applyToBreaks(room.book, [id], 'dana', { what: 'closed', reason: 'late-correction', note: null })
    expect((await look()).restated).toEqual([])
    await applyToBreaks(room.book, [id], 'dana', { what: 'reopened', note: 'not booked after all' })
    expect((await look()).restated[0]?.players).toMatchObject([{ player: 'bob' }])
    await expect(
      applyToBreaks(room.book, [id, 'daily-0000'], 'dana', { what: 'closed', reason: 'timing', note: null }),
    ).rejects.toMatchObject({ code: 'BREAK_NOT_FOUND' })
    expect((await look()).restated).toHaveLength(1)
  })

  test('with a difference leave a break for each player, which a run without it clears and one in doubt does not', async () => {
    const room = await aCountRoom({ start: '2026-03-10T02:00:00.000Z', timezone: 'UTC' })
    await room.fund('amy', 'bob')
    await room.bet({ amy: '100', bob: '40' })
    room.goTo('2026-03-11T01:00:00.000Z')
    await room.sync()
    const keep = async (id: string) =>
      keepDays(room.book, { id, who: 'reconcile daily', exit: 0 }, [await room.reconcile('2026-03-10')])
    room.tamperWith(
      inSummary((players) => players.map((one) => (one['username'] === 'amy' ? { ...one, winLoss: '-99' } : one))),
    )
    const one = await keep('R1')
    const two = await keep('R2')
    expect([one.breaks.length, two.breaks.map(({ id, isNew }) => [id, isNew])]).toEqual([
      1,
      [[one.breaks[0]?.id, false]],
    ])
    room.tamperWith((path, data) => (path.includes('/bets/summary') ? { ...data, timezone: 'Asia/Taipei' } : undefined))
    expect((await keep('R3')).cleared).toEqual([])
    room.tamperWith(undefined)
    expect((await keep('R4')).cleared).toEqual([one.breaks[0]?.id])
  })
})

describe.each(keepingEngines)('on $name', (engine) => {
  test('days, breaks, balances and restatements are stored alike', async () => {
    const database = await engine.database()
    let now = Date.UTC(2026, 2, 12)
    const store = await database.open({ migrations: bookMigrations, now: () => now })
    const book = { store, close: () => store.close() }
    const at = Date.UTC(2026, 2, 10, 8)
    const draft = { username: 'Amy', game: 'baccarat', stake: 50_000n, isVoided: false, isOnsite: false, at } as const
    const records = inWriteOrder(recordsOf({ ...draft, payouts: [20_000n, 70_000n] }, 0))
    const owner = { companyCode: 'ACME', environment: 'live', timezone: 'UTC' } as const
    const write = async (upTo: number) =>
      store.write(async (tx) => {
        const { q } = tx
        await q.deleteFrom('book_revisions').execute()
        await q.deleteFrom('book_position').execute()
        await insertRows(
          tx,
          records.slice(0, upTo).map((record, i) => toRow(record, i + 1)),
        )
        const position = { cursor: `202603.${upTo}`, started_from: 0, caught_up_at: now, rows: upTo }
        await q
          .insertInto('book_position')
          .values({ id: 'bets', ...position })
          .execute()
      })
    const summarized = (upTo: number) => aFakePlatform(records.slice(0, upTo), 'UTC').platform
    const day = (upTo: number) =>
      reconcileDay(
        { platform: summarized(upTo), book, now: () => now },
        { date: '2026-03-10', tenant: owner, trace: true, tracePages: 5 },
      )
    await write(1)
    expect((await keepDays(book, { id: 'R1', who: 'reconcile daily', exit: 0 }, [await day(1)])).breaks).toEqual([])
    await write(2)
    const { restated } = await findRestated(book, { id: 'L', who: 'reconcile restated' }, {})
    expect(restated[0]?.players[0]).toMatchObject({ player: 'Amy', winLoss: '5' })

    let balance = '1000'
    const player = {
      username: 'Amy',
      nickname: null,
      status: 'active',
      currency: 'USD',
      online: false,
      createdAt: '2026-03-01T00:00:00.000Z',
      lastLoginAt: null,
    } as const
    const refused = async () => {
      throw new Error('not asked')
    }
    const platform = { ...summarized(2), player: async () => ({ ...player, balance }), transfer: refused }
    const wallet = () =>
      reconcileWallets(
        { platform, book, environment: 'live', here: () => now, there: () => now, sleep: async () => {} },
        { usernames: ['amy'], isWhole: false, id: () => ids.id() },
      )
    expect((await wallet()).players[0]?.reasons[0]?.code).toBe('JOURNAL_BEGINS_LATER')
    now += 7_200_000
    expect((await wallet()).verdict).toBe('balanced')
    balance = '1000.0001'
    now += 7_200_000
    const { players } = await wallet()
    expect(players[0]).toMatchObject({ verdict: 'differences', difference: '0.0001' })
    const { rows } = await listBreaks(book, { states: ['open'], limit: 10 })
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['restated', 'wallet'])
    await applyToBreaks(
      book,
      rows.map(({ id }) => id),
      'dana',
      { what: 'closed', reason: 'other', note: 'x' },
    )
    expect((await wallet()).verdict).toBe('balanced')
    expect((await listBreaks(book, { states: ['open'], limit: 10 })).count).toBe(0)
  })
})
