import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../../src/http/client/client.ts'
import { inProcess } from '../../../../src/http/client/in-process-transport.ts'
import type { Transport } from '../../../../src/http/contract/wire-types.ts'
import { realAmbient } from '../../../../src/kit/ambient.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import { type Book, openBook } from '../../../../src/operator/book/book.ts'
import { WorkspaceRun } from '../../../../src/operator/tickets/workspace/run.ts'
import { openWorkspaceStore } from '../../../../src/operator/tickets/workspace/store.ts'
import { agent as agentContract } from '../../../../src/services/chat/api/contract.ts'
import { subscribeToTenant } from '../../../../src/services/chat/events/in-process-feed.ts'
import { fileBehind } from '../../../../src/services/chat/media/fetch.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant, widgetClient } from '../../../services/chat/helpdesk.ts'

/**
 * The agent's screen against a chat in this process. `fault` stands between the two for its requests that send. `seen` gets every
 * request, and can answer it.
 */
async function aRun(
  {
    helpdesk,
    merchant,
    book,
    undoWindowMs = 0,
    isDeaf = false,
  }: { helpdesk: Helpdesk; merchant: Merchant; book: Book; undoWindowMs?: number; isDeaf?: boolean },
  fault: (transport: Transport) => Transport = (transport) => transport,
  seen: (request: Parameters<Transport>[0]) => unknown = () => {},
) {
  const line: Transport = (request) => {
    const reply = seen(request)
    if (typeof reply === 'object' && reply !== null) return Promise.resolve(reply as Awaited<ReturnType<Transport>>)
    return inProcess(helpdesk.server)({
      ...request,
      headers: { ...request.headers, 'x-chat-agenttoken': merchant.agentToken },
    })
  }
  const faulty = fault(line)
  const agent = createClient(agentContract, line)
  const folder = mkdtempSync(join(tmpdir(), 'countroom-desk-'))
  const stop = new AbortController()
  /** Ends the stream as a lost connection does. */
  let cut = new AbortController()
  const { agentId, displayName } = await agent.me({ query: {} })
  const run = new WorkspaceRun(
    {
      agent,
      once: createClient(agentContract, faulty),
      transport: faulty,
      async listen(stream) {
        cut = new AbortController()
        await subscribeToTenant(helpdesk.app, merchant.code, {
          ...stream,
          // Without events a run learns of a message only by the response.
          take: isDeaf ? () => {} : stream.take,
          signal: AbortSignal.any([stream.signal, cut.signal]),
        })
        return { end: 'closed' }
      },
      store: openWorkspaceStore(book, { target: 'here', agent: agentId }),
      tickets: { form: async () => undefined },
      phrases: { macros: [], internalWords: [], file: null },
      fetchFile: ({ link }, read, signal) => fileBehind(helpdesk.app, new URL(link), read, signal),
      openFile: async () => undefined,
      folder,
      now: async () => Date.now(),
      makeId: realAmbient().id,
      random: () => 0,
      stop: stop.signal,
      onChange: () => {},
    },
    {
      me: { agentId, displayName },
      now: Date.now(),
      macros: [],
      internalWords: [],
      undoWindowMs,
      isReadOnly: false,
    },
  )
  const ended = run.run()
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  const press = (...keys: readonly string[]) => {
    for (const key of keys)
      run.dispatch({ kind: 'key', key: { key, isPasted: false, id: realAmbient().id(), page: 10, maxScroll: 0 } })
  }
  return {
    run,
    press,
    type: (text: string) => press(...text),
    folder,
    ended,
    /** Ends the run as a kill does: keys send and store nothing more. */
    stop: () => stop.abort(),
    cut: () => cut.abort(),
    until: (check: () => boolean) => expect.poll(check).toBe(true),
    isShown: (text: string) =>
      (run.state.conversations.get(run.state.open ?? '')?.messages ?? []).some((message) => message.text === text),
  }
}

async function aChat() {
  const helpdesk = await aHelpdesk()
  // The screen's clock is this machine's, and so is the chat's.
  helpdesk.clock.now = Date.now()
  const merchant = await aMerchant(helpdesk)
  const book = await openBook(':memory:')
  onTestFinished(() => book.close())
  return { helpdesk, merchant, book }
}

