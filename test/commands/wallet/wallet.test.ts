import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgres } from '../../support/databases/engines.ts'
import { aReceiver } from '../../support/http/receiver.ts'
import { envelopeOf, type Home, noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { faultyProxy, localHome, remoteHome, type Served, served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')
const booksIn = (home: Home) => {
  const folder = join(home.folder, 'state/countroom/books')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.db')) : []
}

/** Balance of a player at the sandbox, or the live side, of a served world. */
async function balanceAt(home: Home, user = 'amy'): Promise<string> {
  const { data } = await runJson(['wallet', 'balance', user], { home })
  return String(data['balance'])
}

/** The same commands, through a socket and in this process. */
const places = [
  ['on the local database', () => localHome() as Promise<Home>],
  ['at a remote address', async () => remoteHome(await served())],
] as const

test.each(places)('money moves in and out, each time under its own ID, %s', async (_name, place) => {
  const home = await place()
  const deposit = await runJson(words('wallet deposit AMY 100.50 usd'), { home })
  expect(deposit).toMatchObject({ code: 0, status: 'ok', error: null })
  expect(deposit.data).toMatchObject({
    username: 'amy',
    dir: 'in',
    amount: '100.5',
    currency: 'USD',
    status: 'done',
    balance: '10100.5',
    duplicate: false,
    created: false,
    knownBy: 'reply',
    attempts: 1,
    dryRun: false,
    request: null,
  })
  expect(deposit.data['txnId']).toMatch(/^[0-9A-Z]{26}$/)
  const withdrawal = await runJson(words('wallet withdraw amy 0.5 USD --txn out-1'), { home })
  expect(withdrawal.data).toMatchObject({ txnId: 'out-1', dir: 'out', balance: '10100', duplicate: false })
  expect(await balanceAt(home)).toBe('10100')
  expect(booksIn(home)).toHaveLength(1)
})

test.each(places)('a repeat of the same --txn moves nothing and returns the first result, %s', async (_name, place) => {
  const home = await place()
  const once = await runJson(words('wallet deposit amy 5 USD --txn t-1'), { home })
  await run(words('wallet deposit amy 1 USD'), { home })
  const twice = await runJson(words('wallet deposit amy 5.0 usd --txn t-1'), { home })
  expect(once.data).toMatchObject({ balance: '10005', duplicate: false })
  expect(twice.data).toMatchObject({ txnId: 't-1', balance: '10005', duplicate: true, status: 'done' })
  expect(await balanceAt(home)).toBe('10006')
})

test('the human output has the result on stdout and the progress on stderr', async () => {
  const home = await localHome()
  const { code, stdout, stderr } = await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  expect([code, stdout]).toEqual([0, 'txn ID    t-1\nplayer    amy\namount    5\ncurrency  USD\nbalance   10005\n'])
  expect(stderr).toBe('Profile local: world.db\nDeposited 5 USD to amy.\n')
  const again = await run(words('wallet deposit amy 5 USD --txn t-1 --quiet'), { home })
  expect([again.stdout, again.stderr]).toEqual([stdout, ''])
})

test('a txnId of another transfer in the book is rejected locally, and nothing is sent', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  proxy.seen.length = 0
  for (const other of ['deposit bob 5 USD', 'deposit amy 6 USD', 'withdraw amy 5 USD', 'deposit amy 5 TWD']) {
    const refused = await runJson(words(`wallet ${other} --txn t-1`), { home })
    expect(refused.code, other).toBe(6)
    expect(refused.error).toMatchObject({
      code: 'TXN_CONFLICT',
      category: 'conflict',
      retryable: false,
      remoteCode: null,
    })
    expect(refused.error.details).toMatchObject({ known: { username: 'amy', dir: 'in', amount: '5', state: 'done' } })
    expect((await run(words(`wallet ${other} --txn t-1`), { home })).code).toBe(6)
  }
  expect(proxy.seen).toEqual([])
})

test('all invalid arguments are reported at once, before any request', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  const wrong = await runJson(['wallet', 'deposit', 'a b', '1,000', 'DOLLARS', '--txn', 'x y'], { home })
  expect(wrong.code).toBe(2)
  expect(wrong.error).toMatchObject({ code: 'INVALID_USERNAME', category: 'usage', remoteCode: null })
  const problems = wrong.error.details['problems'] as { field: string; code: string }[]
  expect(problems.map(({ field, code }) => [field, code])).toEqual([
    ['username', 'INVALID_USERNAME'],
    ['amount', 'INVALID_AMOUNT'],
    ['currency', 'INVALID_CURRENCY'],
    ['txnId', 'INVALID_PARAMETER'],
  ])
  const amounts = ['0', '-5', '1e3', '1.23456', '１']
  for (const amount of amounts) {
    const { code, error } = await runJson(['wallet', 'withdraw', 'amy', amount, 'USD'], { home })
    expect([amount, code, error.code]).toEqual([amount, 2, 'INVALID_AMOUNT'])
  }
  expect(proxy.seen).toEqual([])
  expect(booksIn(home)).toEqual([])
})

