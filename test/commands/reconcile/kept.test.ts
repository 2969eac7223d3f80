import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { dayOf } from '../../../src/domain/time/day.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { adjust } from '../../../src/services/casino/admin/index.ts'
import { changeRound, dealExactly } from '../../../src/services/casino/simulator/index.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { faultyProxy, keysOf, remoteHome, type Served, served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const sandbox = 'DEMO-SBX'
const deal = ({ world }: Served, bets: Record<string, string>) =>
  dealExactly(world.casino, sandbox, {
    tableId: 'BAC-01',
    variant: 'classic',
    cardInfo: 'QD3D4C3SAH--',
    slips: Object.entries(bets).map(([username, amount]) => ({ username, bets: { P: amount } })),
  })

/** Runs a command line, and checks its exit code. */
const shell = (home: Home) => ({
  people: async (line: string, code: number, input?: string) => {
    const result = await run(words(line), { home, ...(input === undefined ? {} : { input }) })
    expect([line, result.code, result.code === code ? '' : result.stderr]).toEqual([line, code, ''])
    return result
  },
  json: async (line: string, code: number) => {
    const result = await runJson(words(line), { home })
    expect([line, result.code, result.code === code ? '' : result.stdout]).toEqual([line, code, ''])
    return result
  },
})

/** The middle of the Taipei day after this one, so that the hour of the test run has no effect. */
const noon = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 4 * 3_600_000

test('a day that a void changes after it was reconciled is reported, explained, accepted, and not reported again', async () => {
  const place = await served()
  const home = await remoteHome(place)
  const { people, json } = shell(home)
  await place.world.clock.set(noon)
  const day = dayOf(noon, 'Asia/Taipei')
  const { roundId, revisions } = await deal(place, { amy: '100', bob: '40' })
  const slipId = revisions[0]?.bets.find(({ username }) => username === 'amy')?.slipId ?? ''
  await place.world.clock.set(noon + 14 * 3_600_000)
  await deal(place, { amy: '5' })
  await people('bets sync --out bets', 0)

  const none = await json('reconcile restated', 11)
  expect(none).toMatchObject({ data: { days: 0, restated: [] }, error: { code: 'CANNOT_CONCLUDE' } })
  expect((await people('reconcile restated --days 3 --dry-run', 11)).stderr).toMatch(
    /No day was checked[\s\S]*No day in this range was reconciled .*countroom reconcile daily/,
  )
  const daily = await json(`reconcile daily ${day}`, 0)
  const { runId } = daily.data['kept'] as { runId: string }
  expect(daily.data).toMatchObject({ verdict: 'balanced', kept: { breaks: [], cleared: [] } })
  expect((await json('reconcile restated', 0)).data).toMatchObject({ days: 1, restated: [] })

  await changeRound(place.world.casino, roundId, { void: true })
  await people('bets sync --out bets', 0)
  const result = await people('reconcile restated', 9)
  expect(result.stdout).toMatch(new RegExp(`${day} +amy +USD +1 +-100 +0 +\\+100`))
  expect(result.stdout).toMatch(new RegExp(`${slipId} of amy: revision 2 \\(void\\) written .* win/loss -100 to 0`))
  expect(result.stdout).toContain(runId)
  expect(result.stderr).toMatch(/1 day changed after reconciliation: .*--accept/)
  const rows: Record<string, string>[] = parse((await people('reconcile restated --per slip --csv', 9)).stdout, {
    columns: true,
  })
  expect(
    rows.map(({ player, slipId, revisions, was, is, change }) => [
      player,
      slipId === '' ? '' : revisions,
      was,
      is,
      change,
    ]),
  ).toEqual([
    ['amy', '1 to 2', '-100', '0', '100'],
    ['bob', '1 to 2', '-40', '0', '40'],
  ])
  const [id = ''] = rows.map(({ breakId }) => breakId)

  const slip = await json(`reconcile explain ${slipId}`, 0)
  expect(slip.data).toMatchObject({
    slip: {
      date: day,
      wallet: '0',
      revisions: [
        { rev: 1, status: 'settled', winLoss: '-100', counts: false },
        { rev: 2, status: 'void', winLoss: '0', change: '100', delta: '100', counts: true },
      ],
    },
    round: { status: 'void', rev: 2 },
    breaks: [{ id, state: 'open' }],
  })
  const ofDay = await people(`reconcile explain ${day} --player AMY --all`, 0)
  expect(ofDay.stdout).toMatch(
    /balanced[\s\S]*winLoss +0 +0[\s\S]*revision 1, settled[\s\S]*no longer counts[\s\S]*revision 2, void/,
  )
  expect(ofDay.stdout).toMatch(/Changed since run .*\n- amy: slip/)
  expect((await people(`reconcile explain ${id} --offline`, 0)).stdout).toMatch(
    new RegExp(`restated --profile \\S+ --accept --day ${day}`),
  )

  const rehearsed = await json('reconcile restated --accept --dry-run', 0)
  expect([rehearsed.data['dryRun'], rehearsed.data['accepted']]).toEqual([true, []])
  expect((await json(`reconcile restated --day ${dayOf(noon - 9e8, 'UTC')}`, 11)).error.code).toBe('CANNOT_CONCLUDE')
  // A day that was never reconciled stays unknown also next to one that was.
  const other = dayOf(noon - 9e8, 'UTC')
  await json(`reconcile restated --day ${other} --day ${day}`, 9)
  const accepted = await json(`reconcile restated --accept --day ${day} --note voucher-311 --as dana`, 0)
  expect(accepted.data['accepted']).toEqual([day])
  expect((await json('reconcile restated', 0)).data['restated']).toEqual([])
  expect((await people(`reconcile restated --day ${day}`, 0)).stderr).toContain(`Only ${day} was checked.`)
  expect((await people(`reconcile restated --day ${other} --day ${day}`, 11)).stderr).toMatch(
    new RegExp(`Only ${day} was checked[\\s\\S]*Not reconciled with this book: ${other}`),
  )
  expect((await json(`reconcile breaks show ${id}`, 0)).data).toMatchObject({
    break: { state: 'closed', reason: 'late-correction' },
    history: [{ what: 'found' }, { what: 'closed', who: 'dana', text: 'late-correction: voucher-311' }],
  })
})