/** A customer in the widget. */
async function aCustomer({ helpdesk, merchant }: { helpdesk: Helpdesk; merchant: Merchant }, name: string) {
  const opened = await widgetClient(helpdesk, merchant.tenantKey).openRoom({
    query: {},
    body: { tenantKey: merchant.tenantKey, customerDisplayName: name },
  })
  const { roomId } = opened
  const widget = widgetClient(helpdesk, merchant.tenantKey, opened.roomToken)
  const params = { roomId }
  const texts = async () => (await widget.messages({ params, query: {} })).items
  return {
    ...{ roomId, widget, params, texts },
    say: (text: string) => widget.send({ params, query: {}, body: { text, clientMessageId: realAmbient().id() } }),
  }
}

test('each answer arrives once, although requests and responses are lost', async () => {
  const chat = await aChat()
  const ann = await aCustomer(chat, 'Ann')
  await ann.say('Where is it?')
  const fates = ['request', 'response', 'busy', 'response']
  const screen = await aRun(chat, (transport) => async (request) => {
    if (request.method !== 'POST' || !request.path.endsWith('/messages')) return transport(request)
    const fate = fates.shift()
    if (fate === 'request') throw new Problem('REMOTE_UNREACHABLE', 'No connection', { outcome: 'none' })
    if (fate === 'busy') return { status: 503, headers: {}, body: 'busy' }
    const reply = await transport(request)
    if (fate === 'response') throw new Problem('REMOTE_LOST', 'The connection broke', { outcome: 'unknown' })
    return reply
  })
  await screen.until(() => screen.run.state.rooms.size === 1)
  screen.press('n')
  await screen.until(() => screen.isShown('Where is it?'))
  screen.type('On its way')
  screen.press('\r')
  await screen.until(() => screen.run.state.sent === 1 && screen.run.state.outgoing.length === 0)
  screen.type('Anything else?')
  screen.press('\r')
  await screen.until(() => screen.run.state.sent === 2)
  expect((await ann.texts()).map(({ text }) => text)).toEqual(['Where is it?', 'On its way', 'Anything else?'])
})

test('the customer’s typing is shown to the agent, and the agent’s to the customer’s side', async () => {
  const chat = await aChat()
  const ann = await aCustomer(chat, 'Ann')
  await ann.say('Hello?')
  const reports: unknown[] = []
  const screen = await aRun(chat, undefined, (request) => {
    if (request.path.endsWith('/typing')) reports.push(JSON.parse(String(request.body)).typing)
  })
  await screen.until(() => screen.run.state.connection === 'live' && screen.run.state.rooms.size === 1)
  screen.press('n')
  await screen.until(() => screen.isShown('Hello?'))
  const typing = { params: ann.params, query: {}, body: { tenantKey: chat.merchant.tenantKey, typing: true } }
  // Sent again until the screen shows it, because the notice is valid for some seconds only.
  await expect
    .poll(async () => {
      await ann.widget.typing(typing)
      return screen.run.state.typing.has(ann.roomId)
    })
    .toBe(true)
  screen.type('Hi')
  screen.press('\r')
  await screen.until(() => screen.run.state.sent === 1)
  await expect.poll(() => reports).toEqual([true, false])
})

