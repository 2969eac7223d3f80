import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { setUploadLimits } from '../../../src/services/chat/admin.ts'
import { isNameFor } from '../../../src/services/chat/media/file-names.ts'
import { contentTypes, isOfType, safeFileName, sizeOfPicture } from '../../../src/services/chat/media/file-types.ts'
import { fileOf } from '../../../src/services/chat/media/files.ts'
import { chatJobs } from '../../../src/services/chat/server/periodic.ts'
import { keepingEngines, postgres } from '../../support/databases/engines.ts'
import { nextRequest } from '../../support/http/next-request.ts'
import { aHelpdesk, aLateHelpdesk, aMerchant, type Helpdesk, refuses, widgetClient } from './helpdesk.ts'
import { listen } from './listening.ts'

const png = (size = 1_000) => {
  const bytes = randomBytes(Math.max(size, 45))
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(640, 16)
  bytes.writeUInt32BE(480, 20)
  bytes.writeUInt32BE(bytes.length - 45, 33)
  bytes.write('IDAT', 37)
  return bytes
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const digestOf = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`

async function aCustomer(helpdesk: Helpdesk) {
  const merchant = await aMerchant(helpdesk)
  const { url } = await helpdesk.server.listen()
  const { roomId, roomToken } = await merchant.bot.openRoom({ body: { customerAccount: 'a' } })
  const customer = widgetClient(helpdesk, merchant.tenantKey, roomToken)
  const params = { roomId }
  const base = `${url}/api/widget/v1/rooms/${roomId}/media`
  const begin = (bytes: Uint8Array, more: Partial<Parameters<typeof customer.initializeUpload>[0]['body']> = {}) =>
    customer.initializeUpload({
      params,
      query: {},
      body: { fileName: 'a.png', contentType: 'image/png', sizeBytes: bytes.byteLength, clientUploadId: 'u', ...more },
    })
  const headers = { 'x-chat-room-token': roomToken, 'x-chat-tenant-key': merchant.tenantKey }
  const putAt = async (
    at: string,
    uploadId: string,
    offset: number,
    bytes: Uint8Array,
    more: Record<string, string> = {},
  ) => {
    const response = await fetch(`${base.replace(url, at)}/${uploadId}/chunk`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream', 'upload-offset': String(offset), ...more },
      body: new Uint8Array(bytes),
    })
    const body = (await response.json()) as {
      receivedBytes?: number
      error?: { code: string; details: { receivedBytes: number }[] }
    }
    const after = response.headers.get('retry-after')
    const head = { status: response.status, offset: response.headers.get('upload-offset'), after }
    return { ...head, code: body.error?.code, ...body }
  }
  const put = (uploadId: string, offset: number, bytes: Uint8Array, more: Record<string, string> = {}) =>
    putAt(url, uploadId, offset, bytes, more)
  const finish = (uploadId: string, more: { clientMessageId?: string; text?: string; sha256?: string } = {}) =>
    customer.completeUpload({ params: { roomId, uploadId }, query: {}, body: { clientMessageId: 'm', ...more } })
  const state = (uploadId: string) => customer.upload({ params: { roomId, uploadId }, query: {} })
  return { merchant, url, roomId, roomToken, customer, base, headers, begin, put, putAt, finish, state }
}

/** The first entry of an archive, in the format of the start of the file. */
function zipOf(name: string, content: string): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt32LE(crc32(content), 14)
  head.writeUInt32LE(content.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name + content)])
}

test('a file without a text is named in the list of rooms', async () => {
  const helpdesk = await aHelpdesk()
  const { begin, put, finish, merchant } = await aCustomer(helpdesk)
  const bytes = png()
  const { uploadId } = await begin(bytes, { fileName: 'receipt.png' })
  await put(uploadId, 0, bytes)
  await finish(uploadId)
  const { items } = await merchant.agent.rooms({ query: {} })
  expect(items).toMatchObject([{ lastMessagePreview: '[receipt.png]' }])
})

test('a file is uploaded in chunks and becomes a message once, with a link', async () => {
  const helpdesk = await aHelpdesk()
  const { begin, put, finish, merchant, customer, roomId, url, roomToken } = await aCustomer(helpdesk)
  const bytes = png(2_500)
  const ear = await listen(`${url}/api/widget/v1/rooms/${roomId}/events?tenantKey=${merchant.tenantKey}`, {
    'x-chat-room-token': roomToken,
  })
  await ear.next('ready')
  const { uploadId } = await begin(bytes, { fileName: '../..\\照片 "1".png' })
  expect(
    await put(uploadId, 0, bytes.subarray(0, 1_000), { 'content-digest': digestOf(bytes.subarray(0, 1_000)) }),
  ).toMatchObject({ status: 200, receivedBytes: 1_000, offset: '1000' })
  await refuses('UPLOAD_INCOMPLETE', finish(uploadId))
  expect(await put(uploadId, 1_000, bytes.subarray(1_000))).toMatchObject({ receivedBytes: 2_500 })
  const sent = await finish(uploadId, { text: ' look ', sha256: sha256(bytes) })
  expect(sent).toMatchObject({ messageType: 'media', text: 'look', seq: 1, duplicate: false })
  const [file] = sent.attachments
  expect(file).toMatchObject({
    fileName: '照片 "1".png',
    contentType: 'image/png',
    sizeBytes: 2_500,
    sha256: sha256(bytes),
    width: 640,
    height: 480,
  })
  expect(await finish(uploadId, { text: 'look' })).toEqual({ ...sent, duplicate: true })
  expect((await ear.next('message.created')).data.message.attachments).toEqual([file])
  const { items } = await merchant.bot.messages({ params: { roomId }, query: {} })
  expect(items).toHaveLength(1)
  // Its caption alone is another message, and an agent who is behind gets the file.
  const caption = { text: 'look', clientMessageId: 'm' }
  await refuses('CLIENT_MESSAGE_ID_CONFLICT', merchant.bot.sendCustomerText({ params: { roomId }, body: caption }))
  await refuses('CLIENT_MESSAGE_ID_CONFLICT', customer.send({ params: { roomId }, query: {}, body: caption }))
  const behind = { text: 'which file?', clientMessageId: 'r', expectedLastSeq: 0 }
  const stale = await refuses('STALE_ROOM', merchant.agent.reply({ params: { roomId }, body: behind }))
  expect(stale.detail['details']).toMatchObject([{ newer: [{ text: 'look', attachments: [file] }] }])

  const link = (file?.downloadUrl ?? '').replace('http://127.0.0.1:8787', url)
  const whole = await fetch(link)
  expect(sha256(new Uint8Array(await whole.arrayBuffer()))).toBe(sha256(bytes))
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'content-disposition': `inline; filename="__ _1_.png"; filename*=UTF-8''${encodeURIComponent('照片 "1".png')}`,
  })
  const part = async (range: string) => {
    const response = await fetch(link, { headers: { range } })
    return [response.status, response.headers.get('content-range'), Buffer.from(await response.arrayBuffer())]
  }
  expect(await part('bytes=10-19')).toEqual([206, 'bytes 10-19/2500', bytes.subarray(10, 20)])
  expect(await part('bytes=2490-')).toEqual([206, 'bytes 2490-2499/2500', bytes.subarray(2_490)])
  expect(await part('bytes=-5')).toEqual([206, 'bytes 2495-2499/2500', bytes.subarray(2_495)])
  expect((await part('bytes=2500-')).slice(0, 2)).toEqual([416, 'bytes */2500'])
  const since = async (etag: string) =>
    (await fetch(link, { headers: { range: 'bytes=10-19', 'if-range': etag } })).status
  expect(await since(whole.headers.get('etag') ?? '')).toBe(206)
  expect((await part('bytes=19-10')).slice(0, 2)).toEqual([200, null])
  for (const other of ['"another"', `W/${whole.headers.get('etag')}`, 'Sun, 01 Mar 2026 08:00:00 GMT'])
    expect(await since(other)).toBe(200)
  expect((await fetch(link.replace(/(?<=sig=)./, (first) => (first === '_' ? '-' : '_')))).status).toBe(404)
  helpdesk.clock.now += 3 * 3_600_000
  expect((await fetch(link)).status).toBe(404)
})

test('a chunk at a wrong offset is rejected with the right one, and none of it is stored', async () => {
  const { begin, put, state } = await aCustomer(await aHelpdesk())
  const bytes = png(300)
  const { uploadId } = await begin(bytes)
  await put(uploadId, 0, bytes.subarray(0, 100))
  for (const offset of [0, 50, 200])
    expect(await put(uploadId, offset, bytes.subarray(offset, offset + 50))).toMatchObject({
      status: 409,
      code: 'UPLOAD_OFFSET_MISMATCH',
      error: { details: [{ receivedBytes: 100 }] },
    })
  expect(await put(uploadId, 100, bytes.subarray(100), { 'content-digest': digestOf(bytes) })).toMatchObject({
    status: 422,
    code: 'CHECKSUM_MISMATCH',
  })
  for (const [digest, status] of [
    ['sha-256=:AAAA:', 400],
    ['sha-256', 400],
    [`sha-512=:AAAA:, ${digestOf(bytes)}`, 422],
  ] as const)
    expect(await put(uploadId, 100, bytes.subarray(100, 110), { 'content-digest': digest })).toMatchObject({ status })
  for (const [at, with_] of [
    [100, (digest: string) => `sha-512=:AAAA:, ${digest}`],
    [110, (digest: string) => `${digest};q=1,md5=:AAAA:`],
    [120, () => 'sha-512=:AAAA:'],
  ] as const) {
    const piece = bytes.subarray(at, at + 10)
    expect(await put(uploadId, at, piece, { 'content-digest': with_(digestOf(piece)) })).toMatchObject({ status: 200 })
  }
  // The sender's type of the bytes has no effect.
  for (const type of ['foo', ';;', '', 'application/json'])
    expect(await put(uploadId, 0, bytes, { 'content-type': type })).toMatchObject({ status: 409 })
  expect(await put(uploadId, 130, Buffer.alloc(201))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  expect(await put(uploadId, 130, Buffer.alloc(0))).toMatchObject({ status: 400 })
  expect(await state(uploadId)).toMatchObject({ receivedBytes: 130, complete: false })
})

/** Polls until a chunk of the upload is being written. */
const isHeld = ({ app }: Helpdesk, uploadId: string) =>
  expect.poll(async () => {
    const row = await app.store.read(({ q }) =>
      q.selectFrom('chat_uploads').selectAll().where('id', '=', uploadId).executeTakeFirst(),
    )
    return row !== undefined && row.writer !== null
  })

test('the bytes before a lost connection are kept, and the upload continues from there', async () => {
  const helpdesk = await aHelpdesk()
  const { begin, put, finish, state, base, headers } = await aCustomer(helpdesk)
  const bytes = png(200_000)
  const { uploadId } = await begin(bytes)
  await new Promise<void>((resolve, reject) => {
    const cut = request(`${base}/${uploadId}/chunk`, {
      method: 'PUT',
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'upload-offset': '0',
        'content-length': '200000',
      },
    })
    cut.on('error', () => resolve())
    // Closed when the server is receiving it: the earlier bytes are then in flight.
    cut.write(bytes.subarray(0, 70_000), () => {
      isHeld(helpdesk, uploadId)
        .toBe(true)
        .then(() => cut.destroy(), reject)
    })
  })
  // The status request waits for the server's write, and returns its result.
  expect((await state(uploadId)).receivedBytes).toBe(70_000)
  expect((await begin(bytes)).receivedBytes).toBe(70_000)
  await put(uploadId, 70_000, bytes.subarray(70_000))
  expect((await finish(uploadId)).attachments[0]?.sha256).toBe(sha256(bytes))
})

test('a connection lost before the server reads it leaves no lock and nothing waiting', async () => {
  const { helpdesk, hold, hasHeld } = await aLateHelpdesk({ closeWithinMs: 600_000 })
  const { begin, put, state, finish, base, headers, url } = await aCustomer(helpdesk)
  const bytes = png(2_000)
  const { uploadId } = await begin(bytes)
  /** Sends the start of a request, and closes the connection while the server waits for its database. */
  const dropped = async (method: string, path: string, more: Record<string, string>, sent: Uint8Array) => {
    const release = hold()
    const { closed } = nextRequest()
    const cut = request(path, { method, headers: { ...headers, ...more, 'content-length': '2000' } })
    const disconnect = new Promise((resolve) => cut.on('error', resolve))
    await new Promise((resolve) => cut.write(sent, resolve))
    await hasHeld()
    cut.destroy()
    await Promise.all([disconnect, closed])
    release()
  }
  const chunk = { 'content-type': 'application/octet-stream', 'upload-offset': '0' }
  await dropped('PUT', `${base}/${uploadId}/chunk`, chunk, bytes.subarray(0, 700))
  await expect.poll(async () => (await state(uploadId)).receivedBytes).toBe(700)
  await dropped('PUT', `${base}/${uploadId}/chunk`, { ...chunk, 'upload-offset': '700' }, Buffer.alloc(0))
  expect(await put(uploadId, 700, bytes.subarray(700))).toMatchObject({ status: 200, receivedBytes: 2_000 })
  expect((await finish(uploadId)).attachments[0]?.sha256).toBe(sha256(bytes))
  await dropped('POST', `${url}/api/widget/v1/rooms`, { origin: 'https://shop.example' }, Buffer.from('{'))
  // A pending read of its body would wait longer than a test may take.
  await helpdesk.server.close()
})

test('routes outside the contracts fail in the same form, and reveal no reason', async () => {
  const { helpdesk, afterLook } = await aLateHelpdesk()
  const { base, headers, url, roomId } = await aCustomer(helpdesk)
  const answers = []
  for (const [method, path] of [
    ['PUT', `${base}/upl_01J0000000000000000000000A/chunk`],
    ['GET', `${url}/api/widget/v1/media/med_01J0000000000000000000000A?exp=1&sig=x`],
    ['GET', `${url}/api/widget/v1/rooms/${roomId}/events`],
  ] as const) {
    afterLook(() => Promise.reject(new Error('the disk is at /secret')))
    const response = await fetch(path, { method, headers: { ...headers, origin: 'https://shop.example' } })
    afterLook(undefined)
    const body = (await response.json()) as { error?: { code: string; message: string } }
    answers.push([response.status, body.error?.code, JSON.stringify(body).includes('secret')])
  }
  expect(answers).toEqual(Array(3).fill([500, 'INTERNAL_ERROR', false]))
  expect(helpdesk.failures.splice(0)).toHaveLength(3)
})

test('a file canceled during its upload is removed, which is no error of the server', async () => {
  const { helpdesk, afterLook } = await aLateHelpdesk()
  const { begin, put, finish, customer, roomId } = await aCustomer(helpdesk)
  const bytes = png(100)
  const sent: string[] = []
  // After each read during its sending, the upload is canceled.
  for (let looks = 1; looks < 8; looks++) {
    const { uploadId } = await begin(bytes, { clientUploadId: `u${looks}` })
    await put(uploadId, 0, bytes)
    let left = looks
    afterLook(async () => {
      if (--left !== 0) return
      afterLook(undefined)
      await customer.abortUpload({ params: { roomId, uploadId }, query: {} })
    })
    const outcome = await finish(uploadId, { clientMessageId: `m${looks}` }).then(
      () => 'sent',
      (error: { code: string }) => error.code,
    )
    afterLook(undefined)
    sent.push(outcome)
    if (outcome === 'sent') break
  }
  // Before it exists, and up to the last read; a later cancellation is too late.
  expect([...new Set(sent)]).toEqual(['UPLOAD_EXPIRED', 'sent'])
  expect(helpdesk.failures).toEqual([])
})

/** A chunk with its first half sent; `finish` sends the rest and returns the status. */
async function halfChunk(url: string, headers: Record<string, string>, bytes: Uint8Array) {
  const sent = request(url, {
    method: 'PUT',
    headers: {
      ...headers,
      'content-type': 'application/octet-stream',
      'upload-offset': '0',
      'content-length': String(bytes.byteLength),
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    sent.on('error', reject)
  })
  const half = bytes.byteLength / 2
  await new Promise((resolve) => sent.write(bytes.subarray(0, half), resolve))
  return {
    finish: () => {
      sent.end(bytes.subarray(half))
      return answered
    },
  }
}

test.each(keepingEngines)(
  'on $name the acknowledged bytes are the stored ones, in any receiving process',
  async (engine) => {
    const mediaFolder = mkdtempSync(join(tmpdir(), 'countroom-media-'))
    const database = await engine.database()
    const one = await aHelpdesk({ mediaFolder, store: (now) => database.open({ migrations: world, now }) })
    const store =
      engine === postgres
        ? (now: () => number) => database.open({ migrations: world, now })
        : async (_now: () => number) => one.app.store
    const two = await aHelpdesk({ mediaFolder, store })
    const { begin, put, putAt, finish, base, headers } = await aCustomer(one)
    const { url } = await two.server.listen()
    const [mine, theirs] = [png(1_000), png(1_000)]

    // Another writer's chunk waits for the one in progress.
    const first = await begin(mine)
    const slow = await halfChunk(`${base}/${first.uploadId}/chunk`, headers, mine)
    await isHeld(one, first.uploadId).toBe(true)
    for (const at of [url, base.slice(0, base.indexOf('/api'))]) {
      const refused = await putAt(at, first.uploadId, 0, theirs.subarray(0, 500))
      expect([refused.status, refused.code]).toEqual([423, 'UPLOAD_LOCKED'])
      expect(Number(refused.after)).toBeGreaterThan(0)
    }
    expect(await slow.finish()).toBe(200)
    expect((await finish(first.uploadId, { sha256: sha256(mine) })).attachments[0]?.sha256).toBe(sha256(mine))

    // A writer whose lease was taken over overwrites nothing.
    const second = await begin(theirs, { clientUploadId: 'v' })
    const sleeper = await halfChunk(`${base}/${second.uploadId}/chunk`, headers, mine)
    await isHeld(one, second.uploadId).toBe(true)
    two.clock.now += 11_000
    const lies = { 'content-digest': digestOf(mine) }
    expect((await putAt(url, second.uploadId, 0, theirs.subarray(0, 400), lies)).code).toBe('CHECKSUM_MISMATCH')
    expect(await putAt(url, second.uploadId, 0, theirs.subarray(0, 400))).toMatchObject({ receivedBytes: 400 })
    expect(await sleeper.finish()).toBe(409)
    expect(await put(second.uploadId, 400, theirs.subarray(400))).toMatchObject({ status: 200, receivedBytes: 1_000 })
    const sent = await finish(second.uploadId, { clientMessageId: 'n', sha256: sha256(theirs) })
    const link = (sent.attachments[0]?.downloadUrl ?? '').replace('http://127.0.0.1:8787', url)
    expect(sha256(new Uint8Array(await (await fetch(link)).arrayBuffer()))).toBe(sha256(theirs))
    expect(readdirSync(mediaFolder)).toHaveLength(2)
  },
)

test('bytes left uncounted by a crash are overwritten by a restarted server', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-media-'))
  const helpdesk = await aHelpdesk({ mediaFolder: folder })
  const { begin, put, finish } = await aCustomer(helpdesk)
  const bytes = png(3_000)
  const { uploadId } = await begin(bytes)
  await put(uploadId, 0, bytes.subarray(0, 1_000))
  appendFileSync(fileOf(folder, { id: uploadId, copy: 0 }), Buffer.alloc(1_500, 1))
  await put(uploadId, 1_000, bytes.subarray(1_000))
  expect((await finish(uploadId, { sha256: sha256(bytes) })).attachments[0]?.sha256).toBe(sha256(bytes))
})

test('a forbidden file is rejected before any byte, and a file of another type than declared after the last', async () => {
  const { begin, put, finish } = await aCustomer(await aHelpdesk())
  const bytes = png(100)
  for (const contentType of ['image/svg+xml', 'text/html', 'application/javascript', 'application/x-msdownload', ''])
    await refuses('FILE_TYPE_NOT_ALLOWED', begin(bytes, { contentType }))
  for (const [fileName, contentType] of [
    ['invoice.html', 'text/plain'],
    ['run.js', 'text/plain'],
    ['A.BAT', 'text/plain'],
    ['run.js. .', 'text/plain'],
    ['x.svg', 'text/csv'],
    ['setup.exe', 'application/zip'],
    ['macro.xlsm', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['photo.\u202ejs', 'image/png'],
    ['a.pdf', 'image/png'],
    ['a.png', 'text/plain'],
  ])
    await refuses('FILE_TYPE_NOT_ALLOWED', begin(bytes, { fileName: fileName ?? '', contentType: contentType ?? '' }))
  await refuses('FILE_TOO_LARGE', begin(bytes, { sizeBytes: 50 * 1_048_576 + 1 }))
  await refuses('INVALID_PARAMETER', begin(bytes, { sizeBytes: 0 }))
  const liar = Buffer.from('<html><script>alert(1)</script>')
  for (const [i, contentType] of ['image/png', 'text/plain', 'application/pdf'].entries()) {
    const { uploadId } = await begin(liar, { contentType, fileName: 'a', clientUploadId: `l${i}` })
    await put(uploadId, 0, liar)
    await refuses('FILE_TYPE_NOT_ALLOWED', finish(uploadId))
  }
  await refuses('UPLOAD_LIMIT', begin(bytes, { clientUploadId: 'fourth' }))
})

test('a merchant’s limits apply to its rooms and are reported, and canceled uploads do not bypass them', async () => {
  const helpdesk = await aHelpdesk()
  const { begin, put, customer, merchant, roomId, state } = await aCustomer(helpdesk)
  const mib = 1_048_576
  await expect(setUploadLimits(helpdesk.app, merchant.code, { maxFileBytes: mib - 1 })).rejects.toThrow('maxFileBytes')
  await expect(setUploadLimits(helpdesk.app, merchant.code, { maxBytesPerDay: mib })).rejects.toThrow(
    'the daily limit of a room',
  )
  await setUploadLimits(helpdesk.app, merchant.code, { maxFileBytes: mib, maxBytesPerDay: mib, maxOpenUploads: 1 })
  expect((await customer.config({ query: {} })).upload).toMatchObject({
    maxFileBytes: mib,
    maxBytesPerDay: mib,
    maxOpenUploads: 1,
  })
  await refuses('FILE_TOO_LARGE', begin(png(mib + 1)))
  const large = png(mib)
  const { uploadId } = await begin(large)
  await refuses('UPLOAD_LIMIT', begin(png(100), { clientUploadId: 'second' }))
  await put(uploadId, 0, large.subarray(0, 600_000))
  await customer.abortUpload({ params: { roomId, uploadId }, query: {} }).catch(() => {})
  await refuses('UPLOAD_EXPIRED', state(uploadId))
  // Received bytes count, and missing ones do not.
  await refuses('UPLOAD_LIMIT', begin(png(500_000), { clientUploadId: 'third' }))
  await begin(png(400_000), { clientUploadId: 'fourth' })
  helpdesk.clock.now += 86_400_001
  await begin(large, { clientUploadId: 'fifth' })
})

test('an upload belongs to its room, can be canceled, and ends a day after its last chunk', async () => {
  const helpdesk = await aHelpdesk()
  const { begin, put, customer, merchant, roomId, state, base } = await aCustomer(helpdesk)
  const bytes = png(100)
  const { uploadId } = await begin(bytes)
  await put(uploadId, 0, bytes.subarray(0, 50))
  const other = await merchant.bot.openRoom({ body: { customerAccount: 'b' } })
  const thief = widgetClient(helpdesk, merchant.tenantKey, other.roomToken)
  await refuses('UPLOAD_NOT_FOUND', thief.upload({ params: { roomId: other.roomId, uploadId }, query: {} }))
  await refuses('INVALID_ROOM_TOKEN', thief.upload({ params: { roomId, uploadId }, query: {} }))
  const keyed = await fetch(`${base}/${uploadId}/chunk`, {
    method: 'PUT',
    headers: { 'x-chat-apikey': merchant.apiKey, 'x-chat-tenant-key': merchant.tenantKey, 'upload-offset': '50' },
    body: 'x',
  })
  expect(keyed.status).toBe(401)
  const path = fileOf(helpdesk.app.config.mediaFolder, { id: uploadId, copy: 0 })
  expect(existsSync(path)).toBe(true)
  helpdesk.clock.now += 86_400_000
  await refuses('UPLOAD_EXPIRED', state(uploadId))
  for (const pass of chatJobs(helpdesk.app)) await pass.run(100)
  expect(existsSync(path)).toBe(false)
  const second = await begin(bytes, { clientUploadId: 'v' })
  await put(second.uploadId, 0, bytes)
  await customer.abortUpload({ params: { roomId, uploadId: second.uploadId }, query: {} }).catch(() => {})
  await refuses('UPLOAD_EXPIRED', state(second.uploadId))
})

describe('names and types', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\x\\a.txt', 'a.txt'],
    ['gpj.\u202eexe', 'gpj.exe'],
    ['a\u0000b\n.png', 'ab.png'],
    ['..', 'file'],
    ['', 'file'],
    [`${'字'.repeat(100)}.png`, `${'字'.repeat(65)}.png`],
  ])('%j is stored as %j', (sent, kept) => {
    expect(safeFileName(sent)).toBe(kept)
  })

  test.each([
    ['Screenshot 2026.03.01', 'image/png'],
    ['notes', 'text/plain'],
    ['notes.md', 'text/plain'],
    ['rates.CSV', 'text/plain'],
    ['报告.docx', 'application/zip'],
    ['exe', 'text/plain'],
    ['html.txt', 'text/plain'],
    ['IMG.JPG', 'image/jpeg'],
  ])('%j can be a file of type %s', (name, type) => {
    expect(isNameFor(type, name)).toBe(true)
  })

  const office = (kind: string) => `application/vnd.openxmlformats-officedocument.${kind}`
  const [word, sheet] = [office('wordprocessingml.document'), office('spreadsheetml.sheet')]
  const typesPart = `<Types><Override ContentType="${word}.main+xml"/></Types>`
  const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0isomiso2`)
  const ogg = (codec: string) =>
    Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from(codec, 'latin1')])
  const frame = (byte: number) => Buffer.concat([Buffer.of(0xff, byte, 0x90, 0x64), Buffer.alloc(400, 0x55)])

  test.each<[what: string, head: Buffer, types: readonly string[]]>([
    ['a PNG', png(200), ['image/png']],
    ['a WebP', Buffer.from('RIFF\x10\0\0\0WEBPVP8 xxxxxxxx'), ['image/webp']],
    ['a PDF', Buffer.from('%PDF-1.7\n\0'), ['application/pdf']],
    ['an MP4', ftyp('isom'), ['video/mp4']],
    ['an MP4 of a phone', ftyp('3gp4'), ['video/mp4']],
    ['a HEIC, which has the box of an MP4', ftyp('heic'), []],
    [
      'a WebM',
      Buffer.from('1a45dfa3 9f 4286 81 01 4282 84 7765626d 4287 81 04'.replaceAll(' ', ''), 'hex'),
      ['video/webm'],
    ],
    ['an MP3', frame(0xfb), ['audio/mpeg']],
    [
      'an MP3 with a tag',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x0a'), Buffer.alloc(10), frame(0xfb)]),
      ['audio/mpeg'],
    ],
    ['an Ogg with Vorbis', ogg('\x01vorbis\0\0'), ['audio/ogg']],
    ['an Ogg with Opus', ogg('OpusHead'), ['audio/ogg']],
    ['an Ogg with video', ogg('\x80theora\0'), []],
    ['a WAV', Buffer.from('RIFF\x10\0\0\0WAVEfmt '), ['audio/wav']],
    ['an archive', zipOf('a.txt', 'x'), ['application/zip', word, sheet]],
    ['a Word document', zipOf('[Content_Types].xml', typesPart), ['application/zip', word]],
    ['an Android app', zipOf('classes.dex', 'x'), []],
    ['text', Buffer.from('price;\u20ac 5\n'), ['text/plain', 'text/csv']],
    ['text that begins like a bitmap', Buffer.from('BM, 2026\n'), ['text/plain', 'text/csv']],
    ['a page', Buffer.from('<!doctype html><p>x'), []],
    ['an unknown format', Buffer.from([0, 1, 2, 3]), []],
  ])('%s is recognized as its type and as no other', async (_, head, types) => {
    const matches = await Promise.all(contentTypes.map(async (type) => ((await isOfType(type, head)) ? [type] : [])))
    expect(matches.flat().toSorted()).toEqual(types.toSorted())
  })

  test('a picture has its width and height', async () => {
    expect(sizeOfPicture('image/png', png())).toEqual({ width: 640, height: 480 })
    const gif = Buffer.from('474946383961 0a00 1400 000000'.replaceAll(' ', ''), 'hex')
    expect([await isOfType('image/gif', gif), sizeOfPicture('image/gif', gif)]).toEqual([
      true,
      { width: 10, height: 20 },
    ])
    const jpeg = Buffer.from(
      'ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 0040 0080 03 000000000000000000'.replaceAll(' ', ''),
      'hex',
    )
    expect([await isOfType('image/jpeg', jpeg), sizeOfPicture('image/jpeg', jpeg)]).toEqual([
      true,
      { width: 128, height: 64 },
    ])
    expect(sizeOfPicture('image/png', Buffer.from('89'))).toBeUndefined()
  })
})