test('a deposit to an unknown name is rejected, with similar names; --create creates the player', async () => {
  const home = await localHome()
  await run(words('players show amy'), { home })
  const refused = await runJson(words('wallet deposit amyy 5 USD'), { home })
  expect(refused.code).toBe(5)
  expect(refused.error).toMatchObject({ code: 'PLAYER_NOT_FOUND', details: { nearest: ['amy'] } })
  expect(refused.error.message).toMatch(
    /^Player amyy not found; did you mean amy\? To create the player, add --create$/,
  )
  expect((await run(words('players show amyy'), { home })).code).toBe(5)
  const made = await runJson(words('wallet deposit Amyy 5 EUR --create'), { home })
  expect(made.data).toMatchObject({ username: 'Amyy', currency: 'EUR', balance: '5', created: true })
  const known = await runJson(words('wallet deposit amyy 5 EUR --create'), { home })
  expect(known.data).toMatchObject({ username: 'Amyy', balance: '10', created: false })
})

test.each([
  ['wallet withdraw amy 10000.0001 USD', 6, 'INSUFFICIENT_BALANCE'],
  ['wallet withdraw nobody 1 USD', 5, 'PLAYER_NOT_FOUND'],
  ['wallet deposit amy 1 EUR', 2, 'CURRENCY_MISMATCH'],
  ['wallet deposit new 1 XYZ --create', 2, 'CURRENCY_NOT_ENABLED'],
  ['wallet balance nobody', 5, 'PLAYER_NOT_FOUND'],
  ['wallet transfer nothing', 5, 'TXN_NOT_FOUND'],
])('the platform\'s refusal of "%s" keeps its code, and exits with %i', async (line, exit, code) => {
  const home = await localHome()
  const json = await runJson(words(line), { home })
  expect([json.code, json.error.code, json.data]).toEqual([exit, code, null])
  const plain = await run(words(line), { home })
  expect([plain.code, plain.stdout]).toEqual([exit, ''])
  expect(plain.stderr).toContain(code)
  expect(await balanceAt(home)).toBe('10000')
})

test('a dry run makes the same checks and changes nothing', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  const dry = await runJson(words('wallet deposit amy 5.50 usd --txn t-1 --dry-run'), { home })
  expect(dry.data).toMatchObject({
    dryRun: true,
    status: null,
    balance: null,
    request: {
      method: 'POST',
      path: '/api/tenant/v1/wallet/deposit',
      body: { username: 'amy', txnId: 't-1', amount: '5.5', currency: 'USD' },
    },
  })
  expect((await runJson(words('wallet deposit amy 5 USD --dry-run'), { home })).data['txnId']).toBe(null)
  expect((await run(words('wallet deposit amyy 5 USD --dry-run'), { home })).code).toBe(5)
  expect((await run(words('wallet withdraw amy 5 EUR --dry-run'), { home })).code).toBe(2)
  const short = await runJson(words('wallet withdraw amy 10001 USD --dry-run'), { home })
  expect(short.warnings).toEqual(['The balance is 10000 USD; the platform would reject this withdrawal'])
  const text = await run(words('wallet deposit amy 5 USD --dry-run'), { home })
  expect(text.stdout).toMatch(/^POST \/api\/tenant\/v1\/wallet\/deposit\n\{\n {2}"username": "amy"/)
  expect(proxy.seen.filter(({ path }) => /deposit|withdraw/.test(path))).toEqual([])
  expect(booksIn(home)).toEqual([])
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  expect((await run(words('wallet deposit bob 5 USD --txn t-1 --dry-run'), { home })).code).toBe(6)
})

