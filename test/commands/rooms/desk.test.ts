import { stripVTControlCharacters } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { overHttp } from '../../../src/http/client/transport.ts'
import { chatCredentials, createAgent } from '../../../src/services/chat/admin.ts'
import { agent as agentContract, widget as widgetContract } from '../../../src/services/chat/api/contract.ts'
import { noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { localHelpdesk, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

/** A served chat with customers who wrote through the widget's API. */
async function customers(...texts: readonly string[]) {
  const served = await servedChat()
  const keys = await chatCredentials(served.world.chat, 'DEMO')
  const tenantKey = keys?.tenantKey ?? ''
  const http = overHttp(served.url)
  onTestFinished(() => http.close())
  const widgetOf = (roomToken = '') =>
    createClient(widgetContract, (request) =>
      http({
        ...request,
        headers: { ...request.headers, 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': roomToken },
      }),
    )
  const opened = []
  for (const [i, text] of texts.entries()) {
    const customerDisplayName = `Customer-${String(i + 1).padStart(2, '0')}`
    const room = await createClient(widgetContract, http).openRoom({
      query: { tenantKey },
      body: { tenantKey, customerDisplayName },
    })
    const widget = widgetOf(room.roomToken)
    const params = { roomId: room.roomId }
    await widget.send({ params, query: {}, body: { text, clientMessageId: 'first' } })
    opened.push({ name: customerDisplayName, widget, params })
  }
  return { served, home: await remoteHelpdesk(served), opened, agentToken: keys?.agentToken ?? '', http }
}

const at80 = { columns: 80, rows: 24 }
const next = '\u000e'
const esc = '\u001b'

describe.skipIf(noTerminal)('on a terminal of 80 columns and 24 rows', () => {
  test('an agent answers ten customers in one session, each once, and the terminal is restored', async () => {
    const { home, opened } = await customers(...Array.from({ length: 10 }, (_, i) => `Question ${i + 1}`))
    const answering = opened.flatMap(({ name }, i): [string, string][] => [
      [`customer ${name} #1`, `Answer ${i + 1}\r`],
      ['Sending in', i < 9 ? next : esc],
    ])
    const { code, screen } = await runOnTerminal(
      ['rooms', 'desk'],
      [['Question 10', 'n'], ...answering, ['Enter open', 'q']],
      { home, ...at80 },
    )
    expect(code).toBe(0)
    for (const [i, { widget, params }] of opened.entries()) {
      const { items } = await widget.messages({ params, query: {} })
      expect(items.map(({ text, senderType }) => [senderType, text])).toEqual([
        ['customer', `Question ${i + 1}`],
        ['agent', `Answer ${i + 1}`],
      ])
    }
    expect(stripVTControlCharacters(screen)).toMatch(/sent +10\s+rooms +10/)
    // The first buffer, the cursor and line breaks are restored before the result is printed.
    const restored = screen.indexOf(`${esc}[?1049l`)
    expect(screen.slice(0, restored)).toContain(`${esc}[?1049h`)
    expect(screen.slice(0, restored)).toContain(`${esc}[?25h`)
    expect(restored).toBeGreaterThan(0)
    expect(screen.indexOf('sent', restored)).toBeGreaterThan(restored)
  })

  test('escape sequences and wide characters of customers do not reach or shift the terminal; Ctrl-C keeps the draft', async () => {
    const { home } = await customers(`${esc}[2J${esc}]0;owned\u0007 \u202e 存款在哪裡 เงินฝากที่ 🎰`)
    const first = await runOnTerminal(
      ['rooms', 'desk'],
      [
        ['Customer-01', 'n'],
        ['customer Customer-01 #1', 'half a text'],
        ['half a text', '\u0003'],
      ],
      { home, ...at80 },
    )
    expect(first.code).toBe(130)
    expect(first.screen).toContain('存款在哪裡')
    expect(first.screen).toContain('เงินฝากที่ 🎰')
    expect(first.screen).toContain('\\x1b]0;owned\\x07')
    expect(first.screen).not.toContain(`${esc}]0;`)
    expect(first.screen).not.toContain('\u202e')
    expect(first.screen).toContain('1 text was not sent (Customer-01)')
    const second = await runOnTerminal(
      ['rooms', 'desk'],
      [
        ['Customer-01', 'n'],
        ['half a text', `${esc}`],
        ['Enter open', 'q'],
      ],
      {
        home,
        ...at80,
      },
    )
    expect(second.code).toBe(0)
  })

  test('a colleague’s room gets an answer after a question and is reassigned, and a snoozed room leaves the queue', async () => {
    const { home, opened, served, agentToken, http } = await customers('Hello?')
    const params = opened[0]?.params ?? { roomId: '' }
    const agent = createClient(agentContract, (request) =>
      http({ ...request, headers: { ...request.headers, 'x-chat-agenttoken': agentToken } }),
    )
    const { agentId } = await createAgent(served.world.chat, 'DEMO', 'Night desk')
    await agent.assign({ params, body: { agentId } })
    const { code, screen } = await runOnTerminal(
      ['rooms', 'desk'],
      [
        ['Hello?', 'n'],
        // A text sent before the messages are loaded comes back: the agent has not seen them.
        ['customer Customer-01 #1', 'Good evening\r'],
        ['Press s', 's'],
        ['Sending in', '\u0014'],
        ['Press y', 'y'],
        ['yours', esc],
        ['Enter open', 'z'],
        ['Snooze for', '2h\r'],
        ['out of the queue for 2h', 'q'],
      ],
      { home, ...at80 },
    )
    expect(code).toBe(0)
    expect(screen).toContain('held by Night desk')
    expect((await agent.room({ params })).assignee).toMatchObject({ displayName: 'Desk 1' })
    expect((await agent.messages({ params, query: {} })).items.map(({ text }) => text)).toEqual([
      'Hello?',
      'Good evening',
    ])
  })

  test('a file is sent on a local profile, without a served chat', async () => {
    const home = await localHelpdesk()
    const { data } = await runJson(['rooms', 'open', 'amy'], { home })
    const room = String(data['roomId'])
    await run(['rooms', 'say', room, 'Where is it?'], { home })
    const { code } = await runOnTerminal(
      ['rooms', 'desk'],
      [
        ['Where is it?', 'n'],
        ['customer amy #1', '\u0006'],
        ['File to send', `${home.write('slip.txt', 'bank slip')}\r`],
        ['agent', esc],
        ['Enter open', 'q'],
      ],
      { home, ...at80 },
    )
    const { stdout } = await run(['rooms', 'messages', room, '--json'], { home })
    expect([code, stdout]).toEqual([0, expect.stringContaining('"slip.txt"')])
  })
})

test('without a terminal the error names the commands for scripts', async () => {
  const { home } = await customers()
  const { code, stderr } = await run(['rooms', 'desk'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('rooms desk needs a terminal')
  for (const command of ['rooms list', 'rooms watch', 'help rooms show', 'help rooms reply'])
    expect(stderr).toContain(`countroom ${command}`)
})
