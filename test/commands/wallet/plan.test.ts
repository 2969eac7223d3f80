import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Environment } from '../../../src/domain/account/state.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { tenantSigner } from '../../../src/http/client/signers.ts'
import { realSleep } from '../../../src/http/client/sleep.ts'
import { inProcess, signed } from '../../../src/http/client/transport.ts'
import { realAmbient } from '../../../src/kit/ambient.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { lockBook } from '../../../src/operator/book/lock.ts'
import { casino as casinoContract } from '../../../src/services/casino/api/contract.ts'
import { credentialsOf } from '../../../src/world/demo-data.ts'
import { postgres } from '../../support/databases/engines.ts'
import { asApprover } from '../../support/program/approver.ts'
import { type Home, noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { faultyProxy, remoteHome, type Served, served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const payday = 'username,amount,currency,note\namy,100.50,USD,July\nBOB,200,usd,July\ncho,-50,USD,out\namy,-10,USD,\n'

interface Row {
  readonly line: number
  readonly txnId: string
  readonly username: string
  readonly outcome: string
  readonly code: string | null
}
const rowsIn = (data: Record<string, unknown>) => data['transfers'] as Row[]
const outcomesIn = (data: Record<string, unknown>) => rowsIn(data).map(({ outcome }) => outcome)

/** Balances of the players on the platform. */
async function balancesAt({ world }: Served, environment: Environment, ...users: string[]): Promise<string[]> {
  const keys = await credentialsOf(world.casino, 'DEMO')
  if (!keys) throw new Error('the demo tenant has no keys')
  const sign = tenantSigner({ ...keys[environment], ...realAmbient() })
  const casino = createClient(casinoContract, signed(inProcess(world.server), sign))
  return Promise.all(users.map(async (username) => (await casino.balance({ query: { username } })).balance))
}

/** A world, a connection to it with injected faults, and a home that uses that connection. */
async function aHouse(environment: Environment = 'sandbox') {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url, environment })
  return { proxy, home, balances: (...users: string[]) => balancesAt(world, environment, ...users) }
}

/** Creates a batch and has it approved by beth. */
async function approved(home: Home, text = payday, more: readonly string[] = []): Promise<string> {
  const made = await runJson(['wallet', 'plan', '-', ...more], { home, input: text })
  if (made.code !== 0) throw new Error(made.stdout)
  const planId = String(made.data['planId'])
  const yes = await runJson(['wallet', 'approve', planId, ...(await asApprover(home, 'beth'))], { home })
  if (yes.code !== 0) throw new Error(yes.stdout)
  return planId
}

const bookOf = (home: Home) => {
  const folder = join(home.folder, 'state/countroom/books')
  const [name = ''] = existsSync(folder) ? readdirSync(folder).filter((each) => each.endsWith('.db')) : []
  return name === '' ? undefined : join(folder, name)
}

