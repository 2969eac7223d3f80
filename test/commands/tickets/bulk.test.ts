import type { ChildProcess } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { signed } from '../../../src/http/client/sign.ts'
import { keyInHeader } from '../../../src/http/client/signers.ts'
import { chatCredentials } from '../../../src/services/chat/admin.ts'
import { chat as chatContract } from '../../../src/services/chat/api/contract.ts'
import { postgres } from '../../support/databases/engines.ts'
import { postgresUrl } from '../../support/databases/postgres.ts'
import { run, runJson } from '../../support/program/cli.ts'
import { bareChat, bareHome, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'
import { faultyProxy, type Served } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

async function botOf({ world }: Served) {
  const keys = await chatCredentials(world.chat, 'DEMO')
  return createClient(chatContract, signed(inProcess(world.server), keyInHeader('x-chat-apikey', keys?.apiKey ?? '')))
}

/** A served helpdesk with this number of open tickets. */
async function aHelpdesk(count: number) {
  const served = await servedChat()
  const bot = await botOf(served)
  for (let i = 1; i <= count; i++)
    await bot.createTicket({ body: { title: `Matter ${i}`, customerAccount: `c${i}`, priority: (i % 4) + 1 } })
  return { served, bot, home: await remoteHelpdesk(served) }
}

describe('bulk', () => {
  test('rejects an empty filter', async () => {
    const { bot, home } = await aHelpdesk(1)
    for (const filter of ['', '   ', 'id=,']) {
      const { code, error } = await runJson(
        ['tickets', 'bulk', '--filter', filter, ...words('--status closed --apply --yes')],
        { home },
      )
      expect([filter, code, error.code]).toEqual([filter, 2, 'INVALID_USAGE'])
    }
    const ids = await runJson(words('tickets bulk --filter id=1,../x,#2,a/b --status closed --apply'), { home })
    expect([ids.code, ids.error.details['ids']]).toEqual([2, ['../x', 'a/b']])
    expect((await bot.ticket({ params: { ticketId: '1' } })).status).toBe('open')
  })

  test('is a preview until --apply, then changes the tickets; a repeat has nothing to do', async () => {
    const { bot, home } = await aHelpdesk(6)
    const order = words('tickets bulk --filter priority=high,urgent --status resolved --comment Done')
    const preview = await runJson(order, { home })
    expect(preview.data).toMatchObject({ applied: false, counts: { tickets: 3, applied: 0 } })
    expect((await bot.tickets({ query: { status: 'resolved' } })).total).toBe(0)
    const done = await runJson([...order, '--apply'], { home })
    expect(done).toMatchObject({ code: 0, data: { applied: true, resumed: false, counts: { tickets: 3, applied: 3 } } })
    const resolved = await bot.tickets({ query: { status: 'resolved' } })
    expect(resolved.items.map(({ priority, commentCount }) => [priority > 2, commentCount])).toEqual(
      Array(3).fill([true, 1]),
    )
    const again = await runJson([...order, '--apply'], { home })
    expect([again.code, again.data['counts']]).toMatchObject([0, { tickets: 0 }])
  })

  test('is logged line by line: agent, action, values before and after, and the request', async () => {
    const { bot, home } = await aHelpdesk(2)
    const order = words('tickets bulk --filter status=open --status resolved --comment Done --priority urgent --apply')
    const preview = await runJson(order.slice(0, -1), { home })
    expect(preview.data['audit']).toBeNull()
    const { data } = await runJson(order, { home })
    const file = String(data['audit'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { ticketId } = await bot.ticket({ params: { ticketId: '1' } })
    const ofFirst = lines.filter((line) => line.ticketId === ticketId)
    expect(ofFirst).toMatchObject([
      { action: 'priority', before: 2, after: 4 },
      { action: 'status', before: 'open', after: 'resolved' },
      { action: 'comment', before: null, after: { visibility: 'internal', content: 'Done' } },
    ])
    for (const line of lines)
      expect(line).toMatchObject({
        sessionId: data['planId'],
        command: 'tickets bulk',
        actor: 'Desk 1',
        ticketNumber: expect.any(Number),
        outcome: 'done',
        code: null,
        requestId: expect.stringMatching(/./),
      })
    // Status and comment were sent in one request, and the priority in another.
    expect(new Set(ofFirst.map(({ requestId }) => requestId)).size).toBe(2)
    const result = await run(words('tickets bulk --filter status=resolved --status open --apply'), { home })
    expect(result.stderr).toMatch(/Audit log: .*audit\/tickets-[0-9A-Z]{26}\.jsonl/)
  })

  test('IDs can come on stdin, and an invalid one is rejected with its line', async () => {
    const { home } = await aHelpdesk(4)
    const order = ['tickets', 'bulk', '--filter', 'id=- status=open', '--priority', 'urgent']
    const { data } = await runJson(order, { home, input: '#1\n2, 3\n' })
    const items = data['items'] as { ticketNumber: number }[]
    // The third one is already urgent.
    expect(items.map(({ ticketNumber }) => ticketNumber).sort()).toEqual([1, 2])
    const strange = await runJson(order, { home, input: '1 status=closed' })
    expect([strange.code, strange.error.message]).toEqual([2, expect.stringContaining('status=closed')])
    expect((await runJson(order, { home, input: '' })).code).toBe(2)
  })

  test('named tickets are selected in any status, and a skipped one is reported with the reason', async () => {
    const { bot, home } = await aHelpdesk(4)
    await run(words('tickets bulk --filter id=1 --snooze 2h --apply'), { home })
    await bot.setStatus({ params: { ticketId: '2' }, body: { status: 'closed' } })
    const order = (ids: string) => ['tickets', 'bulk', '--filter', ids, ...words('--status closed')]
    const named = await runJson(order('id=-'), { home, input: '#1 2 3 3 99' })
    expect([named.code, named.error.code, named.error.details['missing']]).toEqual([8, 'BATCH_PARTLY', ['99']])
    expect(named.data).toMatchObject({
      items: [{ ticketNumber: 3 }, { ticketNumber: 1 }],
      leftOut: [
        { ticketId: '99', ticketNumber: null, why: 'not-found' },
        { ticketNumber: 2, why: 'nothing-to-do', text: 'no change: already closed' },
      ],
    })
    const result = await run(order('id=2,4 status=closed'), { home })
    expect(result.stderr).toContain('Skipped: #4 (status is open), #2 (no change: already closed)')
    expect(result.stdout + result.stderr).not.toContain('No tickets match')
    const none = await runJson(order('id=98'), { home })
    expect([none.code, none.error.code, none.data['leftOut']]).toMatchObject([
      5,
      'TICKET_NOT_FOUND',
      [{ ticketId: '98' }],
    ])
    // Tickets that a filter skips without naming them are counted.
    const filtered = await run(words('tickets bulk --filter older=0s --status open'), { home })
    expect(filtered.stderr).toContain('Skipped 1 snoozed ticket.')
    expect(filtered.stderr).toContain('2 tickets need no change')
    const done = await runJson([...order('id=1,99'), '--apply'], { home })
    expect([done.code, done.data['counts']]).toMatchObject([8, { applied: 1 }])
    expect((await bot.ticket({ params: { ticketId: '1' } })).status).toBe('closed')
  })

  test('stays within the rate limit of a key, reads and writes together', async () => {
    const served = await servedChat({ rateLimits: true })
    const bot = await botOf(served)
    for (let i = 1; i <= 97; i++) await bot.createTicket({ body: { title: `Matter ${i}` } })
    const home = await remoteHelpdesk(served)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    // Each is read individually and then changed: twice as many requests as the burst allows.
    const ids = Array.from({ length: 97 }, (_, i) => i + 1).join(',')
    const { code, stderr } = await run(words(`tickets bulk --filter id=${ids} --status resolved --apply`), { home })
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/\b429\b/)])
    expect((await bot.tickets({ query: { status: 'resolved' } })).total).toBe(97)
  })

  test('the most urgent are processed first, and the number of tickets can be limited', async () => {
    const { home } = await aHelpdesk(8)
    const { data } = await runJson(words('tickets bulk --filter needs-reply --status closed --limit 3'), { home })
    expect((data['items'] as { ticketNumber: number }[]).map(({ ticketNumber }) => ticketNumber)).toEqual([3, 7, 2])
  })

  test('assignee, priority and snooze are set through the agent API', async () => {
    const { bot, home } = await aHelpdesk(1)
    const wrong = await runJson(['tickets', 'bulk', '--filter', 'id=1', '--assign', 'Dsk 1'], { home })
    expect([wrong.code, wrong.error.code, wrong.error.details['nearest']]).toEqual([5, 'AGENT_NOT_FOUND', 'Desk 1'])
    const order = words('tickets bulk --filter id=1 --priority urgent --snooze 2h --apply --assign')
    const preview = await run([...words('tickets bulk --filter id=1 --assign'), 'desk 1'], { home })
    expect(preview.stdout).toMatch(/to Desk 1$/m)
    const done = await runJson([...order, 'desk 1'], { home })
    expect(done.code).toBe(0)
    const ticket = await bot.ticket({ params: { ticketId: '1' } })
    expect(ticket).toMatchObject({ priority: 4, assignee: { displayName: 'Desk 1' } })
    expect(ticket.snoozedUntil).not.toBeNull()
    // A filter names agents like an action does; a typo does not select an empty list.
    const of = (agent: string) => ['tickets', 'bulk', '--filter', `snoozed assignee="${agent}"`, '--priority', 'low']
    expect((await runJson(of('desk 1'), { home })).data['counts']).toMatchObject({ tickets: 1 })
    expect((await runJson(of('none'), { home })).data['counts']).toMatchObject({ tickets: 0 })
    const slip = await runJson(of('Dsk 1'), { home })
    expect([slip.code, slip.error.code, slip.error.message]).toEqual([
      5,
      'AGENT_NOT_FOUND',
      expect.stringContaining('did you mean Desk 1?'),
    ])
  })

  test('an impossible action is rejected completely', async () => {
    const { bot, home } = await aHelpdesk(2)
    for (const [line, code] of [
      ['tickets bulk --filter status=opne --status resolved --apply', 'INVALID_STATUS'],
      ['tickets bulk --filter status=open --status reslved --apply', 'INVALID_STATUS'],
      ['tickets bulk --filter stale=soon --status resolved --apply', 'INVALID_USAGE'],
      ['tickets bulk --filter form=genral --status resolved --apply', 'INVALID_USAGE'],
      ['tickets bulk --filter status=open --apply', 'INVALID_USAGE'],
    ] as const) {
      const refused = await runJson(words(line), { home })
      expect([line, refused.code, refused.error.code]).toEqual([line, 2, code])
    }
    expect((await bot.tickets({ query: {} })).items.every(({ version }) => version === 1)).toBe(true)
  })

  test('a public comment is shown and confirmed, with --apply', async () => {
    const { bot, home } = await aHelpdesk(1)
    const order = words('tickets bulk --filter status=open --public --apply --comment')
    expect((await runJson([...order, 'Hello'], { home })).error.code).toBe('CONFIRMATION_NEEDED')
    expect((await runJson([...order, 'Hi @boss', '--yes'], { home })).error.code).toBe('GUARDED')
    expect((await runJson([...order, 'Hello', '--yes'], { home })).code).toBe(0)
    expect((await bot.ticket({ params: { ticketId: '1' } })).comments).toMatchObject([{ visibility: 'public' }])
  })
})

