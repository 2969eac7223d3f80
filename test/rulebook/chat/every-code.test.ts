import { createHash } from 'node:crypto'
import { describe, onTestFinished } from 'vitest'
import { saveForm, setOrigins } from '../../../src/services/chat/admin.ts'
import { agent, chat, widget } from '../../../src/services/chat/api/contract.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { everyCode } from '../every-code.ts'
import { shared } from '../shared.ts'
import { aHelpdesk, aShop, ask, beginUpload, putChunk, uploaded } from './ask.ts'
import * as book from './errors.ts'
import { limitedWorkflow } from './forms.ts'
import { upload } from './limits.ts'

const helpdesk = shared((world) => aHelpdesk(world))
let made = 0

/** A separate room for uploads, because its open uploads and bytes are counted. */
async function aRoom() {
  const { body } = await ask(helpdesk(), 'POST /rooms', { customerAccount: `codes-${++made}` })
  return { ...helpdesk(), room: { body } }
}
const begun = async (change: object = {}) => {
  const of = await aRoom()
  return { of, uploadId: (await beginUpload(of, change)).body.uploadId as string }
}
const agents = (endpoint: string, sent: object) =>
  ask(helpdesk(), helpdesk().named(endpoint), sent, { 'x-chat-agenttoken': helpdesk().agentToken })
const bots = (endpoint: string, sent?: object | string | null, headers?: Record<string, string>) =>
  ask(helpdesk(), helpdesk().named(endpoint), sent, { 'x-chat-apikey': helpdesk().apiKey, ...headers })

/** A request of the widget in a room. */
const inRoom = (of: Awaited<ReturnType<typeof aRoom>>, path: string, sent: object) =>
  ask(of, `POST /api/widget/v1/rooms/${of.room.body.roomId}/${path}?tenantKey=${of.tenantKey}`, sent, {
    'x-chat-room-token': of.room.body.roomToken,
  })

/** A room's stream, which is refused before it opens. */
async function refusedStream() {
  const world = await testWorld({ rateLimits: true })
  const of = await aHelpdesk(world)
  const { url } = await world.server.listen({ port: 0 })
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const path = `${url}/api/widget/v1/rooms/${of.room.body.roomId}/events?tenantKey=${of.tenantKey}`
  for (;;) {
    const headers = { 'x-chat-room-token': of.room.body.roomToken }
    const reply = await fetch(path, { headers, signal: controller.signal })
    if (reply.status === 429) world.clock.add('1m')
    else if (reply.status !== 200) return { status: reply.status, body: await reply.json() }
  }
}

