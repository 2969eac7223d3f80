import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatDemoCredentials } from '../../src/services/chat/server/demo-data.ts'
import { type Home, run, runJson } from '../support/program/cli.ts'
import {
  bareChat,
  bareHome,
  homeOf,
  localHelpdesk,
  rated,
  remoteHelpdesk,
  servedChat,
} from '../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

/** The same commands, through a socket and in this process. */
const setups = [
  ['on the local database', localHelpdesk],
  ['at a remote address', async () => remoteHelpdesk(await servedChat())],
] as const

async function aRoom(home: Home, account = 'amy'): Promise<string> {
  const { data } = await runJson([...words(`rooms open ${account} --message`), 'Where is my deposit?'], { home })
  return String(data['roomId'])
}

describe.each(setups)('%s', (_name, setUp) => {
  test('a room is opened once, answered, assigned, read and closed', async () => {
    const home = await setUp()
    const roomId = await aRoom(home)
    expect((await runJson(words('rooms open amy'), { home })).data).toMatchObject({ roomId, created: false })
    const wrong = await runJson(['rooms', 'list', '--assignee', 'Dsk 1'], { home })
    expect([wrong.code, wrong.error.code, wrong.error.details['nearest']]).toEqual([5, 'AGENT_NOT_FOUND', 'Desk 1'])
    expect((await runJson(['rooms', 'list', '--assignee', 'desk 1'], { home })).data).toMatchObject({ total: 0 })
    const listed = await runJson(words('rooms list --unread --assignee none'), { home })
    expect(listed.data).toMatchObject({ total: 1, rooms: [{ roomId, agentUnreadCount: 1 }] })
    for (const [waiting, total] of [
      ['0s', 1],
      ['1h', 0],
    ])
      expect((await runJson(['rooms', 'list', '--waiting', String(waiting)], { home })).data).toMatchObject({ total })
    const refusal = await runJson(['rooms', 'reply', roomId, 'We look into it'], { home })
    expect([refusal.code, refusal.error.code]).toEqual([3, 'CONFIRMATION_NEEDED'])
    await runJson(['rooms', 'reply', roomId, 'We look into it', '--yes', '--client-id', 'm-1'], { home })
    const again = await runJson(['rooms', 'reply', roomId, 'We look into it', '--yes', '--client-id', 'm-1'], { home })
    expect(again.data).toMatchObject({ duplicate: true, message: { seq: 2 } })
    expect((await runJson(['rooms', 'assign', roomId, 'me'], { home })).data).toMatchObject({
      room: { assignee: { displayName: 'Desk 1' }, agentUnreadCount: 0 },
    })
    await runJson(['rooms', 'say', roomId, 'Thank you', '--client-id', 'c-1'], { home })
    await runJson(['rooms', 'say', roomId, 'Thank you', '--client-id', 'c-1'], { home })
    const shown = await runJson(['rooms', 'show', roomId, '--last', '2'], { home })
    expect(shown.data).toMatchObject({
      room: { agentUnreadCount: 1 },
      messages: [{ text: 'We look into it' }, { text: 'Thank you', clientMessageId: 'c-1' }],
    })
    expect((await runJson(['rooms', 'read', roomId], { home })).data).toMatchObject({ room: { agentUnreadCount: 0 } })
    expect((await runJson(['rooms', 'close', roomId], { home })).data).toMatchObject({ room: { status: 'closed' } })
    const messages = await runJson(['rooms', 'messages', roomId], { home })
    expect((messages.data['messages'] as object[])[0]).toMatchObject({ seq: 1, text: 'Where is my deposit?' })
    // People read it as a conversation; programs and spreadsheets get the same format as before.
    const talk = await run(['rooms', 'messages', roomId], { home })
    expect(talk.stdout).toMatch(
      /^\d{4}-\d\d-\d\d \(UTC\)\n\d\d:\d\d {2}customer amy #1\n {7}Where is my deposit\?\n\d\d:\d\d {2}agent Desk 1 #2\n/,
    )
    const sheet = await run(['rooms', 'messages', roomId, '--csv'], { home })
    expect(sheet.stdout).toMatch(/^seq,createdAt,senderType,senderDisplayName,text,clientMessageId\n1,/)
  })
})

