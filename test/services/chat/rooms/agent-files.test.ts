import { expect, test } from 'vitest'
import { aHelpdesk, aMerchant, refuses, widgetClient } from '../helpdesk.ts'

/** Files of agents: the same three steps as in the widget, with the agent's token. */
async function aRoom() {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { url } = await helpdesk.server.listen()
  const { roomId, roomToken } = await merchant.bot.openRoom({ body: { customerAccount: 'amy' } })
  const params = { roomId }
  const put = async (uploadId: string, bytes: string, headers: Record<string, string>, api = 'agent') => {
    const response = await fetch(`${url}/api/${api}/v1/rooms/${roomId}/media/${uploadId}/chunk`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0', ...headers },
      body: bytes,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const asAgent = { 'x-chat-agenttoken': merchant.agentToken }
  const asCustomer = { 'x-chat-room-token': roomToken, 'x-chat-tenant-key': merchant.tenantKey }
  const widget = widgetClient(helpdesk, merchant.tenantKey, roomToken)
  return { ...merchant, helpdesk, params, put, asAgent, asCustomer, widget }
}

const input = { fileName: 'list.txt', contentType: 'text/plain', sizeBytes: 5, clientUploadId: 'u1' }

test('an agent sends a file once, and the customer sees it', async () => {
  const { agent, params, put, asAgent, widget } = await aRoom()
  const { uploadId } = await agent.initializeUpload({ params, body: input })
  expect((await put(uploadId, 'hello', asAgent)).body).toMatchObject({ receivedBytes: 5, complete: true })
  expect(await agent.initializeUpload({ params, body: input })).toMatchObject({ uploadId, receivedBytes: 5 })
  const complete = () =>
    agent.completeUpload({ params: { ...params, uploadId }, body: { clientMessageId: 'm1', text: 'Your list' } })
  expect(await complete()).toMatchObject({ senderType: 'agent', messageType: 'media', duplicate: false })
  expect(await complete()).toMatchObject({ duplicate: true })
  const { items } = await widget.messages({ params, query: {} })
  expect(items).toMatchObject([{ text: 'Your list', attachments: [{ fileName: 'list.txt', sizeBytes: 5 }] }])
  expect(await agent.room({ params })).toMatchObject({ customerUnreadCount: 1, agentUnreadCount: 0 })
})

test('customer and agent cannot reach each other’s uploads, even with the same client ID', async () => {
  const { agent, params, put, asAgent, asCustomer, widget } = await aRoom()
  const own = await agent.initializeUpload({ params, body: input })
  const theirs = await widget.initializeUpload({ params, query: {}, body: input })
  expect(theirs.uploadId).not.toBe(own.uploadId)
  const ofAgent = { ...params, uploadId: own.uploadId }
  const ofCustomer = { ...params, uploadId: theirs.uploadId }
  await refuses('UPLOAD_NOT_FOUND', widget.upload({ params: ofAgent, query: {} }))
  await refuses('UPLOAD_NOT_FOUND', agent.upload({ params: ofCustomer }))
  await refuses('UPLOAD_NOT_FOUND', widget.abortUpload({ params: ofAgent, query: {} }))
  expect((await put(theirs.uploadId, 'hello', asAgent)).status).toBe(404)
  expect((await put(own.uploadId, 'hello', asCustomer, 'widget')).status).toBe(404)
  await refuses(
    'UPLOAD_NOT_FOUND',
    widget.completeUpload({ params: ofAgent, query: {}, body: { clientMessageId: 'm' } }),
  )
  await agent.abortUpload({ params: ofAgent })
  await refuses('UPLOAD_EXPIRED', agent.upload({ params: ofAgent }))
})

test('a chunk needs the token of an agent, and a room of the merchant', async () => {
  const { agent, params, put, helpdesk } = await aRoom()
  const { uploadId } = await agent.initializeUpload({ params, body: input })
  expect((await put(uploadId, 'hello', { 'x-chat-agenttoken': 'no' })).status).toBe(401)
  const other = await aMerchant(helpdesk)
  expect((await put(uploadId, 'hello', { 'x-chat-agenttoken': other.agentToken })).status).toBe(404)
  await refuses('ROOM_NOT_FOUND', other.agent.initializeUpload({ params, body: input }))
})
