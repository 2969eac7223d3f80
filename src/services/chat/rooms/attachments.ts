import type { ChatMediaRow, ChatMessageRow, ChatTenantRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { momentText } from '../../../kit/moment.ts'
import type { Attachment } from '../api/schemas.ts'
import { linkProof } from '../auth/tokens.ts'
import { mediaAmong } from '../queries/media.ts'
import { chatTenantOf } from '../queries/tenants.ts'
import type { ChatConfig } from '../service.ts'

/** Dependencies of rendering a message: the base URL of its file links. */
export interface Showing {
  readonly config: Pick<ChatConfig, 'publicUrl'>
}

const hourMs = 3_600_000

/** Returns the files of messages, each with a link that is valid for 1 to 2 hours. Runs no query if there are none. */
export async function attachmentsOf(
  { config }: Showing,
  reader: Reader,
  rows: readonly ChatMessageRow[],
): Promise<(row: ChatMessageRow) => Attachment[]> {
  const idsOf = (row: ChatMessageRow): string[] => (row.attachments === '[]' ? [] : JSON.parse(row.attachments))
  const ids = rows.flatMap(idsOf)
  if (ids.length === 0) return () => []
  const media = new Map<string, Attachment>()
  const tenants = new Map<string, ChatTenantRow | undefined>()
  for (const row of await mediaAmong(reader, ids)) {
    if (!tenants.has(row.tenant)) tenants.set(row.tenant, await chatTenantOf(reader, row.tenant))
    const tenant = tenants.get(row.tenant)
    if (tenant) media.set(row.id, toAttachment(config.publicUrl(), tenant, row, reader.now))
  }
  return (row) => idsOf(row).flatMap((id) => media.get(id) ?? [])
}

function toAttachment(publicUrl: string, tenant: ChatTenantRow, row: ChatMediaRow, now: number): Attachment {
  // Rounded to the hour, so that the link does not change during it and browsers cache the file.
  const expiresAt = (Math.floor(now / hourMs) + 2) * hourMs
  const query = `exp=${expiresAt}&sig=${linkProof(tenant, row.id, expiresAt)}`
  return {
    mediaId: row.id,
    fileName: row.file_name,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    width: row.width,
    height: row.height,
    downloadUrl: `${publicUrl}/api/widget/v1/media/${row.id}?${query}`,
    downloadUrlExpiresAt: momentText(expiresAt),
  }
}
