import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CountroomCommand } from '../../../src/cli/framework/command.ts'
import { findCommand } from '../../../src/cli/framework/find.ts'
import type { CommandEntry } from '../../../src/cli/framework/manifest.ts'
import { categories } from '../../../src/cli/outcome/exit-codes.ts'
import { resultSchema } from '../../../src/cli/outcome/result-schema.ts'
import { openBook } from '../../../src/operator/book/book.ts'
import { aRecord, toRow, writeRows } from '../../operator/book-rows.ts'
import { aHome, classOf, envelopeOf, type Home, run } from '../../support/program/cli.ts'
import { commands, programWith } from '../../support/program/command-line.ts'
import { examining, optimalAction } from '../../support/program/right-call.ts'

/** Every command, with every wrong call that needs no service. A new command is included automatically. */

const ends: (() => void)[] = []
const aHomeHere = () => aHome((clean) => ends.push(clean))
afterAll(() => {
  for (const end of ends) end()
})

/** A secret in every source of a run. None of them may be printed. */
const secret = 'ek_s_matrixSecret0123456789'

interface Wrong {
  readonly name: string
  readonly code: number
  /** The words after the command; `undefined` if the command cannot be called wrongly in this way. */
  words(command: CommandEntry): readonly string[] | undefined
  prepare?(home: Home): void
  readonly env?: Readonly<Record<string, string>>
}

const required = (command: CommandEntry) => Object.values(command.args).filter((arg) => arg.required)
const right = (command: CommandEntry) => [
  ...required(command).map(({ options }) => options?.[0] ?? 'x'),
  ...Object.values(command.flags).flatMap((flag) =>
    flag.required ? [`--${flag.name}`, ...(flag.type === 'option' ? [flag.options?.[0] ?? 'x'] : [])] : [],
  ),
  // One of three flags is required, which the manifest does not say.
  ...(command.id === 'console:merchants:payments:refund' ? ['--to', 'x'] : []),
]

/** Cases that depend on the command's own arguments: every command is called in each of these ways. */
const ownWays: readonly Wrong[] = [
  { name: 'an unknown flag', code: 2, words: (command) => [...right(command), '--no-such-flag', secret] },
  { name: 'a missing argument', code: 2, words: (command) => (required(command).length === 0 ? undefined : []) },
]

/**
 * Cases decided before the command's own code: each command is called in some of these, so that all of them are
 * covered.
 */
const sharedWays: readonly Wrong[] = [
  {
    name: 'an argument too many',
    code: 2,
    words: (command) =>
      Object.values(command.args).some(({ multiple }) => multiple)
        ? undefined
        : [...right(command), ...Array.from({ length: Object.keys(command.args).length + 1 }, () => 'extra')],
  },
  { name: 'a key as a flag', code: 2, words: (command) => [...right(command), `--api-key=${secret}`] },
  { name: 'a flag without its value', code: 2, words: (command) => [...right(command), '--profile'] },
  { name: 'a profile that is not there', code: 5, words: (command) => [...right(command), '--profile', 'nowhere'] },
  {
    name: 'a profile that others can read',
    code: 78,
    words: (command) => [...right(command), '--profile', 'open'],
    prepare: (home) => home.write('config/countroom/profiles/open.json', `{"kind":"local","db":"${secret}"}`, 0o644),
  },
  {
    name: 'a profile with an unknown key',
    code: 78,
    words: (command) => [...right(command), '--profile', 'odd'],
    prepare: (home) =>
      home.write('config/countroom/profiles/odd.json', `{"kind":"local","db":"x","sceret":"${secret}"}`),
  },
  {
    name: 'a settings file that is not JSON',
    code: 78,
    words: right,
    prepare: (home) => home.write('config/countroom/config.json', `{"profile": ${secret}`),
  },
  {
    name: 'a settings file with an unknown key',
    code: 78,
    words: right,
    prepare: (home) => home.write('config/countroom/config.json', `{"profil": "${secret}"}`),
  },
  {
    name: 'a settings file that cannot be read',
    code: 78,
    words: right,
    prepare: (home) => mkdirSync(join(home.config, 'config.json'), { recursive: true }),
  },
  {
    name: 'a project file with an unknown key',
    code: 78,
    words: right,
    prepare: (home) => home.write('countroom.json', '{"bokk":"x"}'),
  },
  { name: 'a variable with an impossible value', code: 78, words: right, env: { COUNTROOM_LOG_LEVEL: 'shout' } },
]

