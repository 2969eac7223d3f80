import type { ChatMediaRow } from '../../../db/schema/chat.ts'
import { sameText } from '../../../kit/hmac.ts'
import { refuse } from '../api/contract.ts'
import { linkProof } from '../auth/tokens.ts'
import { mediaOf } from '../queries/media.ts'
import { chatTenantOf } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'

/** Returns the file of a signed link. Throws the same NOT_FOUND for expired and unknown links. */
export async function linkedMedia(
  app: Chat,
  mediaId: string,
  { expiresAt, signature }: { readonly expiresAt: number; readonly signature: string },
): Promise<ChatMediaRow> {
  const record = await app.store.read(async (reader) => {
    const media = await mediaOf(reader, mediaId)
    const tenant = media && (await chatTenantOf(reader, media.tenant))
    return media && tenant ? { media, tenant, now: reader.now } : undefined
  })
  const isGood =
    record !== undefined && expiresAt > record.now && sameText(linkProof(record.tenant, mediaId, expiresAt), signature)
  if (!isGood) throw refuse('NOT_FOUND', 'The file does not exist, or its link has expired')
  return record.media
}
