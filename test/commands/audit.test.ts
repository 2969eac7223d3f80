import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { CommandEntry } from '../../src/cli/framework/manifest.ts'
import { type Home, run, runJson, runSpawned } from '../support/program/cli.ts'
import { commands } from '../support/program/command-line.ts'
import { faultyProxy, localHome, remoteHome, served } from '../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

interface Entry {
  readonly seq: number
  readonly command: string
  readonly subject: string
  readonly outcome: string
  readonly operator: string
  readonly run: string
}

/** Entries of a home's book, oldest first. */
async function trail(home: Home): Promise<Entry[]> {
  const { data } = await runJson(words('audit list --limit 1000'), { home })
  return (data['entries'] as Entry[]).toReversed()
}

const brief = (entries: readonly Entry[]) => entries.map(({ command, subject, outcome }) => [command, subject, outcome])

function bookOf(home: Home): string {
  const folder = join(home.folder, 'state/countroom/books')
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.db'))
  return join(folder, name ?? '')
}

test('a command that writes is recorded before and after, and one that reads is not', async () => {
  const home = await localHome()
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home, env: { COUNTROOM_AS: 'beth' } })
  await run(words('players lock amy --yes'), { home })
  await run(words('wallet balance amy'), { home })
  await run(words('wallet deposit amy 5 USD --dry-run'), { home })
  await run(words('wallet withdraw amy 900000 USD --txn t-2'), { home })
  const entries = await trail(home)
  expect(brief(entries)).toEqual([
    ['wallet deposit', 'amy 5 USD --txn t-1', 'started'],
    ['wallet deposit', 'amy 5 USD --txn t-1', 'ok'],
    ['players lock', 'amy', 'started'],
    ['players lock', 'amy', 'ok'],
    ['wallet withdraw', 'amy 900000 USD --txn t-2', 'started'],
    ['wallet withdraw', 'amy 900000 USD --txn t-2', 'INSUFFICIENT_BALANCE (exit 6)'],
  ])
  expect(entries[0]?.operator).toBe('beth')
  expect(entries[0]?.run).toBe(entries[1]?.run)
  expect(entries[2]?.run).not.toBe(entries[1]?.run)
})

test('decisions of the platform and events of the outside world are recorded in the trail of the profile', async () => {
  const home = await localHome()
  await run(words('console topup DEMO 500 --ref wire-1'), { home })
  await run(words('console adjust DEMO amy 25 --txn goodwill-17'), { home })
  await run(words('console adjust DEMO amy 25 --txn goodwill-18 --dry-run'), { home })
  await run(words('console tables maintenance BAC-01'), { home })
  await run(words('console tenants list'), { home })
  await run(words('console players kick DEMO nobody'), { home })
  await run(words('sim rates reset'), { home })
  await run(words('tickets triage --list'), { home })
  await run(words('tickets triage --json'), { home })
  expect(brief(await trail(home)).filter(([, , outcome]) => outcome !== 'started')).toEqual([
    ['console topup', 'DEMO 500 --ref wire-1', 'ok'],
    ['console adjust', 'DEMO amy 25 --txn goodwill-17', 'ok'],
    ['console tables maintenance', 'BAC-01', 'ok'],
    ['console players kick', 'DEMO nobody', 'PLAYER_NOT_FOUND (exit 5)'],
    ['sim rates reset', '', 'ok'],
  ])
})

/** Words that end the name of a command that only reads. */
const readingWords =
  /(^| )(list|show|balance|balances|messages|usage|stats|fee|estimate|minimum|verify|check|watch|explain|diff)$/

/** Other commands without entries, with what they store. */
const unrecorded: Readonly<Record<string, string>> = {
  'audit export': 'a file',
  'bets export': 'a file',
  'bets status': 'nothing',
  'bets sync': 'bets as the platform sent them; the book has the runs',
  'book backup': 'a file',
  'book copy': 'a new book, with its own entry',
  'book orders': 'nothing',
  'book restore': 'a new book, with its own entry',
  completion: 'the completion script of a shell',
  'console merchants ledger export': 'a file',
  'console merchants payments refunds': 'nothing',
  demo: 'a world of its own',
  doctor: 'nothing',
  'doctor sign': 'nothing',
  'ipn listen': 'callbacks as the gateway sent them',
  'media fetch': 'a file',
  'profiles test': 'nothing',
  'reconcile breaks evidence': 'files',
  'schedule print': 'files',
  schema: 'nothing',
  serve: 'the world that it serves; it states when it changes the profile local',
  'serve exec': 'a world of its own',
  'sim mails': 'nothing',
  'statements export': 'a file',
  'subaccounts payments': 'nothing',
  'subaccounts transfers': 'nothing',
  'tickets evidence': 'files',
  'tickets export': 'a file',
  'tickets macros': 'nothing',
  'tickets schema': 'nothing',
  'wallet journal': 'nothing',
  'wallet plans': 'nothing',
  'wallet transfer': 'nothing',
  'webhooks listen': 'callbacks as the platform sent them',
}

