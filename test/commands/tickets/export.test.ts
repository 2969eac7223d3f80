import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { signed } from '../../../src/http/client/sign.ts'
import { keyInHeader } from '../../../src/http/client/signers.ts'
import { changedTickets } from '../../../src/operator/tickets/changes.ts'
import { openTicketsApi } from '../../../src/operator/tickets/tickets-api.ts'
import { chatCredentials } from '../../../src/services/chat/admin.ts'
import { chat as chatContract } from '../../../src/services/chat/api/contract.ts'
import { aHelpdesk, aMerchant } from '../../services/chat/helpdesk.ts'
import { runJson } from '../../support/program/cli.ts'
import { bareChat, bareHome, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

test('each run writes the tickets changed since the last one, once each in their current state', async () => {
  const served = await servedChat()
  const keys = await chatCredentials(served.world.chat, 'DEMO')
  const bot = createClient(
    chatContract,
    signed(inProcess(served.world.server), keyInHeader('x-chat-apikey', keys?.apiKey ?? '')),
  )
  for (const title of ['=1+1', 'Second', 'Third']) await bot.createTicket({ body: { title, customerAccount: '-amy' } })
  const home = await remoteHelpdesk(served)
  const out = join(home.folder, 'out.csv')
  const cursor = join(home.folder, 'tickets.cursor')
  const next = async (...more: string[]) => {
    const args = [...words('tickets export --force --out'), out, '--since', cursor, ...more]
    const result = await runJson(args, { home })
    const text = readFileSync(out, 'utf8')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    return { ...result, text, rows }
  }
  const first = await next()
  expect(first.rows.map((row) => [row['ticketNumber'], row['title'], row['customerAccount'], row['version']])).toEqual([
    ['1', "'=1+1", "'-amy", '1'],
    ['2', 'Second', "'-amy", '1'],
    ['3', 'Third', "'-amy", '1'],
  ])
  expect(first.data).toMatchObject({ tickets: 3, since: null, cursorFile: cursor })
  expect((await next()).rows).toEqual([])
  await bot.setStatus({ params: { ticketId: '1' }, body: { status: 'resolved' } })
  await bot.comment({ params: { ticketId: '3' }, body: { content: 'looked at' } })
  const changed = await next('--bom')
  expect(changed.text.startsWith('\u{FEFF}')).toBe(true)
  expect(changed.rows.map((row) => [row['ticketNumber'], row['status'], row['commentCount']])).toEqual([
    ['1', 'resolved', '0'],
    ['3', 'open', '1'],
  ])
  expect((await next()).data).toMatchObject({ tickets: 0 })
  const other = await next('--status', 'open')
  expect([other.code, other.error.message]).toEqual([2, expect.stringContaining('other filters')])
  const there = await runJson([...words('tickets export --out'), out], { home })
  expect([there.code, there.error.code]).toEqual([6, 'FILE_EXISTS'])
  const same = await runJson([...words('tickets export --force --out'), cursor, '--since', cursor], { home })
  expect([same.code, same.error.message]).toEqual([
    2,
    expect.stringContaining('--since and --out must name different files'),
  ])
  expect(readFileSync(cursor, 'utf8')).toContain('countroom ticket export')
  for (const since of ['Yesterday', '24h', '2026-3-1']) {
    const { code, error } = await runJson([...words('tickets export --force --out'), out, '--since', since], { home })
    expect([code, error.code, error.message]).toEqual([
      2,
      'INVALID_USAGE',
      expect.stringContaining('Expected the file of the last run'),
    ])
    expect(existsSync(join(home.folder, since)) || existsSync(since)).toBe(false)
  }
})

test('an instance without change times exports all tickets, with a warning', async () => {
  const home = await bareHome(await bareChat(3))
  const out = join(home.folder, 'out.csv')
  const { data, warnings } = await runJson([...words('tickets export --out'), out], { home })
  expect(data).toMatchObject({ tickets: 3, until: null })
  expect(warnings).toEqual([
    'The instance does not report when its tickets changed; those without a time are exported in every run',
  ])
})

test('a change during the export is neither missed nor repeated, with any number of equal times', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, apiKey } = await aMerchant(helpdesk)
  const transport = signed(inProcess(helpdesk.server), keyInHeader('x-chat-apikey', apiKey))
  for (let i = 1; i <= 250; i++) {
    if (i > 150) helpdesk.clock.now += 1_000
    await bot.createTicket({ body: { title: `Matter ${i}` } })
  }
  let pages = 0
  const line = {
    once: transport,
    retrying: async (request: Parameters<typeof transport>[0]) => {
      const reply = await transport(request)
      // Between two pages an agent changes a ticket that was already read: it moves to the end of the list.
      if (request.path.includes('/tickets?') && ++pages <= 2) {
        helpdesk.clock.now += 1_000
        await bot.setStatus({ params: { ticketId: String(pages) }, body: { status: 'closed' } })
      }
      return reply
    },
  }
  const tickets = openTicketsApi({ bot: line, agent: undefined })
  const first = await changedTickets(tickets, {}, undefined)
  expect(new Set(first.tickets.map(({ ticketNumber }) => ticketNumber)).size).toBe(250)
  expect(first.tickets.slice(-2).map(({ ticketNumber, status }) => [ticketNumber, status])).toEqual([
    [1, 'closed'],
    [2, 'closed'],
  ])
  expect((await changedTickets(tickets, {}, first.next)).tickets).toEqual([])
  await bot.comment({ params: { ticketId: '9' }, body: { content: 'at the very same moment' } })
  const second = await changedTickets(tickets, {}, first.next)
  expect(second.tickets.map(({ ticketNumber }) => ticketNumber)).toEqual([9])
})