test('a file becomes a batch, a second person approves it, and every row is applied once', async () => {
  const { home, balances } = await aHouse()
  const file = home.write('payday.csv', payday)
  const [ann, beth] = [await asApprover(home, 'Ann'), await asApprover(home, 'beth')]
  const made = await runJson(['wallet', 'plan', file, ...ann, '--note', 'July', '--profile', 'remote'], { home })
  expect(made.code).toBe(0)
  const planId = String(made.data['planId'])
  expect(made.data).toMatchObject({
    state: 'made',
    source: 'payday.csv',
    note: 'July',
    madeBy: 'Ann',
    rows: 4,
    players: 3,
    totals: [
      { currency: 'USD', dir: 'in', rows: 2, amount: '300.5' },
      { currency: 'USD', dir: 'out', rows: 2, amount: '60' },
    ],
    moved: [{ currency: 'USD', amount: '360.5' }],
    needsAnother: false,
    newPlayers: [],
    next: [`countroom wallet approve ${planId} --profile remote`, `countroom wallet apply ${planId} --profile remote`],
  })
  // The platform's own spelling, and an id for every row from now on.
  expect(rowsIn(made.data).map(({ line, username, txnId }) => [line, username, txnId])).toEqual([
    [2, 'amy', `${planId}-0001`],
    [3, 'bob', `${planId}-0002`],
    [4, 'cho', `${planId}-0003`],
    [5, 'amy', `${planId}-0004`],
  ])
  expect(made.warnings).toEqual(['Players in more than one row: amy (2, 5)'])
  const early = await runJson(['wallet', 'apply', planId], { home })
  expect([early.code, early.error.code]).toEqual([3, 'APPROVAL_NEEDED'])
  const dry = await runJson(['wallet', 'approve', planId, ...beth, '--dry-run'], { home })
  expect(dry.data).toMatchObject({ dryRun: true, state: 'made', approvals: [] })
  const yes = await runJson(['wallet', 'approve', planId.toLowerCase(), ...beth], { home })
  expect(yes.data).toMatchObject({
    state: 'approved',
    by: 'beth',
    earlier: false,
    approvals: [{ by: 'beth', valid: true }],
  })
  expect((await runJson(['wallet', 'approve', planId, ...beth.with(1, 'BETH')], { home })).data['earlier']).toBe(true)
  const look = await runJson(['wallet', 'apply', planId, '--dry-run'], { home })
  expect([look.data['dryRun'], look.data['state'], ...outcomesIn(look.data)]).toEqual([
    true,
    'approved',
    ...Array(4).fill('left'),
  ])
  expect(await balances('amy', 'bob', 'cho')).toEqual(['10000', '10000', '10000'])

  const out = join(home.folder, 'result.csv')
  const done = await runJson(['wallet', 'apply', planId, '--out', out], { home })
  expect([done.code, done.data['doneNow'], ...outcomesIn(done.data)]).toEqual([0, 4, ...Array(4).fill('done')])
  expect(done.data).toMatchObject({ state: 'finished', doneTotals: made.data['totals'], next: [] })
  expect(await balances('amy', 'bob', 'cho')).toEqual(['10090.5', '10200', '9950'])
  const csv = readFileSync(out, 'utf8').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'NOW')
  expect(csv.replaceAll(planId, 'PLAN')).toBe(
    [
      'line,txnId,username,dir,amount,currency,outcome,code,balance,attempts,changedAt,note,amountDone,amountDoneNow',
      '2,PLAN-0001,amy,in,100.5,USD,done,,10100.5,1,NOW,July,100.5,100.5',
      '3,PLAN-0002,bob,in,200,USD,done,,10200,1,NOW,July,200,200',
      '4,PLAN-0003,cho,out,50,USD,done,,9950,1,NOW,out,50,50',
      '5,PLAN-0004,amy,out,10,USD,done,,10090.5,1,NOW,,10,10',
      '',
    ].join('\n'),
  )

  // A repeat in every way moves nothing.
  const again = await runJson(['wallet', 'apply', planId], { home })
  expect([again.code, again.data['doneNow'], ...outcomesIn(again.data)]).toEqual([0, 0, ...Array(4).fill('already')])
  expect((await runJson(['wallet', 'resume'], { home })).data).toEqual({ planId: null, doneNow: 0, transfers: [] })
  expect((await runJson(['wallet', 'resume', planId], { home })).code).toBe(0)
  expect(await balances('amy', 'bob', 'cho')).toEqual(['10090.5', '10200', '9950'])
  const journal = await runJson(['wallet', 'journal', '--plan', planId], { home })
  expect(journal.data['transfers']).toHaveLength(4)
  const listed = await runJson(['wallet', 'plans'], { home })
  expect(listed.data['plans']).toMatchObject([{ planId, state: 'finished', done: 4, left: 0 }])
  const shown = await run(['wallet', 'plans', planId, '--csv'], { home })
  expect(shown.stdout.split('\n')[1]).toMatch(new RegExp(`^2,${planId}-0001,amy,in,100.5,USD,done,,10100.5,1,`))
  // Line by line the list is its rows, and the batch is in the last line.
  const lines = await run(['wallet', 'plans', planId, '--jsonl', '--columns', 'txnId,outcome'], { home })
  const [first, , , , last = ''] = lines.stdout.trimEnd().split('\n')
  expect(first).toBe(`{"txnId":"${planId}-0001","outcome":"done"}`)
  expect(JSON.parse(last).data).toMatchObject({ plans: [{ planId, state: 'finished' }], rows: 4 })
  expect((await run(['wallet', 'plans', '--jsonl', '--columns', 'txnId'], { home })).code).toBe(2)
  // An existing file is never overwritten.
  expect((await run(['wallet', 'plans', planId, '--out', out], { home })).code).toBe(6)
  const cancelled = await runJson(['wallet', 'cancel', planId, '--yes'], { home })
  expect([cancelled.code, cancelled.error.code]).toEqual([6, 'CONFLICT'])
})

