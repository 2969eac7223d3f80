import { createHash } from 'node:crypto'
import { answer } from '../wire/contract.ts'
import type { Visitor } from './chat.ts'
import { contentTypes } from './media/types.ts'
import { chunkSizeBytes, maxFileBytes } from './media/uploads.ts'

/** The look that the back office chose for a tenant's widget. */
export interface Look {
  readonly primaryColor: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly launcherLabel: string | null
  readonly greeting: string | null
}

export const usualLook: Look = { primaryColor: '#14532d', theme: 'auto', launcherLabel: null, greeting: null }

/** How the widget is to look and behave on this page; a browser may keep it for a minute. */
export async function readConfig({ tenant }: Visitor, query: { inboxCategoryCode?: string | undefined }) {
  const look: Partial<Look> = JSON.parse(tenant.look)
  const data = {
    ...usualLook,
    ...look,
    inboxCategoryCode: query.inboxCategoryCode ?? 'default',
    pushMode: 'sse' as const,
    upload: { maxFileBytes, chunkSizeBytes, contentTypes: [...contentTypes] },
  }
  const etag = `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 22)}"`
  return answer(data, { headers: { 'cache-control': 'public, max-age=60', etag } })
}