/** A wallet with a proof, changed by the platform's staff. */
async function spoil({ place, people }: ReturnType<typeof shell> & { place: Served }) {
  await people('wallet deposit gus 500.5 USD --txn in-1 --create', 0)
  await deal(place, { gus: '100' })
  await people('bets sync --out bets', 0)
  const proven = await people('reconcile wallet gus', 0)
  expect(proven.stdout).toBe('gus: 400.5 USD, reconciled since the beginning (1 transfer, 1 revision)\n')
  // A response's duration limits the precision of the platform's time: the adjustment is well between two readings.
  const pass = async () => place.world.clock.set((await place.world.clock.now()) + 20_000)
  await pass()
  await adjust(place.world.casino, sandbox, 'gus', '-0.0001', 'fix-1')
  await pass()
}

test('a unit too much in a wallet is a break, and a ledger that cannot be read or is empty clears nothing', async () => {
  const place = await served()
  const home = await remoteHome(place)
  const { people, json } = shell(home)
  const missing = (await json('reconcile wallet gus', 11)).error.message
  const [, db = ''] = /^No book at (.*\.db)\./.exec(missing) ?? []
  expect(missing).toMatch(/^No book at \/.*\.db\. To create one: countroom bets sync --out bets --profile remote$/)
  expect((await json('reconcile breaks list --fail-if-older 1h', 0)).data).toEqual({
    breaks: [],
    count: 0,
    oldestMs: null,
    snoozed: 0,
  })
  // A book with only one rejected transfer.
  await people('wallet deposit nobody-here 1 USD --txn none-1', 5)
  expect((await json('reconcile wallet', 11)).error).toMatchObject({
    code: 'CANNOT_CONCLUDE',
    message: expect.stringContaining('countroom bets sync'),
  })
  await people('bets sync --out bets', 0)
  expect((await json('reconcile wallet', 11)).error.message).toMatch(
    /no players, so no balance was checked.*bets sync .*--out bets\..*countroom help reconcile wallet/,
  )
  await spoil({ place, people, json })
  expect((await json('reconcile wallet nobody', 5)).error.code).toBe('PLAYER_NOT_FOUND')
  const lost = await people('reconcile wallet gus', 9)
  expect(lost.stdout).toMatch(/gus: 400.4999 USD is 0.0001 less than expected[\s\S]*difference +-0.0001/)
  const cells = await people('reconcile wallet gus --csv --no-header --columns balance,difference', 9)
  expect(cells.stdout).toBe('400.4999,-0.0001\n')
  const listed = await people('reconcile breaks list --fail-if-older 0s', 9)
  const [id = ''] = /wallet-[0-9a-f]{10}/.exec(listed.stdout) ?? []
  expect(listed.stderr).toMatch(
    /1 break has been open for longer than 0s, the oldest for .*: wallet-[0-9a-f]{10} \(BREAKS_OLD\)/,
  )
  expect((await people('reconcile breaks list --fail-if-older 48h --kind wallet', 0)).stdout).toContain(id)
  // A difference without an open break: the other system's break is closed, with an amount that cannot be read.
  const book = await openBook(db)
  const setBreak = (state: 'open' | 'closed', amount: string | null) =>
    book.store.write(({ q }) => q.updateTable('book_breaks').set({ state, amount }).where('id', '=', id).execute())
  await setBreak('closed', null)
  const unlisted = await json('reconcile wallet gus', 9)
  expect(unlisted.data).toMatchObject({ verdict: 'differences', players: [{ breakId: null }] })
  expect(unlisted.error).toMatchObject({ code: 'DIFFERENCES', details: { breaks: [] } })
  await setBreak('open', '-0.0001')
  await book.close()

  const bad = await people(
    'reconcile transfers - --csv out.csv',
    2,
    'txnId,username,dir,amount,currency\nin-1,gus,in,-5,USD\nx y,gus,up,1,USD\n',
  )
  expect(bad.stderr).toMatch(/Line 2: "-5" must be an amount.*Line 3: "x y" is not a valid txnId; Line 3: "up"/)
  expect(existsSync(join(home.folder, 'out.csv'))).toBe(false)
  const none = await people('reconcile transfers -', 11, 'txnId,username,dir,amount,currency\n')
  expect(none.stderr).toMatch(/nothing was compared, and the journal was not searched/)
  // With a period to search, transfers missing from the empty ledger are found; a wrong header is still refused.
  const since = 'reconcile transfers - --since 2026-01-01T00:00:00Z'
  const lacks = await people(since, 9, 'txnId,username,dir,amount,currency\n')
  expect(lacks.stdout).toMatch(/missing in the ledger: in-1/)
  expect(lacks.stderr).toMatch(/nothing was compared; the journal was searched from 2026-01-01 /)
  await people(since, 2, 'txnId,username,dir\n')
})