test('all errors of a file are reported at once, with their lines and those of the platform', async () => {
  const { proxy, home } = await aHouse()
  const bad =
    'username,amount,currency,txnId\namy,"1,000",USD,\nb b,0,DOLLARS,x y\namy,5,USD,t\nAMY,5,EUR,t\n\u001b[31m,5,USD,\n'
  const { code, error } = await runJson(['wallet', 'plan', '-'], { home, input: bad })
  expect([code, error.code, error.category]).toEqual([2, 'INVALID_FILE', 'usage'])
  const problems = error.details['problems'] as { line: number; field: string }[]
  expect(problems.map(({ line, field }) => `${line} ${field}`)).toEqual([
    ...['2 amount', '3 username', '3 amount', '3 currency', '3 txnId', '5 txnId', '5 currency', '6 username'],
  ])
  const people = await run(['wallet', 'plan', '-'], { home, input: bad })
  expect([people.code, people.stdout]).toEqual([2, ''])
  expect(people.stderr).toMatch(/Error: 4 of 5 rows are invalid; no batch was created\n {2}Line 2: .*\n {2}Line 3: /)
  expect(people.stderr).not.toContain('\u001b')
  expect(proxy.seen.every(({ body }) => body === '')).toBe(true)
  expect((await runJson(['wallet', 'plans'], { home })).data['plans']).toEqual([])
})

test('errors of the file and of the platform come in one round, and those of the file without a platform too', async () => {
  const { proxy, home } = await aHouse()
  const input = 'username,amount,currency\namy,"1,000",USD\nzoe,5,USD\nbob,5,EUR\n'
  const both = await runJson(['wallet', 'plan', '-'], { home, input })
  const problems = both.error.details['problems'] as { line: number; code: string }[]
  expect([both.code, both.error.code, problems.map(({ line, code }) => `${line} ${code}`)]).toEqual([
    ...[2, 'INVALID_FILE', ['2 INVALID_AMOUNT', '3 PLAYER_NOT_FOUND', '4 CURRENCY_MISMATCH']],
  ])
  proxy.treat(/player/, ...Array(20).fill('html-502-before'))
  const alone = await run(['wallet', 'plan', '-', '--attempts', '1'], { home, input })
  expect([alone.code, alone.stdout]).toEqual([2, ''])
  expect(alone.stderr).toMatch(
    /1 of 3 rows are invalid; .*\n {2}Line 2: .*\nThe platform was not asked about the other rows/,
  )
})

test('rows that the platform would reject are all found beforehand, and no batch is created', async () => {
  const { proxy, home, balances } = await aHouse()
  await run(words('players lock dee --yes'), { home })
  const text = 'username,amount,currency\namy,-6000,USD\nAmy,-5000,USD\nbob,5,EUR\nammy,5,USD\ndee,5,USD\n'
  await run(words('players show amy'), { home })
  const { code, error } = await runJson(['wallet', 'plan', '-'], { home, input: text })
  expect([code, error.code]).toEqual([6, 'INSUFFICIENT_BALANCE'])
  const problems = error.details['problems'] as { line: number; code: string; message: string }[]
  expect(problems.map(({ line, code, message }) => [line, code, message])).toEqual([
    [3, 'INSUFFICIENT_BALANCE', 'Amy would have 4000 USD at that point, not 5000'],
    [4, 'CURRENCY_MISMATCH', 'bob has an account in USD, not in EUR'],
    [5, 'PLAYER_NOT_FOUND', 'player ammy does not exist; did you mean amy?'],
  ])
  expect((await runJson(['wallet', 'plans'], { home })).data['plans']).toEqual([])
  // A dry run reports the same, and stores nothing.
  const fit = 'username,amount,currency\nzoe,5,EUR\ndee,1,USD\n'
  const dry = await runJson(['wallet', 'plan', '-', '--dry-run', '--create'], { home, input: fit })
  expect(dry.data).toMatchObject({ planId: null, dryRun: true, newPlayers: ['zoe'], creates: true })
  expect(dry.data).toMatchObject({ digest: null, madeAt: null, transfers: [{ txnId: null }, { txnId: null }] })
  expect(dry.data['next']).toEqual(['countroom wallet plan - --create --profile remote'])
  expect(dry.warnings).toEqual([expect.stringContaining('dee (locked)')])
  const named = await run(['wallet', 'plan', '-', '--dry-run', '--create', '--id', 'july'], { home, input: fit })
  expect(named.stdout).toContain('validated, not created')
  expect(named.stdout).not.toMatch(/^(plan|digest|made) /m)
  expect(named.stderr).toContain('To create it:\n  countroom wallet plan - --id july --create --profile remote')
  expect((await runJson(['wallet', 'plans'], { home })).data['plans']).toEqual([])
  expect(proxy.seen.filter(({ path }) => /deposit|withdraw/.test(path))).toEqual([])
  const planId = await approved(home, fit, ['--create'])
  expect((await run(['wallet', 'apply', planId], { home })).code).toBe(0)
  expect(await balances('zoe', 'dee')).toEqual(['5', '10001'])
})