const each = 1
const waysOf = (index: number): readonly Wrong[] => [
  ...ownWays,
  ...Array.from({ length: each }, (_, i) => sharedWays[(index * each + i) % sharedWays.length]).filter(
    (way) => way !== undefined,
  ),
]

describe.each(
  commands.map((command, index) => [command.id.replaceAll(':', ' '), command, waysOf(index), index] as const),
)('%s', (words, command, ways, index) => {
  // One place prints refusals for all commands: each command is called in both forms once, and a part of them in every way.
  const inBoth = ownWays.findLast((way) => way.words(command) !== undefined)
  const formsOf = (way: Wrong) => (way === inBoth || index % 3 === 0 ? 'with and without --json' : 'with --json')
  test.concurrent.each(ways.map((way) => [way.name, formsOf(way), way] as const))(
    'called with %s, %s, ends with its code and nothing of the secret',
    async (_name, forms, way) => {
      const rest = way.words(command)
      if (rest === undefined) return
      const args = [...words.split(' '), ...rest]
      const called = async (extra: string[]) => {
        const home = aHomeHere()
        way.prepare?.(home)
        // The only run of every command in a process of its own: its exit code and streams are those of a real one.
        const isSpawned = way === ownWays[0] && extra.length > 0
        return run([...words.split(' '), ...extra, ...rest], { home, env: way.env ?? {}, isSpawned })
      }
      const isOneForm = forms === 'with --json'
      const [programs, people] = await Promise.all([called(['--json']), ...(isOneForm ? [] : [called([])])])
      const printed = `${args.join(' ')}\n${programs.stdout}${programs.stderr}${people?.stderr ?? ''}`
      expect([programs.code, people?.code ?? way.code], printed).toEqual([way.code, way.code])
      if (people !== undefined) {
        expect(people.stdout).toBe('')
        expect(people.stderr).toMatch(/^Error: /)
      }
      const output = envelopeOf(programs)
      expect(Object.keys(output)).toEqual(['schemaVersion', 'command', 'status', 'data', 'warnings', 'error'])
      expect(output).toMatchObject({ schemaVersion: 1, command: words, status: 'error', data: null })
      expect(categories[output.error.category as keyof typeof categories].exit).toBe(way.code)
      for (const text of [people?.stderr ?? '', programs.stdout, programs.stderr]) {
        expect(text).not.toContain('matrixSecret')
        expect(text).not.toMatch(/\n +at /)
      }
    },
  )

  test('describes itself: a summary, examples that name it, a schema, its exit codes', async () => {
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/)
    const examples = (command.examples ?? []).map((example) =>
      typeof example === 'string' ? example : example.command,
    )
    expect(examples.length).toBeGreaterThan(0)
    expect(examples.some((example) => example.includes(`countroom ${words}`))).toBe(true)
    for (const name of command.exits ?? []) expect(Object.keys(categories)).toContain(name)
    const loaded = await classOf(command.id)
    expect(loaded.prototype).toBeInstanceOf(CountroomCommand)
    expect(loaded.strict, 'takes no more words than it names').toBe(true)
    expect(await resultSchema(loaded)).toBeDefined()
  })

  test('has the global flags in the manifest, so that help and completion show them', () => {
    expect(Object.keys(command.flags)).toEqual(
      expect.arrayContaining(['json', 'profile', 'timeout', 'quiet', 'verbose']),
    )
  })

  test('has --dry-run if it writes, and takes no secret as the value of a flag', () => {
    if (command.writes) expect(Object.keys(command.flags)).toContain('dry-run')
    const taking = Object.values(command.flags).filter(
      ({ type, name }) => type === 'option' && /secret|password|token|api-?key/i.test(name),
    )
    for (const { name } of taking) expect(name).toMatch(/-file$/)
  })

  test('has help by -h, --help and help, with its exit codes', async () => {
    // All three ways print the same page, by the same code: some commands are called in all of them.
    const ways = [
      [...words.split(' '), '--help'],
      [...words.split(' '), '-h'],
      ['help', ...words.split(' ')],
    ]
    const pages = await Promise.all(ways.slice(0, index % 5 === 0 ? 3 : 1).map((way) => run(way)))
    for (const page of pages) expect(page).toEqual({ ...pages[0], code: 0, stderr: '' })
    const text = pages[0]?.stdout ?? ''
    expect(text.indexOf('EXAMPLES')).toBeLessThan(text.indexOf('USAGE'))
    expect(text).toMatch(/EXIT CODES[\s\S]*ENVIRONMENT[\s\S]*FILES/)
  })
})