test('a reply that misses an unseen message is rejected, and an internal text is blocked', async () => {
  const home = await localHelpdesk()
  const roomId = await aRoom(home)
  const past = await runJson(['rooms', 'reply', roomId, 'Hello', '--yes', '--after-seq', '0'], { home })
  expect([past.code, past.error.code]).toEqual([6, 'STALE_ROOM'])
  const guarded = await runJson(['rooms', 'reply', roomId, 'Dear [name]', '--yes'], { home })
  expect([guarded.code, guarded.error.code]).toEqual([3, 'GUARDED'])
})

test('a dry run shows each request and changes nothing', async () => {
  const home = await localHelpdesk()
  const roomId = await aRoom(home)
  for (const words of [
    ['rooms', 'open', 'bob'],
    ['rooms', 'say', roomId, 'x'],
    ['rooms', 'reply', roomId, 'x'],
    ['rooms', 'assign', roomId, 'me'],
    ['rooms', 'read', roomId],
    ['rooms', 'close', roomId],
  ])
    expect((await runJson([...words, '--dry-run'], { home })).data).toMatchObject({ request: { method: 'POST' } })
  const { data } = await runJson(words('rooms list'), { home })
  expect(data).toMatchObject({ total: 1, rooms: [{ status: 'open', agentUnreadCount: 1, assignee: null, lastSeq: 1 }] })
})

test('a rated conversation has its rating in the list, which otherwise has no such column', async () => {
  const instance = await servedChat()
  const home = await remoteHelpdesk(instance)
  const roomId = await aRoom(home)
  expect((await run(words('rooms list'), { home })).stdout).not.toContain('rating')
  await run(['rooms', 'close', roomId], { home })
  await rated(instance.world, roomId, 4)
  expect((await run(words('rooms list'), { home })).stdout).toMatch(/ rating .*\n.* closed .* 4 /)
  const csv = await run(words('rooms list --csv --columns roomId,rating.score,rating.comment'), { home })
  expect(csv.stdout).toBe(`roomId,rating.score,rating.comment\n${roomId},4,\n`)
})

test('an empty ID is a usage error', async () => {
  const home = await localHelpdesk()
  const { code, error } = await runJson(['rooms', 'say', '', 'x'], { home })
  expect([code, error.code]).toEqual([2, 'INVALID_USAGE'])
})

test('a malformed ID is rejected locally and named; an unknown one is not found', async () => {
  const { world, url } = await servedChat()
  const keys = await chatDemoCredentials(world.chat)
  // No server is listening: a refusal here has sent no request.
  const away = await homeOf({ baseUrl: 'http://127.0.0.1:9', chat: keys })
  const strange = ['../x', '', 'a/b', 'x'.repeat(200), '..', 'a b']
  const calls = ['tickets show', 'rooms show', 'rooms messages', 'tickets watch --ticket', 'media fetch'].map(words)
  for (const [i, id] of strange.entries()) {
    const { code, error } = await runJson([...(calls[i % calls.length] ?? []), id], { home: away })
    expect([id, code, error.code]).toEqual([id, 2, 'INVALID_USAGE'])
    expect(error.message).toContain(JSON.stringify(id.slice(0, 60)).slice(0, -1))
  }
  const home = await homeOf({ baseUrl: url, chat: keys })
  for (const [line, like] of [
    ['tickets show abc', 'There is no ticket abc'],
    ['rooms messages abc', 'must be written like room_'],
    ['rooms show room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6', 'There is no room room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6'],
  ] as const) {
    const { code, error } = await runJson(words(line), { home })
    expect([line, code, error.message]).toEqual([line, 5, expect.stringContaining(like)])
  }
})

test('without an agent token agent commands are rejected before any request', async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  const { code, error } = await runJson(words('rooms list'), { home })
  expect([code, error.code, bare.seen]).toEqual([78, 'BAD_CONFIGURATION', []])
})