test('the same money is planned once, an ID is one transfer forever, and canceled transfers can be planned again', async () => {
  const { home, balances } = await aHouse()
  const file = home.write('payday.csv', 'username,amount,currency,txnId\namy,5,USD,july-amy\nbob,6,USD,july-bob\n')
  const planId = 'july-2026'
  await run(['wallet', 'plan', file, '--id', planId], { home })
  const resaved = home.write('again.csv', 'player;amount;cur\r\nBOB;6.00;usd\r\nAMY;5;usd\r\n')
  for (const each of [file, resaved]) {
    const { code, error } = await runJson(['wallet', 'plan', each], { home })
    expect([code, error.code, error.details['planId']]).toEqual([6, 'PLAN_EXISTS', planId])
  }
  const used = await runJson(['wallet', 'plan', file, '--again'], { home })
  expect([used.code, used.error.code]).toEqual([6, 'TXN_CONFLICT'])
  expect(used.error.details['problems']).toMatchObject([{ line: 2 }, { line: 3 }])
  // A transfer of a batch is not sent without its approval, by any command.
  for (const dry of [[], ['--dry-run']]) {
    const side = await runJson([...words('wallet deposit amy 5 USD --txn july-amy'), ...dry], { home })
    expect([side.code, side.error.code]).toEqual([6, 'TXN_CONFLICT'])
  }
  for (const place of ['.', '/dev/null'])
    expect((await run(['wallet', 'plans', planId, '--force', '--out', place], { home })).code).toBe(2)
  expect((await run(['wallet', 'cancel', planId], { home })).code).toBe(3)
  expect((await runJson(['wallet', 'cancel', planId, '--yes', '--dry-run'], { home })).data['state']).toBe('made')
  const cancelled = await runJson(['wallet', 'cancel', planId, '--yes', '--as', 'carl'], { home })
  expect(cancelled.data).toMatchObject({ state: 'cancelled', cancelledBy: 'carl', earlier: false })
  expect((await runJson(['wallet', 'cancel', planId, '--yes'], { home })).data['earlier']).toBe(true)
  for (const command of ['approve', 'apply'])
    expect((await run(['wallet', command, planId], { home })).code, command).toBe(6)
  // Its txnIds are free again, its id is not.
  expect((await runJson(['wallet', 'plan', file, '--id', planId], { home })).error.code).toBe('PLAN_EXISTS')
  const newPlanId = await approved(home, readFileSync(file, 'utf8'), ['--id', 'july-again'])
  expect((await run(['wallet', 'resume', newPlanId], { home })).code).toBe(6)
  expect((await run(['wallet', 'apply', newPlanId], { home })).code).toBe(0)
  expect(await balances('amy', 'bob')).toEqual(['10005', '10006'])
  expect((await runJson(['wallet', 'apply', '01JQ7Z6Y3V8T2M9K4H5N0B1C2D'], { home })).error.code).toBe('PLAN_NOT_FOUND')
  expect((await run(['wallet', 'apply', '../july'], { home })).code).toBe(2)
})