describe('a plan in a file', () => {
  test('skips tickets that changed since it was created, and makes each change once', async () => {
    const { bot, home } = await aHelpdesk(3)
    const file = join(home.folder, 'plan.json')
    await runJson([...words('tickets bulk --filter status=open --status resolved --comment Done --out'), file], {
      home,
    })
    const kept = await runJson([...words('tickets bulk --filter status=open --status resolved --out'), file], { home })
    expect([kept.code, kept.error.code]).toEqual([6, 'FILE_EXISTS'])
    await bot.comment({ params: { ticketId: '2' }, body: { content: 'Wait' } })
    const first = await runJson(['tickets', 'apply', file], { home })
    expect(first).toMatchObject({ code: 8, data: { counts: { applied: 2, conflict: 1 } } })
    const second = await runJson(['tickets', 'apply', file], { home })
    expect(second.data).toMatchObject({ resumed: true, counts: { conflict: 1 } })
    const all = await bot.tickets({ query: { sort: 'createdAt' } })
    expect(all.items.map(({ status, commentCount }) => [status, commentCount])).toEqual([
      ['resolved', 1],
      ['open', 1],
      ['resolved', 1],
    ])
  })

  test('that was edited is rejected', async () => {
    const { home } = await aHelpdesk(1)
    const file = join(home.folder, 'plan.json')
    await runJson([...words('tickets bulk --filter status=open --comment Done --out'), file], { home })
    const plan = readFileSync(file, 'utf8')
    writeFileSync(file, plan.replace('"kind": "comment"', '"kind": "delete"'))
    expect((await runJson(['tickets', 'apply', file], { home })).error.code).toBe('INVALID_FILE')
    writeFileSync(file, plan)
    await runJson(['tickets', 'apply', file], { home })
    writeFileSync(file, plan.replaceAll('Done', 'Other'))
    expect((await runJson(['tickets', 'apply', file], { home })).code).toBe(6)
  })
})

