import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/http/client/client.ts'
import { inProcess } from '../../src/http/client/in-process-transport.ts'
import { signed } from '../../src/http/client/sign.ts'
import { keyInHeader } from '../../src/http/client/signers.ts'
import { safeName } from '../../src/operator/tickets/fetch-media.ts'
import { chatCredentials } from '../../src/services/chat/admin.ts'
import {
  agent as agentContract,
  chat as chatContract,
  widget as widgetContract,
} from '../../src/services/chat/api/contract.ts'
import { openWorld } from '../../src/world/world.ts'
import { type Home, run, runJson } from '../support/program/cli.ts'
import { homeOf, localHelpdesk, remoteHelpdesk, servedChat } from '../support/worlds/chat-served.ts'
import type { Served } from '../support/worlds/served.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A room with two files from its customer. */
async function aRoomWithFiles({ world, url }: Pick<Served, 'world' | 'url'>) {
  const keys = await chatCredentials(world.chat, 'DEMO')
  const lineOf = (header: string, key: string) => signed(inProcess(world.server), keyInHeader(header, key))
  const bot = createClient(chatContract, lineOf('x-chat-apikey', keys?.apiKey ?? ''))
  const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'amy' } })
  const headers = { 'x-chat-room-token': roomToken, 'x-chat-tenant-key': keys?.tenantKey ?? '' }
  const customer = createClient(widgetContract, lineOf('x-chat-room-token', roomToken))
  const query = { tenantKey: keys?.tenantKey ?? '' }
  const begun = await fetch(`${url}/api/agent/v1/events`, { headers: { 'x-chat-agenttoken': keys?.agentToken ?? '' } })
  const reader = begun.body?.getReader()
  const [, eventCursor = ''] =
    /"eventCursor":"([^"]+)"/.exec(Buffer.from((await reader?.read())?.value ?? []).toString()) ?? []
  await reader?.cancel()
  const sent = []
  for (const [name, bytes] of [
    ['one.txt', Buffer.from('first\n'.repeat(100_000))],
    ['../../二.txt', Buffer.from('second\n')],
  ] as const) {
    const { uploadId } = await customer.initializeUpload({
      params: { roomId },
      query,
      body: {
        fileName: name,
        contentType: 'text/plain',
        sizeBytes: bytes.byteLength,
        clientUploadId: name.replace(/\W/g, ''),
      },
    })
    await fetch(`${url}/api/widget/v1/rooms/${roomId}/media/${uploadId}/chunk`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream', 'upload-offset': '0' },
      body: new Uint8Array(bytes),
    })
    const message = await customer.completeUpload({
      params: { roomId, uploadId },
      query,
      body: { clientMessageId: name.replace(/\W/g, '') },
    })
    sent.push({ bytes, message, file: message.attachments[0] })
  }
  const agent = createClient(agentContract, lineOf('x-chat-agenttoken', keys?.agentToken ?? ''))
  return { roomId, sent, agent, eventCursor }
}

const inFolder = (home: Home, args: string[]) => runJson(['media', 'fetch', ...args], { home, cwd: home.folder })

test('a file is downloaded by its ID, its message or its link, under a safe name, and matches its size and checksum', async () => {
  const served = await servedChat()
  const { roomId, sent, eventCursor } = await aRoomWithFiles(served)
  const home = await remoteHelpdesk(served)
  const [one, two] = sent
  const first = await inFolder(home, [roomId, one?.file?.mediaId ?? '', '--out', join(home.folder, 'one.txt')])
  expect(first.data).toMatchObject({ bytes: 600_000, sha256: sha256(one?.bytes ?? new Uint8Array()), verified: true })
  expect(readFileSync(join(home.folder, 'one.txt'))).toEqual(one?.bytes)
  const byMessage = await inFolder(home, [roomId, one?.message.messageId ?? '', '--out', join(home.folder, 'm.txt')])
  expect(byMessage.data).toMatchObject({ mediaId: one?.file?.mediaId, fileName: 'one.txt' })
  const latest = await inFolder(home, [roomId])
  expect(latest.data).toMatchObject({ file: join(home.folder, '二.txt'), bytes: 7 })
  const byLink = await inFolder(home, [two?.file?.downloadUrl ?? ''])
  expect(byLink.data).toMatchObject({ file: join(home.folder, String(two?.file?.mediaId)), bytes: 7, verified: false })
  // Readers of the chat's events see the files and their names.
  const cursor = join(home.folder, 'desk.cursor')
  writeFileSync(cursor, eventCursor)
  const { stdout } = await run(['rooms', 'watch', '--count', '2', '--cursor', cursor], { home })
  expect(stdout).toMatch(/customer amy: \[one\.txt\]\n[\s\S]*customer amy: \[二\.txt\]\n/)
})