test('above the limit a second person approves, on a live profile with confirmed totals', async () => {
  const { home, balances } = await aHouse('live')
  const env = { COUNTROOM_APPROVAL_ABOVE: '100:USD', COUNTROOM_AS: 'Ann' }
  const alone = await runJson(words('wallet deposit amy 100.01 USD --yes --confirm-total 100.01:USD'), { home, env })
  expect([alone.code, alone.error.code]).toEqual([3, 'APPROVAL_NEEDED'])
  const made = await runJson(['wallet', 'plan', '-'], {
    home,
    env,
    input: 'username,amount,currency\namy,60,USD\nbob,-41,USD\n',
  })
  expect(made.data).toMatchObject({ needsAnother: true, moved: [{ currency: 'USD', amount: '101' }] })
  const planId = String(made.data['planId'])
  const total = ['--yes', '--confirm-total', '101:USD']
  const beth = await asApprover(home, 'beth')
  const cases: readonly [args: readonly string[], exit: number, code: string | undefined][] = [
    [total, 6, 'SAME_PERSON'],
    // A name without a passphrase is the user of the machine, who created the batch.
    [['--as', 'beth', ...total], 6, 'SAME_PERSON'],
    [beth, 3, 'CONFIRMATION_NEEDED'],
    [[...beth, '--yes'], 3, 'CONFIRMATION_NEEDED'],
    [[...beth, '--yes', '--confirm-total', '19:USD'], 3, 'CONFIRMATION_REFUSED'],
    [[...beth, ...total, '--confirm-total', '5:EUR'], 3, 'CONFIRMATION_REFUSED'],
    [[...beth, '--yes', '--confirm-total', '101.00:usd'], 0, undefined],
  ]
  for (const [args, exit, code] of cases) {
    const { code: got, error } = await runJson(['wallet', 'approve', planId, ...args], { home, env })
    expect([args.join(' '), got, error?.code]).toEqual([args.join(' '), exit, code])
    if (code === 'SAME_PERSON')
      expect(error.message).toMatch(
        new RegExp(`To approve it as beth: countroom wallet approve ${planId} .*--as beth --passphrase-file -$`),
      )
  }
  // A profile of test money needs no confirmation, so it cannot confirm real money.
  const keys = join(home.folder, 'keys.json')
  await run(['profiles', 'add', 'box', '--from', keys, '--environment', 'sandbox'], { home, env })
  const elsewhere = ['wallet', 'approve', planId, '--as', 'carl', '--profile', 'box', '--book', bookOf(home) ?? '']
  const dodged = await runJson(elsewhere, { home, env })
  expect([dodged.code, dodged.error.code]).toEqual([6, 'BOOK_OF_ANOTHER'])
  const other = ['wallet', 'apply', planId, '--yes', '--confirm-total', '100:USD']
  expect((await runJson(other, { home, env })).error.code).toBe('CONFIRMATION_REFUSED')
  expect((await run(['wallet', 'apply', planId], { home, env })).code).toBe(0)
  expect(await balances('amy', 'bob')).toEqual(['10060', '9959'])
  // A batch approved by its creator before the limit was set is refused afterwards.
  const own = await runJson(['wallet', 'plan', '-'], {
    home,
    input: 'username,amount,currency\namy,101,USD\n',
  })
  const ownId = String(own.data['planId'])
  const yes = ['wallet', 'approve', ownId, ...total]
  const sole = await runJson(yes, { home })
  expect([sole.code, sole.data['state'], sole.warnings.length]).toEqual([0, 'approved', 1])
  expect((await runJson(['wallet', 'apply', ownId], { home, env })).error.code).toBe('APPROVAL_NEEDED')
  expect(await balances('amy')).toEqual(['10060'])
})

test.skipIf(noTerminal)('on a terminal the approver sees the batch and types each total', async () => {
  const { home } = await aHouse('live')
  const text = 'username,amount,currency\namy,60,USD\nbob,-41,USD\n'
  const made = await runJson(['wallet', 'plan', '-'], { home, input: text })
  const args = ['wallet', 'approve', String(made.data['planId']), ...(await asApprover(home, 'beth'))]
  const slip = await runOnTerminal(args, [['Type the total of USD again', '100\r']], { home })
  expect(slip.code).toBe(3)
  const { code, screen } = await runOnTerminal(args, [['Type the total of USD again', '101\r']], { home })
  expect(code).toBe(0)
  for (const part of [
    '2 transfers for 2 players',
    'deposits    60 USD in 1',
    'withdrawals 41 USD in 1',
    'approved, not started',
  ])
    expect(screen).toContain(part)
})

