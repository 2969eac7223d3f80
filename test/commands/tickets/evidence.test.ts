import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { signed } from '../../../src/http/client/sign.ts'
import { keyInHeader } from '../../../src/http/client/signers.ts'
import { chat as chatContract } from '../../../src/services/chat/api/contract.ts'
import { chatDemoCredentials } from '../../../src/services/chat/server/demo-data.ts'
import { credentialsOf } from '../../../src/world/demo-data.ts'
import { run, runJson } from '../../support/program/cli.ts'
import { homeOf, servedChat } from '../../support/worlds/chat-served.ts'
import { servedBeside } from '../../support/worlds/served.ts'

const words = (line: string) => line.split(' ')

/** Returns all files below a folder, with their relative paths. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort()

test('a case has the ticket, the messages, the player and the transfer it names; a redacted one names no person', async () => {
  const served = await servedChat()
  const keys = await chatDemoCredentials(served.world.chat)
  if (!keys) throw new Error('no keys')
  const document = { baseUrl: served.url, casino: await credentialsOf(served.world.casino, 'DEMO'), chat: keys }
  const base = await homeOf(document)
  const home = { ...base, env: { ...base.env, COUNTROOM_BOOK: join(base.folder, 'book.db') } }
  expect((await run(words('wallet deposit amy 50.5 USD --txn dep-1'), { home })).code).toBe(0)
  const transport = signed(inProcess(served.world.server), keyInHeader('x-chat-apikey', keys.apiKey ?? ''))
  const bot = createClient(chatContract, transport)
  await bot.openRoom({
    body: { customerAccount: 'amy', customerDisplayName: 'Amy Tan', initialMessage: 'amy here: <b>help</b>' },
  })
  const { ticketId } = await bot.createTicket({
    body: {
      title: 'Where is it, says Amy Tan',
      description: 'Write to amy@x.example',
      customerAccount: 'amy',
      customerDisplayName: 'Amy Tan',
      fieldValues: [{ fieldCode: 'txnId', value: 'dep-1' }],
    },
  })
  await bot.comment({ params: { ticketId }, body: { content: 'Amy Tan is a VIP' } })

  const whole = await runJson(words('tickets evidence 1 --out case'), { home })
  // The profile has no gateway, and the book no bets: the case reports both, and is not called complete.
  expect(whole.code).toBe(11)
  expect(whole.data['missing']).toEqual([
    expect.stringMatching(/^Slips: no bets were synced/),
    expect.stringMatching(/^Payments: .*no gateway section/),
  ])
  const folder = join(home.folder, 'case')
  const files = filesIn(folder)
  expect(files).toEqual(expect.arrayContaining(['case.html', 'case.json', 'manifest.json']))
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  for (const { file, sha256 } of manifest.files)
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex'),
    ).toBe(sha256)
  const shown = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8'))
  expect(shown).toMatchObject({
    ticket: { ticketId, comments: [{ content: 'Amy Tan is a VIP' }] },
    room: { lines: [{ text: 'amy here: <b>help</b>' }] },
    player: { username: 'amy' },
    balance: { balance: '10050.5' },
    transfers: [{ txnId: 'dep-1', journal: { state: 'done', amount: '50.5' }, platform: { amount: '50.5' } }],
  })
  const calls = files
    .filter((file) => file.startsWith('calls/'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(calls.length).toBe(whole.data['calls'])
  for (const secret of [keys.apiKey, keys.agentToken, document.casino?.live.secret, document.casino?.live.apiKey])
    expect(calls.join('')).not.toContain(secret)
  expect(readFileSync(join(folder, 'case.html'), 'utf8')).not.toContain('<b>help</b>')

  const redacted = await runJson(words('tickets evidence 1 --out outside --redact'), { home })
  expect([redacted.code, redacted.data['redacted']]).toEqual([11, true])
  const outside = join(home.folder, 'outside')
  for (const file of filesIn(outside)) {
    const text = readFileSync(join(outside, file), 'utf8')
    expect(`${file} ${text}`).not.toMatch(/\bamy\b|Amy Tan|x\.example|VIP|Desk 1/i)
    if (file.endsWith('.json')) JSON.parse(text)
  }
  const hidden = JSON.parse(readFileSync(join(outside, 'case.json'), 'utf8'))
  expect(hidden).toMatchObject({ hiddenComments: 1, ticket: { comments: [] }, transfers: [{ txnId: 'dep-1' }] })

  // An existing folder is never overwritten, and a missing ticket creates none.
  expect((await runJson(words('tickets evidence 1 --out case'), { home })).code).toBe(6)
  expect((await runJson(words('tickets evidence 99 --out none'), { home })).code).toBe(5)
  expect(existsSync(join(home.folder, 'none'))).toBe(false)
})

test('in a local profile, chat, casino and gateway are read from the one world that is open', async () => {
  const { home } = await servedBeside()
  const env = { ...home.env, COUNTROOM_PROFILE: 'local', COUNTROOM_BOOK: join(home.folder, 'book.db') }
  const local = { home: { ...home, env } }
  const created = await run(words('tickets create Lost --account amy'), local)
  expect([created.code, created.code === 0 ? '' : created.stderr]).toEqual([0, ''])
  const whole = await runJson(words('tickets evidence 1 --out case'), local)
  expect(whole.data['missing']).toEqual([expect.stringMatching(/^Slips: no bets were synced/)])
  const shown = JSON.parse(readFileSync(join(home.folder, 'case', 'case.json'), 'utf8'))
  expect(shown).toMatchObject({ player: { username: 'amy' }, payments: [] })
  const listed = filesIn(join(home.folder, 'case')).filter((file) => file.startsWith('calls/'))
  const services = listed.map((file) => JSON.parse(readFileSync(join(home.folder, 'case', file), 'utf8')).service)
  expect(new Set(services)).toEqual(new Set(['chat', 'casino', 'gateway']))
})
