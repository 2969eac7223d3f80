import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { triage } from '../../../src/cli/topics/tickets/triage/loop.ts'
import type { BulkAction, BulkItem } from '../../../src/domain/tickets/bulk-action.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { signed } from '../../../src/http/client/sign.ts'
import { keyInHeader } from '../../../src/http/client/signers.ts'
import type { Transport } from '../../../src/http/contract/wire-types.ts'
import { realAmbient } from '../../../src/kit/ambient.ts'
import { Problem } from '../../../src/kit/problem.ts'
import { type Book, openBook } from '../../../src/operator/book/book.ts'
import {
  latestDone,
  openBulkAction,
  orderOfSession,
  storeBulkAction,
} from '../../../src/operator/tickets/bulk-journal.ts'
import { openRoomsApi } from '../../../src/operator/tickets/rooms-api.ts'
import { openTicketsApi } from '../../../src/operator/tickets/tickets-api.ts'
import { chatCredentials, createAgent, generalForm, saveForm } from '../../../src/services/chat/admin.ts'
import { chat as chatContract } from '../../../src/services/chat/api/contract.ts'
import { type Home, noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { bareChat, bareHome, homeOf, rated, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

/** A served helpdesk with these tickets, all open. */
async function aHelpdesk(
  ...orders: { title: string; priority?: number; customerAccount?: string; description?: string }[]
) {
  const served = await servedChat()
  const keys = await chatCredentials(served.world.chat, 'DEMO')
  const transport = signed(inProcess(served.world.server), keyInHeader('x-chat-apikey', keys?.apiKey ?? ''))
  const bot = createClient(chatContract, transport)
  for (const body of orders) await bot.createTicket({ body })
  return {
    bot,
    transport,
    served,
    /** The same instance, with only the key of the bot API. */
    botHome: () => homeOf({ baseUrl: served.url, chat: { apiKey: keys?.apiKey } }),
    home: await remoteHelpdesk(served),
    statusOf: async (n: number) => (await bot.ticket({ params: { ticketId: String(n) } })).status,
  }
}

/** Triage on a terminal: the expected texts on the screen, and the keys typed after each. */
const sit = (home: Home, typed: readonly (readonly [string, string])[], line = 'tickets triage') =>
  runOnTerminal(words(line), typed, { home })

/** A book with a queue of these tickets in it. */
async function aQueue(tickets: readonly Pick<BulkItem, 'ticketId' | 'ticketNumber' | 'version' | 'status'>[]) {
  const book = await openBook(':memory:')
  onTestFinished(() => book.close())
  const items = tickets.map(({ ticketId, ticketNumber, version, status }) => ({
    ticketId,
    ticketNumber,
    version,
    status,
    actions: [],
  }))
  const queue: BulkAction = { planId: realAmbient().id(), madeAt: Date.now(), items }
  await storeBulkAction(book, queue, { kind: 'triage', target: 'here', order: '[]' })
  return { book, queue }
}

/** Runs triage in this process, with each key and line from `next`. */
function session(
  { book, queue }: { book: Book; queue: BulkAction },
  way: Transport,
  next: () => Promise<string | undefined>,
) {
  const ways = { bot: { once: way, retrying: way }, agent: undefined }
  const output: string[] = []
  const run = triage({
    ticketsApi: openTicketsApi(ways),
    rooms: openRoomsApi(ways),
    book,
    queue,
    target: 'here',
    keyboard: { key: next, line: next, keyWithin: async () => 'time' as const, close: () => {} },
    phrases: { macros: [], internalWords: [], file: null },
    stakes: () => null,
    actor: undefined,
    stop: new AbortController().signal,
    makeId: realAmbient().id,
    now: async () => Date.now(),
    print: (text) => output.push(text),
    width: () => 80,
    undoWindowMs: 0,
  })
  return { run, screen: () => output.join('\n') }
}

const three = [
  { title: 'First', priority: 1 },
  { title: 'Second', priority: 4 },
  { title: 'Third', priority: 3 },
] as const

describe('without a terminal', () => {
  test('the queue is printed in order with its reasons, and nothing changes', async () => {
    const { bot, home } = await aHelpdesk(...three, { title: 'Third one', customerAccount: 'amy' })
    const { data } = await runJson(words('tickets triage'), { home })
    const queue = data['queue'] as { title: string; score: number; reasons: { kind: string; points: number }[] }[]
    expect(queue.map(({ title }) => title)).toEqual(['Second', 'Third', 'Third one', 'First'])
    expect(queue.every(({ score, reasons }) => score === reasons.reduce((sum, { points }) => sum + points, 0))).toBe(
      true,
    )
    expect(data['session']).toBeNull()
    const titlesOf = async (line: string) =>
      ((await runJson(words(line), { home })).data['queue'] as { title: string }[]).map(({ title }) => title)
    expect(await titlesOf('tickets triage --needs-reply --unassigned --stale 1h')).toEqual([])
    await run(words('tickets bulk --filter id=2 --assign me --apply'), { home })
    await run(words('tickets bulk --filter id=3 --snooze 1h --apply'), { home })
    expect(await titlesOf('tickets triage --mine')).toEqual(['Second'])
    expect(await titlesOf('tickets triage --snoozed')).toEqual(['Third'])
    expect(await titlesOf('tickets triage --unassigned')).toEqual(['Third one', 'First'])
    expect((await runJson(words('tickets triage --resume'), { home })).code).toBe(2)
    const both = await runJson(words('tickets triage --mine --unassigned'), { home })
    expect(both.code).toBe(2)
    const { stdout } = await run(words('tickets triage --explain --status open --form general'), { home })
    expect(stdout).toMatch(/^ *75 +2 +open +urgent +Second +45 priority urgent, 30 the customer/m)
    expect((await bot.tickets({ query: { sort: 'createdAt' } })).items.map(({ version }) => version)).toEqual([
      1, 2, 2, 1,
    ])
  })

  test('an instance with few fields is ranked by the fields it has', async () => {
    const bare = await bareChat(2)
    const { data } = await runJson(words('tickets triage'), { home: await bareHome(bare) })
    expect(data['statuses']).toEqual(['open', 'pending'])
    expect(data['queue']).toMatchObject([{ ticketId: 'T1', reasons: [{ kind: 'priority' }] }, { ticketId: 'T2' }])
    expect(bare.tickets.every(({ status }) => status === 'open')).toBe(true)
  })

  test('a long queue begins with its counts, before the tickets are read', async () => {
    const bare = await bareChat(1_001)
    bare.tellsTotal = true
    const home = await bareHome(bare)
    const whole = await run(words('tickets triage --limit 2'), { home })
    const counts = '1,001 tickets to sort: open 1,001\n\n'
    expect([whole.code, whole.stdout.startsWith(counts), whole.stdout.match(/Matter/g)?.length]).toEqual([0, true, 2])
    // The instance stops responding in the middle of the list.
    const isPage = (call: string) => call === 'GET /api/public/v1/tickets'
    bare.seen.length = 0
    bare.refuses = (call) =>
      isPage(call) && bare.seen.filter(isPage).length > 10 ? { status: 403, retryAfter: 0 } : undefined
    expect(await run(words('tickets triage'), { home })).toMatchObject({ code: 4, stdout: counts })
    bare.seen.length = 0
    expect(await run(words('tickets triage --csv'), { home })).toMatchObject({ code: 4, stdout: '' })
  })
})

test('an interrupted session resumes at the next ticket', async () => {
  const { bot, statusOf, transport } = await aHelpdesk(...three)
  const tickets = (await bot.tickets({ query: {} })).items
  const { book, queue } = await aQueue(tickets)
  const typing = (keys: string[]) => async () => {
    const key = keys.shift()
    if (key === undefined) throw new Error('the power went')
    return key
  }
  await expect(session({ book, queue }, transport, typing(['s', '1'])).run).rejects.toThrow('the power went')
  const kept = await openBulkAction(book, { kind: 'triage', target: 'here', order: '[]' })
  expect(kept?.bulk.position).toBe(1)
  const { run, screen } = session({ book, queue: kept?.bulk ?? queue }, transport, typing(['n', 'q']))
  expect(await run).toMatchObject({ seen: 2, skipped: 1, left: 1 })
  expect(screen()).toContain(`2/3  #${tickets[1]?.ticketNumber}`)
  expect(await statusOf(tickets[0]?.ticketNumber ?? 0)).toBe('in_progress')
})

test('changes by others in the meantime are shown and not overwritten; tickets they finished are skipped', async () => {
  const { bot, transport } = await aHelpdesk({ title: 'Only' }, { title: 'Another' }, { title: 'Last' })
  const tickets = (await bot.tickets({ query: { sort: 'createdAt' } })).items
  const [first, second, last] = tickets.map(({ ticketId }) => ({ params: { ticketId } }))
  if (!first || !second || !last) throw new Error('no tickets')
  const queue = await aQueue(tickets)
  await bot.setStatus({ ...second, body: { status: 'resolved', actorDisplayName: 'Bea' } })
  await bot.comment({ ...last, body: { content: 'Mine', authorDisplayName: 'Bea' } })
  const keys = ['s', '1', 'n', 'q']
  const { run, screen } = session(queue, transport, async () => {
    // A colleague changes the ticket while a status is being selected.
    if (keys.length === 3) {
      await bot.setStatus({ ...first, body: { status: 'waiting_customer', actorDisplayName: 'Bea' } })
      await bot.comment({ ...first, body: { content: 'Asked her', authorDisplayName: 'Bea' } })
    }
    return keys.shift()
  })
  expect(await run).toMatchObject({ seen: 2, decided: 0, skipped: 1, left: 1 })
  expect(screen()).toContain('status: open → waiting_customer')
  expect(screen()).toContain('new internal comment by Bea: Asked her')
  expect(screen()).toContain('Changed since the queue was read: internal comment by Bea')
  expect(screen()).toContain('#2 was finished in the meantime and is skipped: status open → resolved by Bea.')
  expect(await bot.ticket(first)).toMatchObject({ status: 'waiting_customer' })
})

test('duplicates are searched ahead, so that the key responds at once and shows how many tickets were compared', async () => {
  const { bot, transport } = await aHelpdesk(
    { title: 'Jackpot of the pirates', customerAccount: 'bea' },
    ...Array.from({ length: 110 }, (_, i) => ({ title: `Deposit ${i}`, customerAccount: `c${i}` })),
    { title: 'Free spins', customerAccount: 'bob' },
    { title: 'Jackpot of the pirates', customerAccount: 'amy' },
  )
  const queue = await aQueue([await bot.ticket({ params: { ticketId: '113' } })])
  let lists = 0
  let underWay = 0
  const counting: Transport = (request) => {
    if (/\/tickets\?/.test(request.path)) lists++
    underWay++
    return transport(request).finally(() => underWay--)
  }
  const keys = ['d', 'q']
  let before = 0
  const { run, screen } = session(queue, counting, async () => {
    // Reading takes a person longer than the search, which is over when no more requests arrive.
    for (let still = 0; lists === 0 || still < 50; still = underWay === 0 ? still + 1 : 0) await nextTurn()
    before ||= lists
    return keys.shift()
  })
  await run
  expect(before).toBeGreaterThan(0)
  expect(before).toBeLessThanOrEqual(8)
  expect(lists).toBe(before)
  expect(screen()).toContain('#1  Jackpot of the pirates  (similar texts, 100 % alike)')
  expect(screen()).toMatch(/Searched \d+ of 112 other tickets \(.*"jackpot"/)
})

test('a duplicate whose second note was lost gets it at once or in the next session, and no note is written twice', async () => {
  const { bot, transport } = await aHelpdesk(
    { title: 'Deposit missing' },
    { title: 'Deposit is missing' },
    { title: 'Missing deposit' },
  )
  const tickets = (await bot.tickets({ query: { sort: 'createdAt' } })).items
  const queue = await aQueue(tickets.slice(1))
  let comments = 0
  let isAway = false
  const breaking: Transport = async (request) => {
    if (isAway) throw new Problem('REMOTE_LOST', 'The line is dead', { outcome: 'unknown' })
    const reply = await transport(request)
    // The status includes the first note; the one on the other ticket is written, and its response is lost.
    if (!request.path.endsWith('/comments')) return reply
    isAway = ++comments === 2
    throw new Problem('REMOTE_LOST', 'The line broke', { outcome: 'unknown' })
  }
  const typing = (keys: string[]) => async () => keys.shift()
  const first = session(queue, breaking, typing(['d', '1', 'one deposit', 'd', '1', 'and another']))
  await first.run
  expect(first.screen()).toContain('No response arrived; checking whether it was done.\n#2: ')
  expect(first.screen()).toContain('#1: note: Also reported as #2: one deposit')
  expect(first.screen()).toContain('Unknown whether #1 has the note: The line ')
  const again = session(queue, transport, typing(['q']))
  await again.run
  expect(again.screen()).toContain('had an unfinished decision: now done')
  const notes = async (ticketId: string) =>
    (await bot.ticket({ params: { ticketId } })).comments.map(({ content }) => content)
  expect(await notes('1')).toEqual(['Also reported as #2: one deposit', 'Also reported as #3: and another'])
  expect(await notes('2')).toEqual(['Duplicate of #1: one deposit'])
  expect(await notes('3')).toEqual(['Duplicate of #1: and another'])
})

describe.skipIf(noTerminal)('on a terminal', () => {
  test('one key each sets a status, adds a note or skips; after a quit the next run resumes at the same ticket', async () => {
    const { bot, home, statusOf } = await aHelpdesk(
      ...three.map((each) => ({
        ...each,
        description: Array.from({ length: 14 }, (_, i) => `Row ${i + 1}`).join('\n'),
      })),
    )
    const first = await sit(home, [
      ['2 more lines', 'x'],
      ['Row 14', 'c'],
      ['Note:', 'asked the bank\r'],
      ['internal comment by Desk 1: asked the bank', 's'],
      ['1 in_progress', '1'],
      ['Third', 'q'],
    ])
    expect(first.code).toBe(0)
    expect(await statusOf(2)).toBe('in_progress')
    expect((await bot.ticket({ params: { ticketId: '2' } })).comments).toMatchObject([{ content: 'asked the bank' }])
    const second = await sit(
      home,
      [
        ['2/3', 'n'],
        ['3/3', ' '],
      ],
      'tickets triage --resume',
    )
    expect(second.screen).toContain('Resuming the session')
    expect(second.screen).toContain('No more tickets.')
    const third = await sit(home, [], 'tickets triage --resume')
    expect(third.code).toBe(5)
    expect([await statusOf(1), await statusOf(3)]).toEqual(['open', 'open'])
  })

  test('a session left open delays only its own ticket', async () => {
    const { home: bare, statusOf } = await aHelpdesk(...three)
    const book = bare.write('book.db', '')
    const home = { ...bare, env: { ...bare.env, COUNTROOM_BOOK: book } }
    let terminal: ChildProcess | undefined
    const keys = [
      ['1/3', 's'],
      ['Status', '1'],
    ] as const
    const left = runOnTerminal(words('tickets triage'), keys, { home, started: (child) => (terminal = child) })
    await expect.poll(() => statusOf(2)).toBe('in_progress')

    // Timed work continues: bulk actions, files, undo.
    const order = 'tickets bulk --filter id=1 --priority high'
    const bulk = await runJson(words(`${order} --apply`), { home })
    expect([bulk.code, bulk.data['counts']]).toEqual([0, expect.objectContaining({ applied: 1 })])
    await run(words(`tickets bulk --filter id=3 --comment Noted --out plan.json`), { home })
    expect((await run(words('tickets apply plan.json'), { home })).code).toBe(0)
    const back = await runJson(words(`tickets undo --session ${bulk.data['planId']} --apply`), { home })
    expect([back.code, back.data['items']]).toEqual([0, [expect.objectContaining({ outcome: 'applied' })]])
    expect((await sit(home, [['1/3', 'q']], 'tickets triage --status open,in_progress')).code).toBe(0)

    // The queue, its decisions and their results belong to the agent at the terminal.
    const { data } = await runJson(words('tickets undo'), { home })
    const sessions = data['sessions'] as { sessionId: string; kind: string }[]
    const { sessionId = '' } = sessions.find(({ kind }) => kind === 'triage') ?? {}
    const opened = await openBook(book)
    const decided = await latestDone(opened, orderOfSession(sessionId))
    await opened.close()
    const second = await sit(home, [])
    expect([second.code, second.screen]).toEqual([
      75,
      expect.stringMatching(/held by process \d+ on \S+ \(tickets triage\)/),
    ])
    for (const line of [`tickets undo --session ${sessionId} --apply`, `tickets apply ${decided?.bulk.planId}`]) {
      const refused = await runJson(words(line), { home })
      expect([line, refused.code, refused.error.details['command']]).toEqual([line, 75, 'tickets triage'])
    }

    terminal?.stdin?.write('q')
    expect((await left).code).toBe(0)
    expect((await run(words(`tickets undo --session ${sessionId} --apply`), { home })).code).toBe(0)
    expect(await statusOf(2)).toBe('open')
  })

  test('u undoes a decision, also in the next run', async () => {
    const { home, statusOf } = await aHelpdesk(...three)
    await sit(home, [
      ['Second', 's'],
      ['1 in_progress', '1'],
      ['Third', 'u'],
      ['restored', 's'],
      ['1 in_progress', '2'],
      ['2/3', 'q'],
    ])
    expect(await statusOf(2)).toBe('waiting_customer')
    await sit(home, [
      ['2/3', 'u'],
      ['restored', 'q'],
    ])
    expect(await statusOf(2)).toBe('open')
  })

  test('a resolution without a reply requires a reason; a reply is shown, confirmed, and can be undone', async () => {
    const { bot, home, statusOf } = await aHelpdesk({ title: 'Only', customerAccount: 'amy' })
    await sit(home, [
      ['1/1', 'r'],
      ['Reply to the customer:', 'Hello Amy\r'],
      ['Press y to send', 'y'],
      ['Press any key to cancel', 'x'],
      ['Canceled', 'r'],
      ['Reply to the customer:', 'Ask @boss\r'],
      ['(Enter cancels)', '\r'],
      ['Nothing was done', 's'],
      ['3 resolved', '3'],
      ['Reason', 'spam\r'],
    ])
    expect(await statusOf(1)).toBe('resolved')
    expect((await bot.ticket({ params: { ticketId: '1' } })).comments).toMatchObject([
      { content: 'spam', visibility: 'internal' },
    ])
  })

  test('a ticket can be assigned to any agent, and the customer’s room is read and answered in place', async () => {
    const { bot, home, served } = await aHelpdesk()
    await createAgent(served.world.chat, 'DEMO', 'Night desk')
    const { roomId } = await bot.openRoom({ body: { customerAccount: 'amy', initialMessage: 'Where is it?' } })
    await bot.createTicket({ body: { title: 'Only', customerAccount: 'amy' } })
    const { screen } = await sit(home, [
      ['1/1', 'a'],
      ['1 me (Desk 1)  2 nobody  3 Night desk', '3'],
      ['assigned to Night desk', 'a'],
      ['Assign to: 1 me', '2'],
      ['unassigned', 'o'],
      ['customer amy #1', 'r'],
      ['Reply in the room:', 'ask @boss\r'],
      ['Enter cancels', 'y\r'],
      ['Nothing was done', 'o'],
      ['r replies', 'r'],
      ['Reply in the room:', 'On its way, says @boss\r'],
      ['Enter cancels', 'mention\r'],
      ['Press y to send', 'y'],
      ['Sent.', 'o'],
      ['agent Desk 1 #2', 'q'],
      ['Returned to the ticket', 'q'],
    ])
    const [file = ''] = /\S+tickets-[0-9A-Z]{26}\.jsonl/.exec(screen) ?? []
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['assign', 'done'],
      ['assign', 'done'],
      ['room', 'done'],
    ])
    expect(lines[2]).toMatchObject({
      after: { roomId, content: 'On its way, says @boss' },
      requestId: expect.any(String),
    })
    expect((await bot.messages({ params: { roomId }, query: {} })).items.map(({ text }) => text)).toEqual([
      'Where is it?',
      'On its way, says @boss',
    ])
    expect((await bot.ticket({ params: { ticketId: '1' } })).assignee).toBeNull()
    const undo = await runJson(words(`tickets undo --session ${lines[0].sessionId}`), { home })
    expect(undo.data['roomAnswers']).toMatchObject([{ ticketNumber: 1, roomId, content: 'On its way, says @boss' }])
    const result = await run(words(`tickets undo --session ${lines[0].sessionId}`), { home })
    expect(result.stderr).toContain(`Cannot undo the message in room ${roomId} about #1: On its way, says @boss`)

    await run(['rooms', 'close', roomId], { home })
    await rated(served.world, roomId, 2)
    await sit(home, [
      ['1/1', 'o'],
      ['closed, rated 2 of 5', 'q'],
      ['Returned to the ticket', 'q'],
    ])
  })

  test('without the agent API a room is read-only, and unavailable actions give the reason', async () => {
    const { bot, botHome } = await aHelpdesk()
    const { roomId } = await bot.openRoom({ body: { customerAccount: 'amy', initialMessage: 'Message 1' } })
    for (let i = 2; i <= 205; i++)
      await bot.sendCustomerText({ params: { roomId }, body: { text: `Message ${i}`, clientMessageId: `m-${i}` } })
    await bot.createTicket({ body: { title: 'Only', customerAccount: 'amy' } })
    const { screen } = await sit(await botHome(), [
      ['1/1', 'a'],
      ['no agentToken', 'o'],
      ['Message 205', 'x'],
      ['Returned to the ticket', 'q'],
    ])
    expect(screen).toContain('Message 196')
    expect(screen).not.toContain('Message 195')
    expect(screen).toContain('Replying in the room needs the agent API')
  })

  test('a transition that requires a note asks for one', async () => {
    const { bot, home, served, statusOf } = await aHelpdesk()
    const { workflow } = generalForm
    const transitions = [{ from: 'open', to: 'in_progress', requiresComment: true }]
    await saveForm(served.world.chat, 'DEMO', 'strict', { ...generalForm, workflow: { ...workflow, transitions } })
    await bot.createTicket({ body: { title: 'Only', formCode: 'strict' } })
    await sit(home, [
      ['1/1', 's'],
      ['Status: 1 in_progress', '1'],
      ['requires a note for in_progress', 'asked the bank\r'],
    ])
    expect(await statusOf(1)).toBe('in_progress')
    expect((await bot.ticket({ params: { ticketId: '1' } })).comments).toMatchObject([{ content: 'asked the bank' }])
  })

  test('a duplicate is closed, and both tickets name each other', async () => {
    const { bot, home, statusOf } = await aHelpdesk(
      { title: 'Deposit missing', customerAccount: 'amy' },
      { title: 'Deposit is missing', customerAccount: 'amy', priority: 4 },
    )
    await sit(home, [
      ['1/2', 'd'],
      ['Searched all other tickets (1)', '1\r'],
      ['Reason', 'one deposit\r'],
      ['2/2', 'q'],
    ])
    expect([await statusOf(1), await statusOf(2)]).toEqual(['open', 'resolved'])
    expect((await bot.ticket({ params: { ticketId: '1' } })).comments).toMatchObject([
      { content: 'Also reported as #2: one deposit' },
    ])
    expect((await bot.ticket({ params: { ticketId: '2' } })).comments).toMatchObject([
      { content: 'Duplicate of #1: one deposit' },
    ])
  })

  test('customer text cannot control the terminal', async () => {
    const { home } = await aHelpdesk({ title: 'Plain', description: 'x \u001b]0;owned\u0007 \u001b[2J \u202e' })
    const { screen } = await sit(home, [['1/1', 'q']], 'tickets triage --no-color')
    expect(screen).toContain('\\x1b]0;owned\\x07')
    expect(screen).not.toContain('\u001b]0;owned')
    expect(screen).not.toContain('\u001b[2J')
  })
})

test('an undo leaves reopenCount unchanged, and is not reported as a change by others', async () => {
  const { bot, transport } = await aHelpdesk({ title: 'Only' }, { title: 'Another' })
  const tickets = (await bot.tickets({ query: { sort: 'createdAt' } })).items
  const [first] = tickets
  if (!first) throw new Error('no tickets')
  const codes = first.allowedTransitions
  const resolve = String(codes.indexOf('resolved') + 1)
  const keys = ['s', resolve, 'asked and answered', 'u', 'x', 'q']
  const { run, screen } = session(await aQueue(tickets), transport, async () => keys.shift())
  expect(await run).toMatchObject({ decided: 1, undone: 1 })
  expect(screen()).toContain('#1: restored; the comment stays.')
  expect(screen()).not.toContain('Changed since the queue was read')
  const after = await bot.ticket({ params: { ticketId: first.ticketId } })
  expect(after).toMatchObject({ status: 'open', reopenCount: 0, resolvedAt: null, closedAt: null })
  expect(after.history.filter(({ kind }) => kind === 'statusChanged')).toMatchObject([
    { from: 'open', to: 'resolved', note: null },
    { from: 'resolved', to: 'open', note: 'undone' },
  ])
})