test('a row with an unknown outcome makes the exit code 10, and resume finishes it; rejected rows make it 8', async () => {
  const { proxy, home, balances } = await aHouse()
  const planId = await approved(home, 'username,amount,currency\namy,5,USD\nbob,-10000,USD\ncho,7,USD\n')
  await run(words('wallet withdraw bob 1 USD'), { home })
  proxy.treat(/wallet\/(deposit|transfer)/, 'drop-after', ...Array(3).fill('html-502-before'))
  const env = { COUNTROOM_ATTEMPTS: '1' }
  const lost = await runJson(['wallet', 'apply', planId, '--concurrency', '1'], { home, env })
  expect([lost.code, lost.error.code, ...outcomesIn(lost.data)]).toEqual([
    10,
    'MONEY_UNKNOWN',
    'unknown',
    'refused',
    'unknown',
  ])
  expect(lost.data).toMatchObject({ state: 'begun', next: [`countroom wallet resume ${planId} --profile remote`] })
  expect((await run(['wallet', 'cancel', planId, '--yes'], { home })).code).toBe(6)
  const dry = await runJson(['wallet', 'resume', '--dry-run'], { home })
  expect([dry.code, ...outcomesIn(dry.data)]).toEqual([0, 'unknown', 'refused', 'unknown'])
  proxy.seen.length = 0
  const out = join(home.folder, 'resumed.csv')
  const resumed = await runJson(['wallet', 'resume', '--concurrency', '1', '--out', out], { home })
  expect([resumed.code, resumed.error.code, ...outcomesIn(resumed.data)]).toEqual([
    8,
    'BATCH_PARTLY',
    'done',
    'refused',
    'done',
  ])
  expect(resumed.data['transfers']).toMatchObject([{}, { code: 'INSUFFICIENT_BALANCE' }, {}])
  // The first one had arrived and is only looked up; the last one had not, and is sent.
  const calls = proxy.seen.flatMap(({ path }) => /wallet\/(\w+)/.exec(path)?.[1] ?? [])
  expect(calls).toEqual(['transfer', 'transfer', 'deposit'])
  expect(await balances('amy', 'bob', 'cho')).toEqual(['10005', '9999', '10007'])
  await run(words('wallet deposit bob 1 USD'), { home })
  const last = join(home.folder, 'last.csv')
  const retried = await runJson(['wallet', 'resume', planId, '--retry-refused', '--out', last], { home })
  expect([retried.code, ...outcomesIn(retried.data)]).toEqual([0, 'already', 'done', 'already'])
  // In each file, the amounts that are done by then, and those that its run did: the latter add up over all files.
  const doneIn = (file: string) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(-2).join(' '))
  expect([doneIn(out), doneIn(last)]).toEqual([
    ['5 5', '0 0', '7 7'],
    ['5 0', '10000 10000', '7 0'],
  ])
  expect(await balances('bob')).toEqual(['0'])
})

