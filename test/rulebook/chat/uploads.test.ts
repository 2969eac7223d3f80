import { describe, expect, test } from 'vitest'
import { setUploadLimits } from '../../../src/services/chat/admin.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { aHelpdesk, ask, beginUpload, putChunk, uploaded } from './ask.ts'
import { upload as book } from './limits.ts'

const mib = 1_048_576

/** Rooms of a separate world, whose clock the test may advance. */
async function helpdesk() {
  const time = aClock()
  const of = await aHelpdesk(await testWorld({ time }))
  let made = 0
  const aRoom = async () => ({ ...of, room: await ask(of, 'POST /rooms', { customerAccount: `u-${++made}` }) })
  return { of, time, aRoom }
}

const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => body?.error?.code ?? status

describe('the size of a file', () => {
  test('is 50 MiB at most, and between 1 MiB and 1 GiB if the merchant sets it', async () => {
    const { of, aRoom } = await helpdesk()
    const sizes = async (limit: number) => {
      const answers = []
      for (const sizeBytes of [limit - 1, limit, limit + 1])
        answers.push(codeOf(await beginUpload(await aRoom(), { sizeBytes })))
      return answers
    }
    const publishedLimit = async () =>
      (await ask(of, `GET /api/widget/v1/config?tenantKey=${of.tenantKey}`, null, {})).body.upload.maxFileBytes
    expect([await sizes(book.fileBytes), await publishedLimit()]).toEqual([
      [201, 201, 'FILE_TOO_LARGE'],
      book.fileBytes,
    ])
    const { least, most } = book.settable
    const set = (maxFileBytes: number) =>
      setUploadLimits(of.world.chat, of.code, { maxFileBytes, maxBytesPerDay: 4 * most })
    for (const limit of [least, most]) {
      await set(limit)
      expect([await sizes(limit), await publishedLimit()]).toEqual([[201, 201, 'FILE_TOO_LARGE'], limit])
    }
    for (const limit of [least - 1, most + 1]) await expect(set(limit)).rejects.toThrow('maxFileBytes')
  })
})

describe('500 MiB a room a day', () => {
  test('apply to the byte, for each room, and start again after 24 hours', async () => {
    const { time, aRoom } = await helpdesk()
    const room = await aRoom()
    const announce = async (sizeBytes: number) => {
      const begun = await beginUpload(room, { sizeBytes })
      if (begun.status !== 201) return codeOf(begun)
      // Counted as if all of it had arrived, as the daily limit does.
      await room.world.store.write(({ q }) =>
        q.updateTable('chat_uploads').set({ state: 'done' }).where('id', '=', begun.body.uploadId).execute(),
      )
      return begun.status
    }
    for (let i = 0; i < book.bytesPerRoomAndDay / book.fileBytes - 1; i++) expect(await announce(50 * mib)).toBe(201)
    expect(await announce(50 * mib - 1)).toBe(201)
    expect([await announce(2), await announce(1), await announce(1)]).toEqual(['UPLOAD_LIMIT', 201, 'UPLOAD_LIMIT'])
    expect((await beginUpload(await aRoom())).status).toBe(201)
    time.add('24h')
    time.add('-1s')
    expect(await announce(1)).toBe('UPLOAD_LIMIT')
    time.add('2s')
    expect(await announce(50 * mib)).toBe(201)
  })
})