describe('watch', () => {
  /** Follows in a process of its own, runs the work once it listens, and returns the lines. */
  async function watched(home: Home, args: string[], work: () => Promise<unknown>, topic = 'rooms') {
    let isBegun = false
    let worked: Promise<unknown> = Promise.resolve()
    const result = await run([topic, 'watch', '--json', ...args], {
      home,
      watch: (_process: ChildProcess, printed) => {
        if (isBegun || !printed.includes('Listening')) return
        isBegun = true
        worked = work()
      },
    })
    await worked
    return {
      ...result,
      lines: result.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    }
  }

  test.each(setups)('prints each event as a line and ends with the usual object, %s', async (_name, setUp) => {
    const home = await setUp()
    const { code, lines } = await watched(home, ['--count', '2'], () => aRoom(home))
    expect(code).toBe(0)
    expect(lines.slice(0, -1).map(({ event }) => event)).toContain('message.created')
    expect(lines.at(-1)).toMatchObject({ command: 'rooms watch', status: 'ok', data: { events: 2 } })
  })

  test('of tickets only: each change once, over two runs, without other events', async () => {
    const home = await remoteHelpdesk(await servedChat())
    const file = join(home.folder, 'watch.cursor')
    const other = home.write('notes.txt', 'Call Amy.\n')
    for (const topic of ['tickets', 'rooms']) {
      const { code, error } = await runJson([topic, 'watch', '--count', '1', '--cursor', other], { home })
      expect([code, error.message]).toEqual([2, expect.stringContaining('is not a cursor file of a watch')])
    }
    expect(readFileSync(other, 'utf8')).toBe('Call Amy.\n')
    const first = await watched(
      home,
      ['--count', '1', '--cursor', file],
      async () => {
        await aRoom(home)
        await runJson(words('tickets create One --key k-1'), { home })
        await runJson(words('tickets create Two --key k-2'), { home })
      },
      'tickets',
    )
    expect(first.lines).toMatchObject([
      { event: 'ticket.updated', data: { ticketNumber: 1, status: 'open' } },
      { command: 'tickets watch', status: 'ok', data: { events: 1 } },
    ])
    await runJson(words('tickets status 1 resolved'), { home })
    const { stdout } = await run(words('tickets watch --json --count 1 --status resolved --cursor').concat(file), {
      home,
    })
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ data: { ticketNumber: 1, status: 'resolved' } })
    await runJson(words('tickets comment 2 Text'), { home })
    const last = await run(words('tickets watch --json --count 1 --cursor').concat(file), { home })
    expect(JSON.parse(last.stdout.split('\n')[0] ?? '')).toMatchObject({ data: { ticketNumber: 2 } })
  })

  test('continues from the cursor: every event once, also those in between', async () => {
    const home = await remoteHelpdesk(await servedChat())
    const file = join(home.folder, 'desk.cursor')
    let roomId = ''
    const first = await watched(home, ['--count', '1', '--cursor', file], async () => {
      roomId = await aRoom(home)
    })
    expect(first.code).toBe(0)
    const cursor = readFileSync(file, 'utf8').trim()
    for (const text of ['two', 'three'])
      expect(await runJson(['rooms', 'say', roomId, text], { home })).toMatchObject({ code: 0 })
    const { stdout } = await run(words('rooms watch --json --count 3 --cursor').concat(file), { home })
    const rest = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const ids = [...first.lines, ...rest].flatMap(({ id }) => (id === undefined ? [] : [id]))
    expect(new Set(ids).size).toBe(ids.length)
    expect(rest.some(({ id }) => id === cursor)).toBe(false)
    const texts = rest.flatMap(({ event, data }) => (event === 'message.created' ? [data.message.text] : []))
    expect(texts).toContain('two')
  })
})

describe.each(setups)('%s', (_name, setUp) => {
  test('no key of the chat appears in traces, logs and errors', async () => {
    const home = await setUp()
    const roomId = await aRoom(home)
    const loud = { home: { ...home, env: { ...home.env, COUNTROOM_LOG: 'debug' } } }
    const results = [
      await run(words('rooms list --verbose'), loud),
      await run(words('tickets list --verbose'), loud),
      await run(['rooms', 'reply', roomId, 'Hello', '--yes', '--verbose', '--dry-run'], loud),
      await run(words('rooms show room_01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --verbose'), loud),
    ]
    for (const { stdout, stderr } of results) {
      expect(stderr).toContain('/api/')
      expect(`${stdout}${stderr}`).not.toMatch(/\b(?:ck|cat)_[0-9A-Z]{26}_|\brt_[A-Za-z0-9_-]{20}/)
    }
  })
})