test('only approved rows are sent, by one run at a time, and not after the deadline or the first signal', async () => {
  const { proxy, home, balances } = await aHouse()
  const names = ['amy', 'bob', 'cho', 'dee']
  const text = `username,amount,currency\n${names.flatMap((name) => [1, 2, 3].map((n) => `${name},${n},USD\n`)).join('')}`
  const planId = await approved(home, text)
  const url = bookOf(home) ?? ''
  const book = await openBook(url)
  const change = (row: { username?: string }, plan: { digest?: string; begun_at?: number | null } = {}) =>
    book.store.write(async ({ q }) => {
      const first = q.updateTable('book_wallet_plan_rows').where('place', '=', 1)
      if (row.username !== undefined) await first.set(row).execute()
      if (Object.keys(plan).length > 0) await q.updateTable('book_wallet_plans').set(plan).execute()
    })
  // A row that differs from the approved one is refused, even if the batch was edited to match and was started.
  await change({ username: 'dee' })
  const changed = await runJson(['wallet', 'apply', planId], { home })
  expect([changed.code, changed.error.code]).toEqual([6, 'PLAN_CHANGED'])
  const { digest, found } = changed.error.details as { digest: string; found: string }
  await change({}, { digest: found, begun_at: 1 })
  expect((await runJson(['wallet', 'resume', planId], { home })).error.code).toBe('APPROVAL_NEEDED')
  await change({ username: 'amy' }, { digest, begun_at: null })
  // The head of a large batch is printed before its rows are read and checked; programs get nothing of a changed one.
  const long = Array.from({ length: 1_001 }, (_, i) => `amy,1,USD,many-${i}\n`).join('')
  expect(
    (
      await run(['wallet', 'plan', '-', '--id', 'many', '--create'], {
        home,
        input: `username,amount,currency,txnId\n${long}`,
      })
    ).code,
  ).toBe(0)
  const intact = await run(['wallet', 'plans', 'many'], { home })
  expect(intact.stdout.match(/^ *plan +many$/gm)).toHaveLength(1)
  expect(intact.stdout.match(/^ *\d+ +many-/gm)).toHaveLength(100)
  await book.store.write(({ q }) =>
    q.updateTable('book_wallet_plan_rows').set({ amount: '9' }).where('plan_id', '=', 'many').execute(),
  )
  const head = intact.stdout.slice(0, intact.stdout.indexOf('line'))
  expect(await run(['wallet', 'plans', 'many'], { home })).toMatchObject({ code: 6, stdout: head })
  expect(await run(['wallet', 'plans', 'many', '--csv'], { home })).toMatchObject({ code: 6, stdout: '' })
  const me = { pid: 1, host: 'elsewhere', command: 'wallet apply' }
  const held = await lockBook(book, { url, job: 'wallet', me, waitMs: 0, sleep: realSleep })
  for (const command of ['apply', 'cancel']) {
    const locked = await runJson(['wallet', command, planId, ...(command === 'cancel' ? ['--yes'] : [])], { home })
    expect([locked.code, locked.error.details['host']]).toEqual([75, 'elsewhere'])
  }
  await held.release()
  await book.close()
  const late = await runJson(['wallet', 'apply', planId, '--deadline', '1ms'], { home })
  expect([late.code, ...new Set(outcomesIn(late.data))]).toEqual([7, 'left'])
  expect(late.warnings).toEqual(['Deadline reached; no more rows were started'])
  // A platform that stays busy: the attempts of each request are limited, and so is the total wait.
  for (const [bound, requestCounts] of [
    ['--attempts=1', [1]],
    // On a busy machine the deadline precedes the first request: then there is none.
    ['--deadline=300ms', [0, 1]],
  ] as const) {
    proxy.seen.length = 0
    proxy.treat(/account/, ...Array(9).fill('status-429'))
    const busy = await runJson(['wallet', 'resume', bound], { home })
    expect([busy.code, busy.error.category]).toEqual([7, 'temporary'])
    expect(requestCounts).toContain(proxy.seen.length)
  }
  // Four are in progress when the signal arrives: they finish, and no other starts.
  proxy.treat(/wallet\/deposit/, ...Array(20).fill('slow'))
  let child: ChildProcess | undefined
  let arrived = 0
  proxy.afterward((path) => {
    // One signal only: a second one ends a run at once.
    if (path.includes('deposit') && ++arrived === names.length) child?.kill('SIGINT')
  })
  const started = (process: ChildProcess) => {
    child = process
  }
  const stopped = await runJson(['wallet', 'resume'], { home, started })
  expect([stopped.code, stopped.error.code]).toEqual([130, 'INTERRUPTED'])
  const done = Number(stopped.data['doneNow'])
  expect(done).toBeGreaterThanOrEqual(4)
  expect(outcomesIn(stopped.data).filter((outcome) => outcome === 'left')).toHaveLength(12 - done)
  expect(done).toBeLessThan(12)
  proxy.afterward(() => {})
  proxy.treat(/^$/)
  expect((await runJson(['wallet', 'resume'], { home })).data).toMatchObject({ doneNow: 12 - done, state: 'finished' })
  expect(await balances(...names)).toEqual(Array(4).fill('10006'))
})