/**
 * A platform that refuses every request in one way. Temporary refusals require a wait above every limit, so that no run
 * waits.
 */
interface Refusal {
  readonly name: string
  readonly exit: number
  readonly status: number
  /** The code in the format of each API; absent if the body does not come from the API. */
  readonly code?: { readonly casino: string; readonly others: string }
}

const same = (code: string) => ({ casino: code, others: code })
const refusals: readonly Refusal[] = [
  { name: '401', exit: 4, status: 401, code: { casino: 'UNAUTHORIZED', others: 'INVALID_API_KEY' } },
  { name: '403', exit: 4, status: 403, code: { casino: 'IP_NOT_ALLOWED', others: 'FORBIDDEN' } },
  { name: '404', exit: 5, status: 404, code: same('NOT_FOUND') },
  { name: '409', exit: 6, status: 409, code: { casino: 'ACCOUNT_LOCKED', others: 'CONFLICT' } },
  { name: '422', exit: 2, status: 422, code: same('INVALID_PARAMETER') },
  { name: '429', exit: 7, status: 429, code: same('RATE_LIMITED') },
  { name: '500', exit: 7, status: 500, code: same('INTERNAL_ERROR') },
  { name: '503 from the edge', exit: 7, status: 503 },
  { name: '502 from the edge', exit: 7, status: 502 },
]

/** Commands that run until they are stopped, and commands that call no platform. */
const isAsking = ({ id }: CommandEntry) =>
  !/(^|:)(serve|listen|demo)$/.test(id) && !/^(console|sim|config|completion|schema)(:|$)/.test(id)
const asking = commands.filter(isAsking)

/** A book that was read past the day of the commands, with a slip of it. */
const bookFile = join(aHomeHere().folder, 'book.db')
beforeAll(async () => {
  const caughtUpAt = Date.UTC(2026, 2, 3)
  const book = await openBook(bookFile, () => caughtUpAt)
  const times = { placedAt: '2026-03-01T11:59:30.000Z', settledAt: '2026-03-01T12:00:00.000Z' }
  await writeRows(book, [toRow(aRecord({ ...times }), 1)])
  await book.store.write(async ({ q }) => {
    await q
      .insertInto('book_owner')
      .values({ id: 'owner', company_code: 'DEMO-SBX', environment: 'sandbox', timezone: 'UTC' })
      .execute()
    const position = { cursor: '202603.1', started_from: 0, caught_up_at: caughtUpAt, rows: 1, ahead_ms: null }
    await q
      .insertInto('book_position')
      .values({ id: 'bets', ...position })
      .execute()
  })
  await book.close()
})

const eachRefusal = 1
const requestingCommands = new Set<string>()

describe.each(asking.map((command, index) => [command.id.replaceAll(':', ' '), command, index] as const))(
  '%s, refused by the platform',
  (words, command, index) => {
    const own = Array.from({ length: eachRefusal }, (_, i) => refusals[(index * eachRefusal + i) % refusals.length])
    test.concurrent.each(own.flatMap((refusal) => (refusal ? [[refusal.name, refusal] as const] : [])))(
      'with %s, exits in its class with and without --json',
      async (_name, refusal) => {
        const [people, programs] = await Promise.all([
          refused(command, refusal, []),
          refused(command, refusal, ['--json']),
        ])
        const output = envelopeOf(programs.result)
        expect(people.result.code, `${words}: ${programs.result.stdout}`).toBe(programs.result.code)
        expect(people.result.code, people.result.stderr).not.toBe(1)
        for (const { result } of [people, programs]) expect(result.stdout + result.stderr).not.toContain('matrixSecret')
        if (programs.hits === 0 || examining.has(command.id)) return
        requestingCommands.add(command.id)
        expect(categories[output.error.category as keyof typeof categories].exit).toBe(programs.result.code)
        // Money that may have moved is never called a temporary failure.
        const mayEnd = [refusal.exit, ...(command.exits?.includes('unknown-outcome') ? [10] : [])]
        expect(mayEnd, `${words}: ${people.result.stderr}`).toContain(programs.result.code)
        // The outcome of a transfer has our own code, for any last response.
        if (refusal.code && programs.result.code === refusal.exit) expect(output.error.remoteCode).not.toBeNull()
      },
    )
  },
)