test('a ledger with the adjustment clears the break of a wallet; another one is assigned and closed', async () => {
  const place = await served()
  const home = await remoteHome(place)
  const { people, json } = shell(home)
  await spoil({ place, people, json })
  const [lost] = (await json('reconcile wallet gus', 9)).data['players'] as { breakId: string }[]
  const id = lost?.breakId ?? ''
  const at = new Date().toISOString()
  const old = new Date(Date.now() - 7_200_000).toISOString()
  const ledger = home.write(
    'ledger.csv',
    `txnId,username,dir,amount,currency,time\nin-1,GUS,deposit,500.50,usd,${at}\nfix-1,gus,adjust,-0.0001,USD,${at}\n=1+1x,gus,in,5,USD,${at}\n`.replace(
      '=1+1x',
      'gone-1',
    ),
  )
  // The third was made just now: it may be still in progress.
  expect((await json(`reconcile transfers ${ledger} --csv out.csv`, 11)).data).toMatchObject({
    verdict: 'cannot-conclude',
    counts: { matched: 2, undecided: 1 },
    // Looked up earlier for the proof of the wallet.
    known: 1,
  })
  const cleared = await json('reconcile wallet gus', 0)
  expect((cleared.data['players'] as object[])[0]).toMatchObject({ verdict: 'balanced', difference: '0' })
  expect((await json(`reconcile breaks show ${id.slice(0, 10)}`, 0)).data).toMatchObject({
    break: { id, state: 'cleared' },
    history: [
      { what: 'found', who: 'reconcile wallet' },
      { what: 'cleared', who: 'reconcile wallet' },
    ],
  })

  await people('wallet deposit amy 7 USD --txn in-2', 0)
  home.write(
    'ledger.csv',
    `txnId,username,dir,amount,currency,time\nin-1,bob,out,500,EUR,${old}\nfix-1,gus,adjust,-0.0001,USD,\ngone-1,gus,in,5,USD,${old}\nlater,amy,in,1,USD,${new Date(Date.now() + 60_000).toISOString()}\n`,
  )
  const differing = await people(`reconcile transfers ${ledger} --csv out.csv --force`, 9)
  expect(differing.stdout).toMatch(
    /line 2, different: in-1: player bob in the ledger, gus at the platform; dir out in the ledger, in at the platform; amount 500 in the ledger, 500.5 at the platform; currency EUR in the ledger, USD at the platform; the journal has deposit of 500.5 USD of gus, done/,
  )
  expect(differing.stderr).toMatch(/1 of 4 rows have no time. The journal was searched from .* only/)
  expect(differing.stderr).toMatch(/does not return the sign of an adjustment: 1 adjustment is matched by amount only/)
  expect(differing.stdout).toMatch(/line 4, missing at the platform: gone-1/)
  expect(differing.stdout).toMatch(/- missing in the ledger: in-2: the journal has this deposit of 7 USD of amy/)
  const report: Record<string, string>[] = parse(readFileSync(join(home.folder, 'out.csv')), { columns: true })
  expect(report.map(({ txnId, result }) => [txnId, result])).toEqual([
    ['in-1', 'different'],
    ['fix-1', 'matched'],
    ['gone-1', 'missing-at-platform'],
    ['later', 'undecided'],
    ['in-2', 'missing-in-ledger'],
  ])
  const ids: string[] = parse((await people('reconcile breaks list --csv --no-header --columns id', 0)).stdout).flat()
  expect(ids).toHaveLength(3)
  const later = dayOf(Date.now() + 5 * 86_400_000, 'Asia/Taipei')
  expect((await json(`reconcile breaks snooze ${ids[0]} --until 2020-01-01`, 2)).error.message).toContain('after today')
  await people(`reconcile breaks snooze ${ids[0]} --until ${later} --note asked`, 0)
  const awake = await people('reconcile breaks list', 0)
  expect(awake.stdout).not.toContain(ids[0])
  expect(awake.stderr).toContain('1 snoozed break is not listed. To list: countroom reconcile breaks list')
  expect((await json('reconcile breaks list --snoozed', 0)).data).toMatchObject({ count: 1, breaks: [{ id: ids[0] }] })
  expect((await json('reconcile breaks list --aged', 0)).data).toMatchObject({
    ...{ breaks: [], count: 3, snoozed: 1, timezone: 'Asia/Taipei' },
    aged: [{ bucket: '0-1 days', breaks: 3, snoozed: 1, amounts: expect.arrayContaining([]) }, {}, {}, {}, {}],
  })
  expect((await people('reconcile breaks list --aged', 0)).stdout).toMatch(/0-1 days +3 +1 +\S+ +[\d.]+ +-?[\d.]+/)
  await people(`reconcile breaks snooze ${ids[0]} --end`, 0)
  expect((await json('reconcile breaks list', 0)).data).toMatchObject({ count: 3, snoozed: 0 })

  const evidence = await json(`reconcile breaks evidence ${ids[0]} --out case`, 0)
  expect(evidence.data).toMatchObject({ break: ids[0], folder: join(home.folder, 'case') })
  const calls = evidence.data['calls'] as number
  const keys = await keysOf(place)
  expect(calls).toBeGreaterThan(0)
  for (const { file, sha256 } of evidence.data['files'] as { file: string; sha256: string }[]) {
    const bytes = readFileSync(join(home.folder, 'case', file))
    expect([file, createHash('sha256').update(bytes).digest('hex')]).toEqual([file, sha256])
    expect(bytes.toString()).not.toContain(keys.casino?.sandbox.secret)
    expect(bytes.toString()).not.toContain(keys.casino?.sandbox.apiKey)
  }
  expect(readFileSync(join(home.folder, 'case', 'case.html'), 'utf8')).toContain('<bdi>−500 EUR</bdi>')
  await json(`reconcile breaks evidence ${ids[0]} --out case`, 6)
  expect((await json(`reconcile breaks evidence ${ids[0]} --out other --offline`, 0)).data['calls']).toBe(0)
  await people(`reconcile breaks assign ${ids.join(' ')} --to dana --as eve --dry-run`, 0)
  expect((await json('reconcile breaks list --owner dana', 0)).data['count']).toBe(0)
  await people(`reconcile breaks assign ${ids.join(' ')} --to dana --as eve`, 0)
  expect((await json('reconcile breaks list --owner dana', 0)).data['count']).toBe(3)
  await people(`reconcile breaks note ${ids[0]} asked`, 0)
  expect((await json(`reconcile breaks close ${ids[0]} --reason other`, 2)).error.message).toMatch(/requires --note/)
  expect((await json(`reconcile breaks close ${id} --reason timing`, 6)).error.code).toBe('CONFLICT')
  expect((await json('reconcile breaks close wallet-0 nonsense --reason timing', 2)).error.message).toMatch(
    /"nonsense"/,
  )
  expect((await json(`reconcile breaks close ${ids[0]} daily-00 --reason timing`, 5)).error.code).toBe(
    'BREAK_NOT_FOUND',
  )
  await people(`reconcile breaks close ${ids.join(' ')} --reason book-error --as eve`, 0)
  // Unchanged, they stay closed and raise no alarm; only the undecided ones are left.
  const settled = await json(`reconcile transfers ${ledger}`, 11)
  expect(settled.data).toMatchObject({ verdict: 'differences', breaks: [], counts: { different: 1 } })
  const explained = await json(`reconcile explain ${ids.find((each) => each.startsWith('transfers')) ?? ''}`, 0)
  expect(explained.data).toMatchObject({ break: { state: 'closed', owner: 'dana' }, transfer: {} })
  await people(`reconcile breaks reopen ${ids[1]} --note again`, 0)
  expect((await json('reconcile breaks list', 0)).data['count']).toBe(1)
  const decided = home.write('decided.csv', `break,reason,note\n${ids[1]},timing,\n${ids[2]},timing,\n`)
  expect((await json(`reconcile breaks close --file ${decided}`, 6)).error.message).toMatch(/Line 3: .* already closed/)
  const partly = await json(`reconcile breaks close --file ${decided} --partial`, 8)
  expect(partly.data).toMatchObject({ breaks: [{ id: ids[1], reason: 'timing' }], refused: [{ line: 3 }] })
  await json(`reconcile breaks close ${ids[1]} --file ${decided}`, 2)
  await json('reconcile breaks close', 2)

  // Made shortly before our first transfer, and not by it: the earlier balance is no difference.
  await people('wallet deposit amy 5 USD --txn in-amy', 0)
  expect((await json('reconcile wallet amy', 11)).error.code).toBe('CANNOT_CONCLUDE')

  // A break gets older by the platform's clock, not by this machine's.
  await people(`reconcile breaks reopen ${ids[1]} --note again`, 0)
  await place.world.clock.set(Date.now() + 2.5 * 86_400_000)
  await people('bets sync --out bets', 0)
  const [young, older] = (await json('reconcile breaks list --aged', 0)).data['aged'] as { breaks: number }[]
  expect([young?.breaks, older?.breaks]).toEqual([0, 1])
  expect((await people('reconcile breaks list', 0)).stdout).toMatch(/ 2d 1[12]h /)
})