test('an approval expires after 7 days, before the batch is started and during it; a new one is valid', async () => {
  const { proxy, home, balances } = await aHouse()
  const planId = await approved(home, 'username,amount,currency\namy,5,USD\n')
  const lapse = async () => {
    const book = await openBook(bookOf(home) ?? '')
    const lastWeek = Date.now() - 7 * 86_400_000
    await book.store.write(({ q }) => q.updateTable('book_wallet_approvals').set({ approved_at: lastWeek }).execute())
    await book.close()
  }
  const refused = async (command: 'apply' | 'resume') => {
    await lapse()
    proxy.seen.length = 0
    const { code, error } = await runJson(['wallet', command, planId], { home })
    expect([code, error.code, proxy.seen.length]).toEqual([3, 'APPROVAL_NEEDED', 0])
    expect(error.message).toMatch(
      /by beth expired on .* an approval is valid for 7 days \(setting approvalDays\).*wallet approve/,
    )
    expect(error.details['lapsed']).toMatchObject([{ by: 'beth' }])
  }
  const renewed = async (command: 'apply' | 'resume') => {
    const { code, data } = await runJson(['wallet', 'approve', planId, ...(await asApprover(home, 'beth'))], { home })
    expect([code, data['earlier'], data['next']]).toEqual([
      ...[0, false],
      [`countroom wallet ${command} ${planId} --profile remote`],
    ])
  }
  await refused('apply')
  const shown = await run(['wallet', 'plans', planId], { home })
  expect(shown.stdout).toMatch(/state +created, needs approval\n[\s\S]*by beth.*, expired on/)
  const longer = { home, env: { COUNTROOM_APPROVAL_DAYS: '8' } }
  expect((await run(['wallet', 'apply', planId, '--dry-run'], longer)).code).toBe(0)
  await renewed('apply')
  expect((await run(['wallet', 'apply', planId, '--deadline', '1ms'], { home })).code).toBe(7)
  // Started now: a new approval is possible only after the last one has expired.
  expect((await run(['wallet', 'approve', planId, '--as', 'carl'], { home })).code).toBe(6)
  await refused('resume')
  await renewed('resume')
  expect((await run(['wallet', 'resume', planId], { home })).code).toBe(0)
  expect(await balances('amy')).toEqual(['10005'])
})

/** The world of these tests has no rate limits, because a test has no time to wait. */
const fast = ['--rate', '1000', '--rate-share', '100']

const books = [
  ['a file', async () => undefined],
  ['PostgreSQL', async () => (await postgres.database()).url],
] as const

test.each(books)(
  'with kill -9 at any instant, repeatedly, every row is applied once, with its book in %s',
  async (name, place) => {
    const { proxy, home: remote, balances } = await aHouse()
    const url = await place()
    const home = url === undefined ? remote : { ...remote, env: { ...remote.env, COUNTROOM_BOOK: url } }
    const names = Array.from({ length: 12 }, (_, i) => `p${i}`)
    const rows = names.flatMap((player) => [
      `${player},7,USD`,
      `${player},-2,USD`,
      `${player},1.5,USD`,
      `${player},-0.25,USD`,
    ])
    const planId = await approved(home, `username,amount,currency\n${rows.join('\n')}\n`, ['--create'])
    const kills = name === 'a file' ? 6 : 1
    let carried = 0
    let child: ChildProcess | undefined
    let dieAt = 0
    proxy.afterward((path) => {
      if (!/deposit|withdraw/.test(path)) return
      carried += 1
      // Processed, its response not sent yet, others in progress.
      if (carried >= dieAt) child?.kill('SIGKILL')
    })
    const started = (process: ChildProcess) => {
      child = process
    }
    for (let kill = 0; kill < kills; kill++) {
      dieAt = carried + 1 + ((kill * 5) % 7)
      const command = kill === 0 ? ['apply', planId] : ['resume']
      const { code, stderr } = await run(['wallet', ...command, '--concurrency', '5', ...fast], { home, started })
      expect(code, `kill ${kill} ${stderr}`).toBe(-2)
    }
    dieAt = Number.POSITIVE_INFINITY
    const open = await runJson(['wallet', 'plans', planId], { home })
    expect(open.data['plans']).toMatchObject([{ state: 'begun' }])
    const last = await runJson(['wallet', 'resume', ...fast], { home })
    expect([last.code, last.data['state'], last.data['done']]).toEqual([0, 'finished', rows.length])
    expect(await balances(...names)).toEqual(names.map(() => '6.25'))
  },
)