describe('an upload', () => {
  test.each([-1, 0, 1])('is over 24 hours after its last chunk: %i seconds', async (more) => {
    const { of, time, aRoom } = await helpdesk()
    const room = await aRoom()
    const { body } = await beginUpload(room)
    const lifeMs = book.diesAfterHours * 3_600_000
    expect(Date.parse(body.expiresAt)).toBe(time.now() + lifeMs)
    time.add('23h')
    expect((await putChunk(room, body.uploadId, 0, 'x')).body).toMatchObject({ receivedBytes: 1, complete: false })
    time.add(`${lifeMs + more * 1000}ms`)
    await of.world.settle()
    const upload = await uploaded(room, 'GET', body.uploadId)
    const chunk = await putChunk(room, body.uploadId, 1, 'x')
    if (more < 0) expect([upload.status, chunk.status]).toEqual([200, 200])
    if (more > 0) expect([codeOf(upload), codeOf(chunk)]).toEqual(['UPLOAD_EXPIRED', 'UPLOAD_EXPIRED'])
  })

  test('counts among the three of its room as long as it is open, also beyond a day', async () => {
    const { time, aRoom } = await helpdesk()
    const room = await aRoom()
    const begun = []
    for (let i = 0; i < book.openPerRoom; i++) begun.push((await beginUpload(room)).body.uploadId)
    expect(codeOf(await beginUpload(room))).toBe('UPLOAD_LIMIT')
    time.add('20h')
    for (const id of begun) await putChunk(room, id, 0, 'x')
    time.add('20h')
    expect(codeOf(await beginUpload(room))).toBe('UPLOAD_LIMIT')
    await uploaded(room, 'DELETE', begun[0])
    expect((await beginUpload(room)).status).toBe(201)
    expect(codeOf(await beginUpload(room))).toBe('UPLOAD_LIMIT')
    // The others made no progress: they are over, and no longer count.
    time.add('24h')
    expect((await beginUpload(room)).status).toBe(201)
  })

  test('accepts a chunk of 1 MiB at most', async () => {
    const { aRoom } = await helpdesk()
    for (const more of [-1, 0, 1]) {
      const room = await aRoom()
      const { body } = await beginUpload(room, { sizeBytes: 2 * mib })
      const { maxChunkBytes } = book
      const chunk = await putChunk(room, body.uploadId, 0, 'x'.repeat(maxChunkBytes + more))
      expect(codeOf(chunk)).toBe(more > 0 ? 'PAYLOAD_TOO_LARGE' : 200)
    }
    const room = await aRoom()
    const { body } = await beginUpload(room)
    expect(codeOf(await putChunk(room, body.uploadId, 0, 'x'.repeat(11)))).toBe('PAYLOAD_TOO_LARGE')
    // Over a socket: an empty chunk is distinguished from a lost connection.
    const { url } = await room.world.server.listen({ port: 0 })
    const path = `/api/widget/v1/rooms/${room.room.body.roomId}/media/${body.uploadId}/chunk`
    const headers = { 'x-chat-room-token': room.room.body.roomToken, 'upload-offset': '0' }
    const empty = await fetch(`${url}${path}?tenantKey=${room.tenantKey}`, { method: 'PUT', headers })
    expect([empty.status, JSON.parse(await empty.text()).error.code]).toEqual([400, 'INVALID_PARAMETER'])
  })

  test.each(book.fileNames)('called $sent is called $kept', async ({ sent, kept }) => {
    const { aRoom } = await helpdesk()
    const room = await aRoom()
    const { status, body } = await beginUpload(room, { fileName: sent, sizeBytes: 1 })
    expect(status).toBe(201)
    await putChunk(room, body.uploadId, 0, 'x')
    const done = await uploaded(room, 'POST', `${body.uploadId}/complete`, { clientMessageId: 'm' })
    expect(done.body.attachments[0].fileName).toBe(kept)
    expect(Buffer.byteLength(done.body.attachments[0].fileName)).toBeLessThanOrEqual(book.fileNameBytes)
  })
})

test('a link to a file is valid until the hour after the one it is created in, and the same within an hour', async () => {
  const { time, aRoom } = await helpdesk()
  const room = await aRoom()
  const { body } = await beginUpload(room, { sizeBytes: 1 })
  await putChunk(room, body.uploadId, 0, 'x')
  const { attachments } = (await uploaded(room, 'POST', `${body.uploadId}/complete`, { clientMessageId: 'm' })).body
  const [{ downloadUrl, downloadUrlExpiresAt }] = attachments
  const { pathname, search } = new URL(downloadUrl)
  const status = async () =>
    (await room.world.server.inject({ method: 'GET', path: `${pathname}${search}`, headers: {} })).status
  const hour = book.link.hourMs
  expect(Date.parse(downloadUrlExpiresAt)).toBe((Math.floor(time.now() / hour) + 1 + book.link.hoursMore) * hour)
  time.add(`${Date.parse(downloadUrlExpiresAt) - time.now() - 1000}ms`)
  expect(await status()).toBe(200)
  time.add('2s')
  expect(await status()).toBe(404)
})