test("another player's transfer under the id of one of ours does not explain ours", async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  proxy.treat(/wallet\/(deposit|transfer)/, 'drop-before', 'status-500', 'status-500', 'status-500')
  expect((await runJson(words('wallet deposit amy 5 USD --txn t-1 --attempts 1'), { home })).code).toBe(10)
  const { json } = shell(home)
  await runJson(words('wallet deposit bob 5 USD --txn t-1'), { home: await remoteHome(world) })
  const row = `later,bob,in,5,USD,${new Date().toISOString()}`
  const ledger = home.write('ledger.csv', `txnId,username,dir,amount,currency,time\n${row}\n`)
  const result = await json(
    `reconcile transfers ${ledger} --since ${new Date(Date.now() - 3_600_000).toISOString()}`,
    11,
  )
  expect(result.data).toMatchObject({ counts: { 'missing-in-ledger': 0 } })
  expect(JSON.stringify(result.data)).toMatch(/does not have the outcome of t-1/)
})

test('a row removed from the ledger keeps its break until a person closes it', async () => {
  const home = await remoteHome(await served())
  const { people, json } = shell(home)
  await people('wallet deposit amy 7 USD --txn in-1', 0)
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const rows = `txnId,username,dir,amount,currency,time\nin-1,amy,in,7,USD,${at(0)}\n`
  const whole = `${rows}gone-1,gus,in,5,USD,${at(-3_600_000)}\n`
  const reconcile = async (ledger: string, code: number) => {
    const line = `reconcile transfers ${home.write('ledger.csv', ledger)} --since ${at(-7_200_000)}`
    return (await json(line, code)).data
  }
  const [id = ''] = (await reconcile(whole, 9))['breaks'] as string[]
  // Not of its period: its verdict is unknown.
  await json(`reconcile transfers ${home.write('ledger.csv', rows)} --since ${at(-1_800_000)}`, 0)
  const report = await reconcile(rows, 9)
  expect(report).toMatchObject({
    breaks: [id],
    counts: { matched: 1, 'gone-from-ledger': 1, 'missing-at-platform': 0 },
  })
  expect(report['transfers']).toMatchObject([
    {
      ...{ txnId: 'gone-1', result: 'gone-from-ledger', line: null, platform: null },
      message: expect.stringContaining('deposit of 5 USD of gus is no longer in the ledger, which covers its time'),
    },
  ])
  await people(`reconcile breaks close ${id} --reason book-error`, 0)
  expect((await reconcile(rows, 0))['counts']).toMatchObject({ 'gone-from-ledger': 0 })
  // One that appears again is found.
  expect((await reconcile(whole, 9))['breaks']).toEqual([id])
})