test('no message is lost with the connection, and the text being typed stays', async () => {
  const chat = await aChat()
  const ann = await aCustomer(chat, 'Ann')
  await ann.say('One')
  const screen = await aRun(chat)
  await screen.until(() => screen.run.state.connection === 'live' && screen.run.state.rooms.size === 1)
  screen.press('n')
  await screen.until(() => screen.isShown('One'))
  screen.type('half a text')
  for (let i = 2; i <= 6; i++) {
    screen.cut()
    await ann.say(`Message ${i}`)
    await screen.until(() => screen.isShown(`Message ${i}`))
  }
  const { conversations, drafts } = screen.run.state
  expect(conversations.get(ann.roomId)?.messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  expect(drafts.get(ann.roomId)?.text).toBe('half a text')
})

test('what a busy platform does not answer is read again, and is reported until then', async () => {
  const chat = await aChat()
  const ann = await aCustomer(chat, 'Ann')
  await ann.say('One')
  let isBusy = true
  let refused = 0
  const screen = await aRun(chat, undefined, (request) => {
    if (!isBusy || request.method !== 'GET' || !/\/rooms/.test(request.path)) return undefined
    refused += 1
    return { status: 503, headers: {}, body: 'busy' }
  })
  await screen.until(() => screen.run.state.connection === 'live' && screen.run.state.list === 'failed')
  expect([screen.run.state.rooms.size, screen.run.state.notice?.isBad]).toEqual([0, true])
  isBusy = false
  await screen.until(() => screen.run.state.list === 'read' && screen.run.state.rooms.size === 1)
  screen.press('n')
  await screen.until(() => screen.isShown('One'))

  // A new customer while the platform is busy.
  isBusy = true
  const before = refused
  const ben = await aCustomer(chat, 'Ben')
  await ben.say('New')
  await screen.until(() => refused > before && screen.run.state.list === 'failed')
  isBusy = false
  await screen.until(() => screen.run.state.rooms.has(ben.roomId) && screen.run.state.list === 'read')
})

test('a run that is killed while it sends leaves one message, and the next run knows it', async () => {
  const chat = await aChat()
  const ann = await aCustomer(chat, 'Ann')
  const ben = await aCustomer(chat, 'Ben')
  await ann.say('Ann asks')
  await ben.say('Ben asks')
  let isDead = false
  const first = await aRun({ ...chat, isDeaf: true }, (transport) => async (request) => {
    if (isDead) throw new Problem('REMOTE_LOST', 'Dead', { outcome: 'unknown' })
    const reply = await transport(request)
    if (!request.path.endsWith('/messages')) return reply
    // Written, without a response.
    isDead = true
    throw new Problem('REMOTE_LOST', 'Dead', { outcome: 'unknown' })
  })
  await first.until(() => first.run.state.rooms.size === 2)
  first.press('n')
  await first.until(() => first.isShown('Ann asks'))
  first.type('Arrived')
  first.press('\r')
  await first.until(() => isDead)
  first.stop()
  await first.ended

  const held = await aRun({ ...chat, undoWindowMs: 3_600_000 })
  await held.until(() => held.run.state.sent === 1)
  await held.until(() => held.run.state.rooms.size === 2)
  held.press('n')
  await held.until(() => held.isShown('Ben asks'))
  held.type('Never sent')
  held.press('\r')
  await held.until(() => held.run.state.outgoing.length === 1)
  held.stop()
  await held.ended

  const last = await aRun(chat)
  await last.until(() => last.run.state.drafts.get(ben.roomId)?.text === 'Never sent')
  expect((await ann.texts()).map(({ text }) => text)).toEqual(['Ann asks', 'Arrived'])
  expect((await ben.texts()).map(({ text }) => text)).toEqual(['Ben asks'])
})

test('files are sent both ways, in chunks that continue, and saved under a free name', async () => {
  const chat = await aChat()
  const ann = await aCustomer(chat, 'Ann')
  await ann.say('Send me the list')
  let chunks = 0
  const screen = await aRun(chat, (transport) => async (request) => {
    if (request.method === 'PUT' && ++chunks === 2) throw new Problem('REMOTE_LOST', 'Lost', { outcome: 'unknown' })
    return transport(request)
  })
  const path = join(screen.folder, 'list.csv')
  const content = `${'a,b\n'.repeat(400_000)}`
  writeFileSync(path, content)
  await screen.until(() => screen.run.state.rooms.size === 1)
  screen.press('n')
  await screen.until(() => screen.isShown('Send me the list'))
  screen.press('\u0006')
  screen.type(path)
  screen.press('\r')
  await screen.until(() => screen.run.state.sent === 1)
  expect(chunks).toBe(3)
  const [, sent] = await ann.texts()
  expect(sent).toMatchObject({
    senderType: 'agent',
    attachments: [{ fileName: 'list.csv', sizeBytes: content.length }],
  })
  await screen.until(() => screen.isShown(''))
  screen.press('\u000f', '1')
  await screen.until(() => screen.run.state.dialog?.kind === 'open-file')
  expect(readdirSync(screen.folder).sort()).toEqual(['list (2).csv', 'list.csv'])
  expect(readFileSync(join(screen.folder, 'list (2).csv'), 'utf8')).toBe(content)
  screen.press('x', '\u0006')
  screen.type(join(screen.folder, 'none.csv'))
  screen.press('\r')
  await screen.until(() => screen.run.state.notice?.isBad === true)
})