test('nothing is sent if the book cannot be written', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  const foreign = home.write('notes.txt', 'no database at all, and long enough to be taken for one '.repeat(50))
  const damaged = await runJson([...words('wallet deposit amy 5 USD --book'), foreign], { home })
  expect([damaged.code, damaged.error.code]).toEqual([78, 'STORE_FOREIGN'])
  const impossible = await run([...words('wallet deposit amy 5 USD --book'), join(foreign, 'book.db')], { home })
  expect(impossible.code).toBe(78)
  expect(proxy.seen.filter(({ path }) => /deposit/.test(path))).toEqual([])
})

test('the book of another tenant is rejected, and nothing is sent', async () => {
  const world = await served()
  const sandbox = await remoteHome(world)
  const book = join(sandbox.folder, 'book.db')
  expect((await run([...words('wallet deposit amy 5 USD --book'), book], { home: sandbox })).code).toBe(0)
  const live = await remoteHome(world, { environment: 'live' })
  const args = [...words('wallet deposit amy 5 USD --yes --confirm-total 5:USD --book'), book]
  const refused = await runJson(args, { home: live })
  expect([refused.code, refused.error.code]).toEqual([6, 'BOOK_OF_ANOTHER'])
  expect(await balanceAt(live)).toBe('10000')
})

test('names and IDs that start with a dash are accepted as arguments', async () => {
  const home = await localHome()
  const made = await run(['wallet', 'deposit', '--json', '--create', '--txn=-t', '--', '-x', '5', 'USD'], { home })
  expect(envelopeOf(made).data).toMatchObject({ username: '-x', txnId: '-t', balance: '5' })
})

// ── Real money ──

test('on a live profile nothing is sent without a confirmed total', async () => {
  const world = await served()
  const home = await remoteHome(world, { environment: 'live' })
  const line = 'wallet deposit amy 100 USD'
  const cases: readonly [flags: string, exit: number, code: string | undefined][] = [
    ['', 3, 'CONFIRMATION_NEEDED'],
    [' --yes', 3, 'CONFIRMATION_NEEDED'],
    [' --yes --confirm-total 10:USD', 3, 'CONFIRMATION_REFUSED'],
    [' --yes --confirm-total 100:EUR', 3, 'CONFIRMATION_REFUSED'],
    [' --yes --confirm-total 100.00:usd', 0, undefined],
  ]
  for (const [flags, exit, code] of cases) {
    const { code: got, error } = await runJson(words(line + flags), { home })
    expect([flags, got, error?.code]).toEqual([flags, exit, code])
  }
  expect(await balanceAt(home)).toBe('10100')
  // A finished transfer moves nothing again, so it needs no confirmation.
  await run(words(`${line} --txn t-1 --yes --confirm-total 100:USD`), { home })
  expect((await run(words(`${line} --txn t-1`), { home })).code).toBe(0)
  expect(await balanceAt(home)).toBe('10200')
})

test.skipIf(noTerminal)('on a terminal, amount, currency and player are typed again', async () => {
  const world = await served()
  const home = await remoteHome(world, { environment: 'live' })
  const result = await runOnTerminal(
    words('wallet withdraw amy 100 USD'),
    [
      ['Withdraw 100 USD from amy on a live profile. Type the amount again', '100\r'],
      ['Type the currency again', 'usd\r'],
      ['Type the player again', 'amy\r'],
    ],
    { home },
  )
  expect([result.code, result.screen.includes('9900')]).toEqual([0, true])
  const slip = await runOnTerminal(
    words('wallet withdraw amy 100 USD'),
    [
      ['Type the amount again', '1000\r'],
      ['Type the currency again', 'USD\r'],
    ],
    { home },
  )
  expect(slip.code).toBe(3)
  expect(await balanceAt(home)).toBe('9900')
})

// ── Faults of the connection ──

async function disturbed(world?: Served) {
  const there = world ?? (await served())
  const proxy = await faultyProxy(there.url)
  const home = await remoteHome(there, { at: proxy.url })
  return {
    world: there,
    proxy,
    home,
    posts: () => proxy.seen.filter(({ path }) => /wallet\/(deposit|withdraw)/.test(path)),
  }
}