test('after kill -9 a ledger continues: matched rows are not requested again, and the result is the same', async () => {
  const place = await served()
  const proxy = await faultyProxy(place.url)
  const home = await remoteHome(place, { at: proxy.url })
  await run(words('bets sync --out bets'), { home })
  const lines = Array.from({ length: 38 }, (_, i) => `t-${i},amy,in,${i + 1},USD,`)
  for (const line of lines) {
    const [txnId = '', username = '', , amount = ''] = line.split(',')
    await adjust(place.world.casino, sandbox, username, amount, txnId)
  }
  const ledger = home.write(
    'ledger.csv',
    ['txnId,username,dir,amount,currency,time', ...lines].join('\n').replaceAll(',in,', ',adjust,'),
  )
  const lookUps = () => proxy.seen.filter(({ path }) => path.includes('/wallet/transfer')).length
  let child: { kill(signal: 'SIGKILL'): unknown } | undefined
  // The first 25 are stored in one step; the next eight requests get no response before the end.
  proxy.treat(/wallet\/transfer/, ...Array(25).fill('pass'), ...Array(8).fill('hang-after'))
  proxy.afterward(() => {
    if (lookUps() === 33) child?.kill('SIGKILL')
  })
  const killed = await run(words(`reconcile transfers ${ledger} --rate-share 100`), {
    home,
    started: (process) => {
      child = process
    },
  })
  expect([killed.code, lookUps()]).toEqual([-2, 33])
  const again = await runJson(words(`reconcile transfers ${ledger} --rate-share 100`), { home })
  expect([again.code, again.data['counts'], again.data['known']]).toMatchObject([0, { matched: 38 }, 25])
  expect(lookUps() - 33).toBe(13)
})
