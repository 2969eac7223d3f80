import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { fromReply } from '../../../http/client/client.ts'
import type { Client } from '../../../http/contract/contract.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import { Problem } from '../../../kit/problem.ts'
import { agent as agentContract } from '../../../services/chat/api/contract.ts'
import { agentRoutes } from '../../../services/chat/api/reference.ts'
import type { Message } from '../../../services/chat/api/schemas.ts'
import { typeOfName } from '../../../services/chat/media/file-names.ts'
import { contentTypes } from '../../../services/chat/media/file-types.ts'

export type AgentClient = Client<typeof agentContract>

/** A file to send to the customer of a room. The key makes it one upload and one message. */
export interface FileToSend {
  readonly roomId: string
  readonly path: string
  readonly key: string
}

/**
 * Sends a file in chunks. Called again with the same key it continues after the last chunk that arrived, and returns the
 * message if it was sent already.
 */
export async function sendFile(
  { agent, transport }: { readonly agent: AgentClient; readonly transport: Transport },
  { roomId, path, key }: FileToSend,
): Promise<Message> {
  const name = basename(path)
  const contentType = typeOfName(name)
  if (contentType === undefined)
    throw new Problem(
      'FILE_TYPE_NOT_ALLOWED',
      `${name}: files of this type cannot be sent; allowed types: ${contentTypes.map((type) => type.split('/').at(-1)).join(', ')}`,
      { outcome: 'none' },
    )
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    if (size === 0) throw new Problem('INVALID_FILE', `${name} is empty`, { outcome: 'none' })
    const input = { fileName: name, contentType, sizeBytes: size, clientUploadId: key }
    const upload = await agent.initializeUpload({ params: { roomId }, body: input })
    const params = { roomId, uploadId: upload.uploadId }
    for (let at = upload.receivedBytes; at < size; )
      at = await sendChunk(transport, params, { at, bytes: await chunkOf(file, at, upload.maxChunkBytes) })
    const { duplicate: _, ...message } = await agent.completeUpload({ params, body: { clientMessageId: key } })
    return message
  } finally {
    await file.close()
  }
}

async function chunkOf(file: FileHandle, at: number, size: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, at)
  if (bytesRead === 0)
    throw new Problem('INVALID_FILE', 'The file became shorter while it was sent', { outcome: 'none' })
  return buffer.subarray(0, bytesRead)
}

/** Sends the next bytes and returns the number of bytes that the chat has now. */
async function sendChunk(
  transport: Transport,
  { roomId, uploadId }: { readonly roomId: string; readonly uploadId: string },
  { at, bytes }: { readonly at: number; readonly bytes: Uint8Array },
): Promise<number> {
  const { path, method } = agentRoutes.uploadChunk
  const reply = await transport({
    method,
    path: agentContract.prefixes[0] + path.replace(':roomId', roomId).replace(':uploadId', uploadId),
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream', 'upload-offset': String(at) },
    body: bytes,
  })
  if (reply.status === 409) return offsetIn(reply.body) ?? at
  // The response has the fields of an upload's progress, of which one is needed.
  if (reply.status !== 200) fromReply(agentContract, 'upload', reply)
  const received = Number(Reflect.get(JSON.parse(reply.body), 'receivedBytes'))
  if (received > at) return received
  throw new Problem('REMOTE_UNINTELLIGIBLE', 'The response to an upload chunk has no progress', { outcome: 'unknown' })
}

/** Returns the offset at which the upload continues, from the refusal of a chunk with another offset. */
function offsetIn(body: string): number | undefined {
  const [, offset] = /"receivedBytes":(\d{1,15})/.exec(body) ?? []
  return offset === undefined ? undefined : Number(offset)
}