test('an existing file is not overwritten without --force, and a missing one is reported', async () => {
  const served = await servedChat()
  const { roomId, sent } = await aRoomWithFiles(served)
  const home = await remoteHelpdesk(served)
  const file = join(home.folder, 'mine.txt')
  writeFileSync(file, 'mine')
  const kept = await inFolder(home, [roomId, '--out', file])
  expect([kept.code, kept.error.code, readFileSync(file, 'utf8')]).toEqual([6, 'FILE_EXISTS', 'mine'])
  expect((await inFolder(home, [roomId, '--out', file, '--force'])).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe('second\n')
  const damaged = String(sent[0]?.file?.downloadUrl).replace(/sig=...../, 'sig=00000')
  for (const args of [[roomId, 'med_none'], [damaged]]) {
    const { code, error } = await inFolder(home, args)
    expect([code, error.code]).toEqual([5, 'NOT_FOUND'])
  }
})

test('bytes that differ from the announced ones are not stored', async () => {
  const good = Buffer.from('the real thing')
  let body: Uint8Array = good
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/file')) return void response.end(body)
    const { port } = server.address() as AddressInfo
    const file = { id: 'f1', name: 'a.txt', url: `http://127.0.0.1:${port}/file`, size: 14, sha256: sha256(good) }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ messages: [{ id: 'm1', files: [file] }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const home = await homeOf({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chat: { apiKey: 'any-key' },
  })
  const file = join(home.folder, 'a.txt')
  for (const bad of ['the fake thing', 'the real', 'the real thing and more']) {
    body = Buffer.from(bad)
    const { code } = await inFolder(home, ['room_1', 'f1', '--out', file])
    expect([bad, code === 0, existsSync(file)]).toEqual([bad, false, false])
  }
  expect(readdirSync(home.folder).filter((name) => name.includes('draft'))).toEqual([])
  body = good
  expect((await inFolder(home, ['room_1', 'f1', '--out', file])).data).toMatchObject({ bytes: 14, verified: true })
})

test('on the local database the file is read from its folder, whether the world is served or not', async () => {
  const home = await localHelpdesk()
  const world = await openWorld({ db: home.env['COUNTROOM_DB'] ?? '' })
  onTestFinished(() => world.close())
  const { url } = await world.server.listen()
  const { roomId, sent } = await aRoomWithFiles({ world, url })
  await world.close()
  const { data } = await inFolder(home, [roomId, sent[0]?.file?.mediaId ?? ''])
  expect(data).toMatchObject({ file: join(home.folder, 'one.txt'), bytes: 600_000, verified: true })
  expect(readFileSync(join(home.folder, 'one.txt'))).toEqual(sent[0]?.bytes)
  const { code, error } = await inFolder(home, [`${url}/api/widget/v1/media/med_1?exp=1&sig=x`])
  expect([code, error.code]).toEqual([5, 'NOT_FOUND'])
})

test.each([
  ['a.png', 'a.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\x\\y.txt', 'y.txt'],
  ['.bashrc', 'bashrc'],
  ['-rf', 'rf'],
  ['evil\u202egnp.exe', 'evilgnp.exe'],
  ['a\u0000b\u001b[2J.txt', 'ab[2J.txt'],
  ['con.txt', '_con.txt'],
  ['..', 'file'],
  ['...-', 'otherwise'],
  ['', 'otherwise'],
  [`${'字'.repeat(100)}.pdf`, `${'字'.repeat(65)}.pdf`],
])('%j is stored as %j', (given, kept) => {
  expect(safeName(given, 'otherwise')).toBe(kept)
})