describe('on an instance without idempotency keys', () => {
  test('an assignee without tickets is reported as unknown, since the instance lists no agents', async () => {
    const home = await bareHome(await bareChat(2))
    const { code, warnings } = await runJson(words('tickets bulk --filter assignee=Ann --comment Hello'), { home })
    expect([code, warnings]).toEqual([0, [expect.stringContaining('No ticket is assigned to Ann')]])
  })

  test('a comment whose response was lost is looked up and not written again', async () => {
    const bare = await bareChat(5)
    const home = await bareHome(bare)
    bare.breakAfterComments = 2
    const order = words('tickets bulk --filter status=open --comment Hello --apply')
    const first = await runJson(order, { home })
    expect(first).toMatchObject({
      code: 10,
      data: { counts: { applied: 4, failed: 0, unknown: 1 } },
      error: {
        code: 'OUTCOME_UNKNOWN',
        retryable: false,
        message: expect.stringContaining('Run the same command again'),
      },
    })
    expect((first.data['items'] as { outcome: string }[]).map(({ outcome }) => outcome)).toContain('unknown')
    const second = await runJson(order, { home })
    expect(second).toMatchObject({ code: 0, data: { resumed: true, counts: { applied: 5 } } })
    expect(bare.tickets.map(({ comments }) => comments.length)).toEqual([1, 1, 1, 1, 1])
  })

  test('a status whose response was lost is found done, logged, and can be undone', async () => {
    const bare = await bareChat(1)
    const home = await bareHome(bare)
    let child: ChildProcess | undefined
    bare.onStatus = () => {
      bare.onStatus = () => {}
      child?.kill('SIGKILL')
    }
    const order = words('tickets bulk --filter status=open --status resolved --apply')
    const killed = await run(order, { home, started: (process) => (child = process) })
    expect([killed.code === 0, bare.tickets[0]?.status]).toEqual([false, 'resolved'])
    const { data } = await runJson(order, { home })
    expect(data).toMatchObject({ resumed: true, counts: { applied: 1 } })
    const [line] = readFileSync(String(data['audit']), 'utf8').trimEnd().split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({
      action: 'status',
      before: 'open',
      after: 'resolved',
      outcome: 'found',
    })
    await runJson([...words('tickets undo --apply --session'), String(data['planId'])], { home })
    expect(bare.tickets[0]?.status).toBe('open')
  })

  test('killed at any comment, the same command continues and writes each once', async () => {
    const bare = await bareChat(12)
    const home = await bareHome(bare)
    const order = words('tickets bulk --filter status=open --comment Hello --status resolved --apply')
    let child: ChildProcess | undefined
    let left = 3
    bare.onComment = () => {
      if (--left === 0) {
        left = 3
        child?.kill('SIGKILL')
      }
    }
    let result = await run(order, { home, started: (process) => (child = process) })
    for (let i = 0; i < 20 && result.code !== 0; i++) {
      child = undefined
      result = await run(order, { home, started: (process) => (child = process) })
    }
    expect(result.code).toBe(0)
    expect(bare.tickets.map(({ status, comments }) => [status, comments.length])).toEqual(
      Array(12).fill(['resolved', 1]),
    )
  })

  test('if comments are not readable, a lost response is left to a person', async () => {
    const bare = await bareChat(2)
    const home = await bareHome(bare)
    bare.showsComments = false
    bare.breakOn = 'T1'
    const order = words('tickets bulk --filter id=T1,T2,T9 --comment Hello --apply')
    // Each run reports the named tickets that do not exist, and the ticket that a person has to check.
    const seen: unknown[] = []
    for (let i = 0; i < 2; i++) {
      const { code, data, error, warnings } = await runJson(order, { home })
      seen.push([
        code,
        data['resumed'],
        (data['items'] as { code: string }[]).map((item) => item.code),
        data['leftOut'],
      ])
      expect(warnings).toContainEqual(expect.stringContaining('Skipped: T9 (not found)'))
      if (i === 1)
        expect([error.message, error.details['unseen']]).toEqual([
          expect.stringContaining('check by hand whether the comment exists on: T1.'),
          ['T1'],
        ])
    }
    const missing = [expect.objectContaining({ ticketId: 'T9', why: 'not-found' })]
    expect(seen).toEqual([
      [10, false, ['REMOTE_LOST', null], missing],
      [10, true, ['CANNOT_CONCLUDE', null], missing],
    ])
    expect(bare.tickets.map(({ comments }) => comments.length)).toEqual([1, 1])
    // After the check the comment exists. Only the missing named tickets are left to report.
    bare.showsComments = true
    expect(await runJson([...order, '--new'], { home })).toMatchObject({
      code: 8,
      error: { details: { missing: ['T9'] } },
    })
  })

  test('a resumed bulk action reports named tickets that do not exist', async () => {
    const bare = await bareChat(1)
    const home = await bareHome(bare)
    bare.breakOn = 'T1'
    const order = words('tickets bulk --filter id=T1,T9 --comment Hello --apply')
    expect((await runJson(order, { home })).code).toBe(10)
    expect(await runJson(order, { home })).toMatchObject({
      code: 8,
      data: { resumed: true, counts: { applied: 1 } },
      error: { message: 'Not found: ticket T9', details: { missing: ['T9'] } },
    })
  })
})