/** Commands that change something although their name reads like a question. */
const changing = ['audit verify', 'console chat identity show', 'console merchants verify', 'payouts verify']

test('every command is recorded, only reads, or is listed with what it stores', () => {
  const isRecorded = ({ writes, audits = writes }: CommandEntry) => audits === true || audits === 'changes'
  const named = commands.map((command) => ({ name: command.id.replaceAll(':', ' '), isRecorded: isRecorded(command) }))
  const isReading = (name: string) => readingWords.test(name) && !changing.includes(name)
  expect(named.filter((each) => each.isRecorded && isReading(each.name))).toEqual([])
  const others = named.filter((each) => !each.isRecorded && !isReading(each.name)).map(({ name }) => name)
  expect(others).toEqual(Object.keys(unrecorded))
})

test('settings and profiles are recorded in the book of their profile, without their values', async () => {
  const home = await localHome()
  await run(words('config set logLevel info'), { home })
  expect(existsSync(join(home.folder, 'state/countroom/books'))).toBe(false)
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  await run(words('config set logLevel warn'), { home })
  await run(words('config unset logLevel'), { home })
  await run(words('config unset logLevel'), { home })
  expect(brief(await trail(home)).slice(2)).toEqual([
    ['config set', 'logLevel', 'started'],
    ['config set', 'logLevel', 'ok'],
    ['config unset', 'logLevel', 'started'],
    ['config unset', 'logLevel', 'ok'],
  ])
})

test('a killed run has no outcome, and verify counts it', async () => {
  const world = await served()
  const proxy = await faultyProxy(world.url)
  const home = await remoteHome(world, { at: proxy.url })
  proxy.treat(/wallet\/deposit/, 'hang-after')
  let kill = () => {}
  proxy.afterward((path) => path.includes('wallet/deposit') && kill())
  await run(words('wallet deposit amy 5 USD --txn t-1'), {
    home,
    input: '',
    started: (child) => {
      kill = () => void child.kill('SIGKILL')
    },
  })
  expect(brief(await trail(home))).toEqual([['wallet deposit', 'amy 5 USD --txn t-1', 'started']])
  const { code, data } = await runJson(words('audit verify'), { home })
  expect([code, data['valid'], data['unfinished']]).toEqual([0, true, 1])
})

test('a run killed between the end in the book and the one in the state folder leaves an intact trail', async () => {
  const home = await localHome()
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  const folder = join(home.folder, 'state/countroom/audit-heads')
  const file = join(folder, readdirSync(folder)[0] ?? '')
  const kept = readFileSync(file, 'utf8')
  // The run waits at a pipe in place of the file, which it reads after the entry of the book is durable.
  rmSync(file)
  spawnSync('mkfifo', [file])
  let pipe = -1
  await run(words('wallet deposit amy 5 USD --txn t-2'), {
    home,
    started: async (child) => {
      // Fails until the run has opened the pipe.
      const openPipe = () => openSync(file, constants.O_WRONLY | constants.O_NONBLOCK)
      while (pipe < 0 && child.exitCode === null)
        try {
          pipe = openPipe()
        } catch {
          await setTimeout(1)
        }
      child.kill('SIGKILL')
    },
  })
  closeSync(pipe)
  rmSync(file)
  writeFileSync(file, kept)
  const behind = await runJson(words('audit verify'), { home })
  expect([kept, behind.code, behind.data]).toMatchObject([
    expect.stringMatching(/^2:/),
    0,
    { valid: true, entries: 4, unfinished: 0 },
  ])
  await run(words('wallet deposit amy 5 USD --txn t-3'), { home })
  const after = await runJson(words('audit verify'), { home })
  expect([after.code, after.data]).toMatchObject([0, { entries: 6, keptHead: expect.stringMatching(/^6:/) }])
})

test('a command writes nothing if the entry cannot be written', async () => {
  const home = await localHome()
  await run(words('wallet deposit amy 5 USD --txn t-1'), { home })
  const database = new Database(bookOf(home))
  database.exec("create trigger full before insert on book_audit begin select raise(abort, 'disk full'); end")
  database.close()
  const { code } = await runJson(words('wallet deposit amy 5 USD --txn t-2'), { home })
  expect(code).not.toBe(0)
  expect((await runJson(words('wallet transfer t-2'), { home })).code).toBe(5)
})