describe('contracts', () => {
  everyCode(
    {
      book: { ...book.errors, ...book.ownErrors },
      contract: { ...chat.problems, ...widget.problems, ...agent.problems },
    },
    {
      UNAUTHORIZED: () => ask(helpdesk(), 'GET /tickets', null, { 'x-chat-apikey': 'wrong' }),
      INVALID_TENANT_KEY: () => ask(helpdesk(), 'GET /api/widget/v1/config?tenantKey=wrong', null, {}),
      INVALID_ROOM_TOKEN: () =>
        ask(
          helpdesk(),
          helpdesk().named(`GET /api/widget/v1/rooms/{room}?tenantKey=${helpdesk().tenantKey}`),
          null,
          {},
        ),
      PLAN_REQUIRED: async () => ask(await aShop(helpdesk().world, 'free'), 'GET /tickets'),
      async ORIGIN_NOT_ALLOWED() {
        const shop = await aShop(helpdesk().world)
        await setOrigins(helpdesk().world.chat, shop.code, ['https://shop.example'])
        const origin = { origin: 'https://elsewhere.example' }
        return ask(shop, `GET /api/widget/v1/config?tenantKey=${shop.tenantKey}`, null, origin)
      },
      IDENTITY_INVALID() {
        const identity = { customerAccount: 'ann', issuedAt: 1, signature: '0'.repeat(64) }
        return ask(helpdesk(), 'POST /api/widget/v1/rooms', { tenantKey: helpdesk().tenantKey, identity }, {})
      },
      NOT_FOUND: () => bots('GET /nothing'),
      ROOM_NOT_FOUND: () => bots('GET /rooms/room_none/messages'),
      TICKET_NOT_FOUND: () => bots('GET /tickets/999999'),
      FORM_NOT_FOUND: () => bots('GET /forms/none'),
      AGENT_NOT_FOUND: () => agents('POST /api/agent/v1/rooms/{room}/assign', { agentId: 'agt_none' }),
      async UPLOAD_NOT_FOUND() {
        return putChunk(await aRoom(), 'upl_01JZZZZZZZZZZZZZZZZZZZZZZZ', 0, 'x')
      },
      METHOD_NOT_ALLOWED: () => bots('DELETE /rooms'),
      INVALID_JSON: () => bots('POST /rooms', '[]'),
      INVALID_PARAMETER: () => bots('POST /rooms', {}),
      INVALID_STATUS: () => bots('POST /tickets/{ticket}/status', { status: 'opne' }),
      INVALID_FIELD_VALUES: () => bots('POST /tickets', { title: 'x', fieldValues: [{ fieldCode: 'none', value: 1 }] }),
      async FORM_UNREADABLE() {
        const { world, code } = helpdesk()
        const form = { title: 'Spoilt', description: '', fields: [], workflow: limitedWorkflow }
        await saveForm(world.chat, code, 'damaged', form)
        await world.store.write(({ q }) =>
          q.updateTable('chat_forms').set({ definition: '{' }).where('code', '=', 'damaged').execute(),
        )
        return bots('POST /tickets', { title: 'x', formCode: 'damaged' })
      },
      async TRANSITION_NOT_ALLOWED() {
        const form = { title: 'Limited', description: '', fields: [], workflow: limitedWorkflow }
        await saveForm(helpdesk().world.chat, helpdesk().code, 'limited', form)
        const { body } = await bots('POST /tickets', { title: 'x', formCode: 'limited' })
        return bots(`POST /tickets/${body.ticketId}/status`, { status: 'resolved' })
      },
      VERSION_CONFLICT: () => bots('POST /tickets/{ticket}/status', { status: 'resolved', expectedVersion: 99 }),
      async ASSIGNEE_CONFLICT() {
        const assign = (order: object) => agents('POST /api/agent/v1/rooms/{room}/assign', order)
        await assign({ agentId: 'me' })
        return assign({ agentId: null, expectedAssignee: 'agt_other' })
      },
      STALE_ROOM: () =>
        agents('POST /api/agent/v1/rooms/{room}/messages', {
          ...{ text: 'hello', clientMessageId: 'stale', expectedLastSeq: 0 },
        }),
      async CLIENT_MESSAGE_ID_CONFLICT() {
        const send = (text: string) =>
          bots('POST /rooms/{room}/messages/customer-text', { text, clientMessageId: 'twice' })
        await send('one')
        return send('two')
      },
      async CLIENT_COMMENT_ID_CONFLICT() {
        const comment = (content: string) =>
          bots('POST /tickets/{ticket}/comments', { content, clientCommentId: 'twice' })
        await comment('one')
        return comment('two')
      },
      async IDEMPOTENCY_KEY_REUSED() {
        const create = (title: string) => bots('POST /tickets', { title }, { 'idempotency-key': 'twice' })
        await create('one')
        return create('two')
      },
      async UPLOAD_OFFSET_MISMATCH() {
        const { of, uploadId } = await begun()
        return putChunk(of, uploadId, 3, 'x')
      },
      async UPLOAD_LOCKED() {
        const { of, uploadId } = await begun()
        // The state while another process stores a chunk.
        const until = of.world.chat.machineNow() + 3_000
        const turn = { writer: 'another', writer_until: until }
        await of.world.store.write(({ q }) =>
          q.updateTable('chat_uploads').set(turn).where('id', '=', uploadId).execute(),
        )
        return putChunk(of, uploadId, 0, 'x')
      },
      async UPLOAD_EXPIRED() {
        const { of, uploadId } = await begun()
        await uploaded(of, 'DELETE', uploadId)
        return putChunk(of, uploadId, 0, 'x')
      },
      async UPLOAD_INCOMPLETE() {
        const { of, uploadId } = await begun()
        return uploaded(of, 'POST', `${uploadId}/complete`, { clientMessageId: 'm' })
      },
      async UPLOAD_LIMIT() {
        const of = await aRoom()
        for (let i = 0; i < upload.openPerRoom; i++) await beginUpload(of)
        return beginUpload(of)
      },
      async CHECKSUM_MISMATCH() {
        const { of, uploadId } = await begun({ sizeBytes: 1 })
        await putChunk(of, uploadId, 0, 'x')
        const sha256 = createHash('sha256').update('another').digest('hex')
        return uploaded(of, 'POST', `${uploadId}/complete`, { clientMessageId: 'm', sha256 })
      },
      NOT_RATEABLE: async () => inRoom(await aRoom(), 'rating', { score: 5 }),
      async ALREADY_RATED() {
        const of = await aRoom()
        const path = `POST /api/agent/v1/rooms/${of.room.body.roomId}/close`
        await ask(of, path, null, { 'x-chat-agenttoken': of.agentToken })
        await inRoom(of, 'rating', { score: 1 })
        return inRoom(of, 'rating', { score: 5 })
      },
      NOTHING_TO_SEND: async () =>
        inRoom(await aRoom(), 'transcript', { email: 'ann@shop.example', clientTranscriptId: 'a' }),
      FILE_TOO_LARGE: async () => beginUpload(await aRoom(), { sizeBytes: upload.fileBytes + 1 }),
      PAYLOAD_TOO_LARGE: () => bots('POST /rooms', { customerAccount: 'x'.repeat(70_000) }),
      FILE_TYPE_NOT_ALLOWED: async () => beginUpload(await aRoom(), { contentType: 'text/html' }),
      async RATE_LIMITED() {
        const of = await aHelpdesk(await testWorld({ rateLimits: true }))
        for (;;) {
          const reply = await ask(of, 'GET /tickets')
          if (reply.status !== 200) return reply
        }
      },
      TOO_MANY_STREAMS: refusedStream,
      async INTERNAL_ERROR() {
        const of = await aHelpdesk(await testWorld())
        await of.world.store.close()
        return ask(of, 'GET /tickets')
      },
    },
  )
})