test('with a lost response, a proxy page or a slow connection the money moves once, and the result reports it', async () => {
  const { proxy, home, posts } = await disturbed()
  proxy.treat(/wallet\/deposit/, 'drop-after', 'html-502-after', 'slow')
  const { code, data, stderr } = await runJson(words('wallet deposit amy 5 USD'), { home })
  expect(code).toBe(0)
  expect(data).toMatchObject({ balance: '10005', status: 'done', attempts: 3 })
  expect(posts().map(({ treatment }) => treatment)).toEqual(['drop-after', 'html-502-after', 'slow'])
  expect(new Set(posts().map(({ body }) => body)).size).toBe(1)
  expect(new Set(posts().map(({ nonce }) => nonce)).size).toBe(3)
  expect(stderr).toMatch(
    /service closed the connection; attempt 2 in [01]\.\d s\n.*service responded with 502; attempt 3 in/,
  )
  expect(await balanceAt(home)).toBe('10005')
})

test('a rejected transfer is sent once', async () => {
  const { home, posts } = await disturbed()
  expect((await run(words('wallet withdraw amy 20000 USD'), { home })).code).toBe(6)
  expect(posts()).toHaveLength(1)
})

test('an unknown outcome exits with 10 and prints the command that finishes the transfer', async () => {
  const { proxy, home } = await disturbed()
  proxy.treat(/wallet\//, 'drop-after', ...Array(3).fill('html-502-before'))
  const receiver = await aReceiver()
  const env = { COUNTROOM_NOTIFY: receiver.url }
  const lost = await runJson(words('wallet deposit amy 5 USD --attempts 2'), { home, env })
  expect(lost.code).toBe(10)
  expect(lost.error).toMatchObject({
    code: 'MONEY_UNKNOWN',
    category: 'unknown-outcome',
    retryable: false,
    remoteCode: null,
  })
  const { txnId, next, attempts } = lost.error.details as { txnId: string; next: string[]; attempts: number }
  expect(attempts).toBe(2)
  expect(next).toEqual([
    `countroom wallet deposit amy 5 USD --txn ${txnId} --profile remote`,
    `countroom wallet transfer ${txnId} --user amy --profile remote`,
  ])
  expect(lost.error.message).toContain(next[0])
  await receiver.waitFor(1)
  expect(receiver.got.map(({ body }) => body)).toEqual([
    expect.objectContaining({ event: 'money.unknown', profile: 'remote', items: [expect.objectContaining({ txnId })] }),
  ])
  const open = await runJson(words('wallet journal --state unknown'), { home })
  expect(open.data['transfers']).toMatchObject([{ txnId, username: 'amy', state: 'unknown', attempts: 2 }])
  expect((await runJson(words('doctor'), { home })).data['checks']).toContainEqual(
    expect.objectContaining({ id: 'transfers', status: 'warn' }),
  )
  const done = await runJson((next[0] ?? '').split(' ').slice(1), { home })
  expect(done.data).toMatchObject({ txnId, balance: '10005', duplicate: true })
  expect(await balanceAt(home)).toBe('10005')
  expect((await runJson(words('wallet journal --state unknown'), { home })).data['transfers']).toEqual([])
})

test('if no request arrived, nothing was sent: the same command may be repeated', async () => {
  const { proxy, home, posts } = await disturbed()
  proxy.treat(/wallet\/deposit/, 'status-429', 'status-429')
  const { code, error } = await runJson(words('wallet deposit amy 5 USD --txn t-1 --attempts 2'), { home })
  expect([code, error.category, error.retryable]).toEqual([7, 'temporary', true])
  expect(error.message).toMatch(
    /Nothing was carried out. To continue this transfer: countroom wallet deposit amy 5 USD --txn t-1 --profile remote/,
  )
  expect(posts()).toHaveLength(2)
  // The lookup before it has the same fault.
  proxy.seen.length = 0
  proxy.treat(/./, ...Array(9).fill('status-429'))
  const busy = await run(words('wallet deposit amy 5 USD --txn t-1 --attempts 1'), {
    home,
    env: { COUNTROOM_ATTEMPTS: '3' },
  })
  expect([busy.code, proxy.seen.length]).toEqual([7, 1])
  proxy.treat(/^$/)
  expect((await runJson(words('wallet deposit amy 5 USD --txn t-1'), { home })).data).toMatchObject({
    duplicate: false,
  })
})

test('after a kill between the transfer and its response, the same command finishes without moving anything', async () => {
  const { proxy, home } = await disturbed()
  proxy.treat(/wallet\/deposit/, 'hang-after')
  let kill = () => {}
  proxy.afterward((path) => path.includes('wallet/deposit') && kill())
  const killed = await run(words('wallet deposit amy 5 USD --txn t-1'), {
    home,
    input: '',
    started: (child) => {
      kill = () => void child.kill('SIGKILL')
    },
  })
  expect([killed.code, killed.stdout]).toEqual([-2, ''])
  expect(await balanceAt(home)).toBe('10005')
  const journal = await runJson(words('wallet journal'), { home })
  expect(journal.data['transfers']).toMatchObject([{ txnId: 't-1', state: 'unknown', attempts: 1 }])
  const again = await runJson(words('wallet deposit amy 5 USD --txn t-1'), { home })
  expect(again.data).toMatchObject({ txnId: 't-1', balance: '10005', duplicate: true })
  expect(await balanceAt(home)).toBe('10005')
})

test('after a kill without --txn, the book has the ID, and the lookup closes the transfer', async () => {
  const { proxy, home } = await disturbed()
  proxy.treat(/wallet\/withdraw/, 'hang-after')
  let kill = () => {}
  proxy.afterward((path) => path.includes('wallet/withdraw') && kill())
  await run(words('wallet withdraw amy 5 USD'), {
    home,
    input: '',
    started: (child) => {
      kill = () => void child.kill('SIGKILL')
    },
  })
  const [open] = (await runJson(words('wallet journal --state unknown'), { home })).data['transfers'] as {
    txnId: string
  }[]
  const lookup = await runJson(['wallet', 'transfer', open?.txnId ?? ''], { home })
  expect(lookup.data).toMatchObject({ dir: 'out', amount: '5', username: 'amy', balance: '9995', ours: true })
  const journal = await runJson(words('wallet journal'), { home })
  expect(journal.data['transfers']).toMatchObject([{ state: 'done', balance: '9995' }])
  expect(await balanceAt(home)).toBe('9995')
})

test('after a kill before the request, nothing moved, and the same command moves the money once', async () => {
  const { proxy, home } = await disturbed()
  proxy.treat(/wallet\/deposit/, 'drop-before', 'drop-before', 'drop-before', 'drop-before', 'drop-before')
  await run(words('wallet deposit amy 5 USD --txn t-1'), {
    home,
    input: '',
    watch: (child, printed) => {
      if (printed.includes('attempt 2')) child.kill('SIGKILL')
    },
  })
  expect(await balanceAt(home)).toBe('10000')
  proxy.treat(/^$/)
  const absent = await runJson(words('wallet transfer t-1'), { home })
  expect([absent.code, absent.error.code]).toEqual([5, 'TXN_NOT_FOUND'])
  expect(absent.error.details['next']).toEqual(['countroom wallet deposit amy 5 USD --txn t-1 --profile remote'])
  expect((await runJson(words('wallet deposit amy 5 USD --txn t-1'), { home })).data).toMatchObject({
    duplicate: false,
  })
  expect(await balanceAt(home)).toBe('10005')
})

test('a signal during a retry wait ends the wait, looks the transfer up once, and reports an unknown outcome', async () => {
  const { proxy, home } = await disturbed()
  proxy.treat(/wallet\//, 'html-502-after', ...Array(7).fill('html-502-before'))
  let isSignaled = false
  const stopped = await run([...words('wallet deposit amy 5 USD --txn t-1'), '--json'], {
    home,
    input: '',
    watch: (child, printed) => {
      // A second signal would end it at once.
      if (isSignaled || !printed.includes('attempt 2')) return
      isSignaled = true
      child.kill('SIGINT')
    },
  })
  expect(stopped.code).toBe(130)
  expect(JSON.parse(stopped.stdout).error).toMatchObject({ code: 'MONEY_UNKNOWN' })
  proxy.treat(/^$/)
  expect((await runJson(words('wallet transfer t-1'), { home })).data).toMatchObject({ balance: '10005', ours: true })
})

test('a transfer of another system can be looked up', async () => {
  const home = await localHome()
  const { data } = await runJson(words('wallet transfer demo-amy'), { home })
  expect(data).toMatchObject({ username: 'amy', dir: 'in', amount: '10000', ours: false })
  const lookup = await runJson(words('wallet transfer demo-amy --user bob'), { home })
  expect([lookup.code, lookup.data]).toMatchObject([0, { username: 'amy', ours: false }])
  expect(lookup.warnings).toEqual(['The player of demo-amy is amy, not bob'])
  expect((await run(words('wallet transfer demo-nobody --user bob'), { home })).code).toBe(5)
  expect(booksIn(home)).toEqual([])
})

test("another player's transfer under one of our IDs is a difference, and ours was rejected", async () => {
  const { proxy, home, world } = await disturbed()
  proxy.treat(/wallet\/deposit/, 'status-429')
  await run(words('wallet deposit amy 5 USD --txn t-1 --attempts 1'), { home })
  const other = await remoteHome(world)
  await run(words('wallet deposit bob 5 USD --txn t-1'), { home: other })
  const lookup = await runJson(words('wallet transfer t-1 --user bob'), { home })
  expect([lookup.code, lookup.error.code, lookup.data]).toMatchObject([
    9,
    'DIFFERENCES',
    { username: 'bob', ours: false },
  ])
  const ours = await runJson(words('wallet transfer t-1'), { home })
  expect([ours.code, ours.error.code, ours.data]).toMatchObject([9, 'DIFFERENCES', { username: 'bob', ours: false }])
  const { data } = await runJson(words('wallet journal'), { home })
  expect(data.transfers).toMatchObject([{ txnId: 't-1', state: 'refused', refusal: 'TXN_CONFLICT' }])
})

test('the book can be on PostgreSQL', async () => {
  const home = await localHome()
  const { url = '' } = await postgres.database()
  const env = { COUNTROOM_BOOK: url }
  const once = await runJson(words('wallet deposit amy 5 USD --txn t-1'), { home, env })
  expect(once.data).toMatchObject({ balance: '10005', duplicate: false })
  expect((await runJson(words('wallet deposit amy 5 USD --txn t-1'), { home, env })).data).toMatchObject({
    duplicate: true,
  })
  expect((await run(words('wallet deposit bob 5 USD --txn t-1'), { home, env })).code).toBe(6)
  expect((await runJson(words('wallet journal'), { home, env })).data['transfers']).toMatchObject([
    { txnId: 't-1', state: 'done' },
  ])
  expect((await runJson(words('doctor'), { home, env })).code).toBe(0)
  expect(booksIn(home)).toEqual([])
})

test('the journal lists the transfers in the book, and is empty without a book', async () => {
  const home = await localHome()
  const empty = await run(words('wallet journal'), { home })
  expect(empty).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Profile local: .*, book .*\nThe book has no transfers\.\n$/),
  })
  expect(booksIn(home)).toEqual([])
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  await run(words('wallet withdraw bob 20000 USD --txn t-2'), { home })
  const text = await run(words('wallet journal'), { home })
  expect(text.stdout).toMatch(/^created \(UTC\) +txn ID +player +dir +amount +cur +state +refusal\n/)
  expect(text.stdout).toMatch(/t-2 +bob +out +20000 +USD +refused +INSUFFICIENT/)
  const csv = await run(words('wallet journal --csv --columns txnId,amount,state --user amy'), { home })
  expect(csv.stdout).toBe('txnId,amount,state\nt-1,5,done\n')
})

test('no key, nonce or signature is printed, at any verbosity', async () => {
  const { proxy, home, world } = await disturbed()
  proxy.treat(/wallet\/deposit/, 'drop-before')
  const { stdout, stderr } = await run(words('wallet deposit amy 5 USD --verbose'), { home })
  const keys = await world.world.casino.store.read(({ q }) => q.selectFrom('casino_keys').selectAll().execute())
  for (const { key_id, secret } of keys)
    for (const text of [stdout, stderr]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(key_id)
    }
  for (const { nonce } of proxy.seen) expect(stderr).not.toContain(nonce)
  expect(stderr).toMatch(/GET \/api\/tenant\/v1\/player\?username=amy {2}200 in \d+ ms/)
  expect(stderr).toMatch(/POST \/api\/tenant\/v1\/wallet\/deposit {2}REMOTE_LOST in \d+ ms/)
})