test('verify names the first bad entry and exits 9, and an export has every field', async () => {
  const home = await localHome()
  for (const id of ['t-1', 't-2', 't-3']) await run(words(`wallet deposit amy 5 USD --txn ${id}`), { home })
  const intact = await runSpawned(words('audit verify'), { home })
  expect([intact.code, intact.stdout]).toEqual([
    0,
    expect.stringMatching(/^The audit trail is intact: 6 entries\.\nHead: 6:[0-9a-f]{64}\n$/),
  ])
  const head = /Head: (\S+)/.exec(intact.stdout)?.[1] ?? ''
  expect(intact.stderr).toContain(`countroom audit verify --head ${head}`)
  expect((await runJson(['audit', 'verify', '--head', head], { home })).code).toBe(0)
  expect((await runJson(['audit', 'verify', '--head', '6:abc'], { home })).code).toBe(2)
  for (const file of ['audit.csv', 'audit.json']) {
    const out = join(home.folder, file)
    expect((await runSpawned(['audit', 'export', '--out', out], { home })).code).toBe(0)
    expect((await runJson(['audit', 'export', '--out', out], { home })).code).toBe(6)
    const text = readFileSync(out, 'utf8')
    expect(text).toContain(head.split(':')[1])
    const verify = async (changed: string, ...flags: string[]) => {
      writeFileSync(out, changed)
      return runJson(['audit', 'verify', '--file', out, ...flags], { home })
    }
    expect((await verify(text)).data).toMatchObject({ valid: true, entries: 6, head, firstBad: null })
    const changed = await verify(text.replace('t-2', 't-9'))
    expect([changed.code, changed.data['firstBad']]).toMatchObject([9, { seq: 3 }])
    const blocks = file === 'audit.csv' ? text.trimEnd().split('\n') : JSON.parse(text)
    const written = (parts: readonly unknown[]) => (file === 'audit.csv' ? parts.join('\n') : JSON.stringify(parts))
    const first = file === 'audit.csv' ? 1 : 0
    const removed = await verify(written(blocks.toSpliced(first + 1, 1)))
    expect([removed.code, removed.data['firstBad']]).toMatchObject([9, { seq: 2 }])
    const inserted = await verify(written(blocks.toSpliced(first + 1, 0, blocks[first])))
    expect([inserted.code, inserted.data['firstBad']]).toMatchObject([9, { seq: 1 }])
    const cut = written(blocks.slice(0, -1))
    expect([(await verify(cut)).code, (await verify(cut, '--head', head)).code]).toEqual([0, 9])
    for (const other of ['', 'x', 'seq,at\n1,x\n', '[', '[1]', '{"seq":1}'])
      expect([other, (await verify(other)).code]).toEqual([other, 2])
  }
  expect((await runJson(['audit', 'export', '--out', join(home.folder, 'audit.txt')], { home })).code).toBe(2)
  expect(existsSync(join(home.folder, 'audit.txt'))).toBe(false)
  const database = new Database(bookOf(home))
  database.exec("update book_audit set subject = 'amy 1 USD' where seq = 3")
  database.close()
  const broken = await runJson(words('audit verify'), { home })
  expect([broken.code, broken.data['firstBad']]).toEqual([
    9,
    { seq: 3, message: 'Entry 3 was changed: its contents do not have its hash' },
  ])
})

test('verify finds a removed end without a head, and accepts the end of an older copy', async () => {
  const home = await localHome()
  for (const id of ['t-1', 't-2']) await run(words(`wallet deposit amy 5 USD --txn ${id}`), { home })
  const file = bookOf(home)
  const change = (sql: string) => {
    const database = new Database(file)
    database.exec(sql)
    database.close()
  }
  const older = join(home.folder, 'older.db')
  const verify = (flags = '') => runJson(words(`audit verify${flags}`), { home })
  expect((await verify()).data).toMatchObject({ valid: true, keptHead: expect.stringMatching(/^4:/) })
  change('delete from book_audit where seq = 4')
  expect((await verify()).data['firstBad']).toMatchObject({
    seq: 4,
    message: expect.stringContaining('in the book is 4'),
  })
  change('update book_audit_head set seq = 3, hash = (select hash from book_audit where seq = 3)')
  copyFileSync(file, older)
  const cut = await verify()
  expect([cut.code, cut.data['firstBad']]).toMatchObject([9, { seq: 4, message: expect.stringContaining('this user') }])
  // Later runs continue, and do not hide it.
  for (const id of ['t-3', 't-4']) await run(words(`wallet deposit amy 5 USD --txn ${id}`), { home })
  expect((await verify()).data['firstBad']).toMatchObject({ seq: 4 })
  copyFileSync(older, file)
  expect((await verify(' --accept')).code).toBe(0)
  const { code, data } = await verify()
  expect([code, data['entries']]).toEqual([0, 5])
})

test('without a book the list is empty, and verify and export do not report it as intact', async () => {
  const home = await localHome()
  rmSync(join(home.folder, 'state/countroom/books'), { recursive: true, force: true })
  const list = await runSpawned(words('audit list'), { home })
  expect([list.code, list.stderr]).toEqual([
    0,
    expect.stringMatching(/^Profile local: .*, book .*\nThe audit trail has no entries\.\n$/),
  ])
  expect((await runJson(words('audit verify'), { home })).code).toBe(5)
  expect((await runJson(words('reconcile breaks note daily-3fa91c07be seen'), { home })).code).toBe(5)
  expect(existsSync(join(home.folder, 'state/countroom/books'))).toBe(false)
  expect((await runJson(['audit', 'export', '--out', join(home.folder, 'a.csv')], { home })).code).toBe(5)
})