test('a run that loses its lock starts no more changes, and the next run continues', async () => {
  const { served, bot } = await aHelpdesk(40)
  const proxy = await faultyProxy(served.url)
  const { url = '' } = await postgres.database()
  const bare = await remoteHelpdesk(served, proxy.url)
  const home = { ...bare, env: { ...bare.env, COUNTROOM_BOOK: url } }
  const key = `countroom lock ${new URL(url).searchParams.get('schema')} tickets`
  /** Ends the session that holds the lock, as a lost connection does. */
  const loseLock = async () => {
    const client = new pg.Client(await postgresUrl(inject('postgresDoor')))
    await client.connect()
    const held = "locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)"
    const ended = await client.query(`select pg_terminate_backend(pid, 5000) from pg_locks where ${held}`, [key])
    await client.end()
    return ended.rowCount
  }
  let lost: Promise<number | null> | undefined
  proxy.afterward(async (path) => {
    if (!path.endsWith('/comments')) return
    lost ??= loseLock()
    await lost
  })
  const order = words('tickets bulk --filter status=open --comment Noted --apply')
  const cut = await runJson(order, { home })
  expect(await lost).toBe(1)
  expect([cut.code, cut.error.code]).toEqual([7, 'LOCK_LOST'])
  const commented = async () =>
    (await bot.tickets({ query: { pageSize: 100 } })).items.map(({ commentCount }) => commentCount)
  expect(await commented()).toContain(0)
  const rest = await runJson(order, { home })
  expect([rest.code, rest.data['resumed']]).toEqual([0, true])
  expect(await commented()).toEqual(Array(40).fill(1))
})