/** Runs a command against a platform that refuses every request in one way. */
async function refused(command: CommandEntry, refusal: Refusal, more: readonly string[]) {
  const home = aHomeHere()
  let hits = 0
  const server = createServer((request, reply) => {
    hits += 1
    if (refusal.code === undefined)
      return void reply
        .writeHead(refusal.status, { 'content-type': 'text/html', 'retry-after': '86400' })
        .end('<html>edge</html>')
    const isCasino = (request.url ?? '').startsWith('/api/tenant/')
    const [code, message] = [isCasino ? refusal.code.casino : refusal.code.others, 'refused by the matrix']
    const bodies = {
      casino: { ok: false, error: { code, message } },
      chat: { error: { code, message, details: [], requestId: 'r-1' } },
      gateway: { status: false, statusCode: refusal.status, code, message },
    }
    const isChat = (request.url ?? '').startsWith('/api/public/')
    reply
      .writeHead(refusal.status, { 'content-type': 'application/json', 'retry-after': '86400' })
      .end(JSON.stringify(isCasino ? bodies.casino : isChat ? bodies.chat : bodies.gateway))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const key = { baseUrl, apiKey: secret }
    const profile = {
      kind: 'remote',
      environment: 'sandbox',
      casino: { ...key, companyCode: 'DEMO-SBX', timezone: 'UTC', secret: 'matrixSecret-casino' },
      // With its user's password; otherwise a command that moves money would exit before its request.
      gateway: { ...key, email: 'm@shop.example', password: 'matrixSecret-gateway' },
      chat: key,
    }
    home.write('config/countroom/profiles/remote.json', JSON.stringify(profile))
    const args = [...command.id.split(':'), ...optimalAction(command, { name: 'remote' }), ...more]
    // A command that reads the platform for a book exits before the request if there is no book.
    const book = join(home.folder, 'book.db')
    if (command.id === 'book:repair') copyFileSync(bookFile, book)
    const result = await run(args, { home, env: { COUNTROOM_PROFILE: 'remote', COUNTROOM_BOOK: book } })
    return { result, hits }
  } finally {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

test('the commands of the casino are among those that sent requests', () => {
  for (const id of [
    'account:show',
    'bets:sync',
    'book:repair',
    'launch',
    'players:lock',
    'reconcile:billing',
    'wallet:deposit',
  ])
    expect([...requestingCommands]).toContain(id)
})

test('every command line in an example is valid', () => {
  const program = programWith(commands)
  const lines = commands.flatMap(({ examples = [] }) =>
    examples.map((example) => (typeof example === 'string' ? example : example.command)),
  )
  for (const line of lines) {
    const [, call] = /countroom ([^|)>]*)/.exec(line) ?? []
    expect(findCommand(program, (call ?? '').trim().split(' ')), line).toMatchObject({ kind: 'command' })
  }
})

test.each([
  [['walet', 'depsit', 'amy', '100', 'USD'], 'walet depsit amy'],
  [['profiles', 'lst'], 'profiles lst'],
])('an unknown command runs nothing and exits with 127: %j', async (words) => {
  const home = aHome()
  const people = await run(words, { home })
  const programs = await run([...words, '--json'], { home })
  expect([people.code, programs.code, people.stdout]).toEqual([127, 127, ''])
  expect(envelopeOf(programs).error).toMatchObject({ code: 'UNKNOWN_COMMAND', category: 'unknown-command' })
  expect(existsSync(home.config)).toBe(false)
})
