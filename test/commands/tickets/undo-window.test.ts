import { describe, expect, test } from 'vitest'
import { noTerminal, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { bareChat, bareHome, localHelpdesk } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

describe.skipIf(noTerminal)('a text to a customer, sent from a terminal', () => {
  test('can be canceled for some seconds by any key, with every command that sends it', async () => {
    const home = await localHelpdesk()
    // With an open ticket the customer's message would be a comment of it.
    const opened = await runJson(words('rooms open amy --message Hello'), { home })
    const roomId = String(opened.data['roomId'])
    await run(words('tickets create Title --account amy --language zh-TW'), { home })
    for (const args of [
      words('tickets comment 1 Hello --public'),
      words('tickets status 1 resolved --comment Hello --public'),
      words('tickets bulk --filter id=1 --comment Hello --public --apply'),
      ['rooms', 'reply', roomId, 'Hello'],
    ]) {
      const { code, screen } = await runOnTerminal(
        args,
        [
          ['Send this to', 'y\r'],
          ['Press any key to cancel', 'x'],
        ],
        { home },
      )
      expect([args.slice(0, 2), code, screen]).toEqual([args.slice(0, 2), 3, expect.stringContaining('Canceled')])
      expect(screen).toContain('as it will arrive')
    }
    const { data } = await runJson(words('tickets show 1'), { home })
    expect(data).toMatchObject({ status: 'open', comments: [] })
    const room = await runJson(['rooms', 'show', roomId], { home })
    expect(room.data['messages']).toHaveLength(1)
  })

  test('is confirmed in one line, with any name of the customer and any title', async () => {
    const bare = await bareChat(1)
    const [ticket] = bare.tickets
    if (!ticket) throw new Error('There is no ticket')
    ticket.customerDisplayName = 'A\u001b[2J\u200bmy\nSent to Bob.'
    ticket.subject = 'Card\n   0 points: none'
    const home = await bareHome(bare)
    const prompt = await runOnTerminal(words('tickets comment T1 Hello --public'), [['Send this to', 'n\r']], { home })
    expect(prompt.code).toBe(3)
    expect(prompt.screen).toContain('To A\\x1b[2J\\u200bmy Sent to Bob. (language unknown), as it will arrive')
    expect(prompt.screen).toContain('Send this to A\\x1b[2J\\u200bmy Sent to Bob.?')
    const shown = await runOnTerminal(words('tickets triage'), [['1/1', 'q']], { home })
    expect(shown.screen).toContain('Card 0 points: none')
    expect(shown.screen).toContain('from A\\x1b[2J\\u200bmy Sent to Bob.')
    for (const { screen } of [prompt, shown]) expect(screen).not.toMatch(/\u200b|\nSent to Bob/)
    expect(ticket.comments).toEqual([])
  })

  test('is sent after the delay without a key, at once with --yes, and not after Ctrl-C', async () => {
    const home = await localHelpdesk()
    await run(words('tickets create Title --account amy'), { home })
    const timed = async (args: readonly string[], typed: readonly (readonly [string, string])[]) => {
      const from = performance.now()
      const { code, screen } = await runOnTerminal(args, typed, { home })
      return { code, screen, ms: performance.now() - from }
    }
    const stopped = await timed(words('tickets comment 1 Stopped --public'), [
      ['Send this to', 'y\r'],
      ['Press any key to cancel', '\u0003'],
    ])
    expect(stopped.code).toBe(130)
    const waited = await timed(words('tickets comment 1 Waited --public'), [['Send this to', 'y\r']])
    expect([waited.code, waited.ms > 5_000]).toEqual([0, true])
    const straight = await timed(words('tickets comment 1 Straight --public --yes'), [])
    expect([straight.code, straight.screen.includes('Press any key to cancel')]).toEqual([0, false])
    const { data } = await runJson(words('tickets show 1'), { home })
    expect((data['comments'] as { content: string }[]).map(({ content }) => content)).toEqual(['Waited', 'Straight'])
  })
})

test('before many texts are sent, each different one is shown with its recipients', async () => {
  const home = await localHelpdesk()
  await run(words('tickets create One --account amy --name Amy --language en'), { home })
  await run(words('tickets create Two --account bob --language zh-TW'), { home })
  home.write(
    'config/countroom/macros.json',
    JSON.stringify({ macros: { hi: { default: 'Hello {{customerAccount}}', zh: '您好 {{customerAccount}}' } } }),
  )
  const order = words('tickets bulk --filter status=open --comment @hi --public --apply')
  const { code, stderr } = await run([...order, '--yes'], { home })
  expect(code).toBe(0)
  expect(stderr).toContain('To Amy (en), as it will arrive:\n\nHello amy')
  expect(stderr).toContain('To bob (zh-TW), as it will arrive:\n\n您好 bob')
})

test('without a terminal there is no delay, also on another instance', async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  const { code, stdout, stderr } = await run(words('tickets comment T1 Hello --public --yes'), { home })
  // Every delay is announced.
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('Press any key to cancel')])
  expect(bare.tickets[0]?.comments).toEqual([{ text: 'Hello', visibility: 'public' }])
})
