import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { unlessKnown } from '../../../http/server/etag.ts'
import type { SocialChannel } from '../api/social-channels.ts'
import { contentTypes } from '../media/file-types.ts'
import { limitsOf } from '../media/limits.ts'
import { chunkSizeBytes } from '../media/uploads.ts'
import type { Visitor } from '../service.ts'

/** Appearance of a tenant's widget, set in the back office. */
export interface Look {
  readonly primaryColor: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly launcherLabel: string | null
  readonly greeting: string | null
  /** Menus by inbox category code: entries to choose with one tap. */
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>
  /** Other contact channels of the merchant, in display order. */
  readonly socialChannels: readonly SocialChannel[]
}

/** A menu entry: sends a text for the customer, or opens a page. */
export interface MenuEntry {
  readonly label: string
  readonly message?: string
  readonly url?: string
}

export const defaultLook: Look = {
  primaryColor: '#14532d',
  theme: 'auto',
  launcherLabel: null,
  greeting: null,
  menus: {},
  socialChannels: [],
}

/** Languages of the widget. */
const languages = ['en', 'zh-Hant', 'zh-Hans', 'ja', 'ko', 'th', 'vi', 'ar']

/** Returns a tenant's appearance, with defaults for absent fields. */
export function lookOf({ look }: Pick<ChatTenantRow, 'look'>): Look {
  const chosen: Partial<Look> = JSON.parse(look)
  return { ...defaultLook, ...chosen }
}

/** Returns the appearance and settings of the widget on this page; browsers may cache it for a minute. */
export async function readConfig(
  { tenant }: Visitor,
  query: { inboxCategoryCode?: string | undefined },
  ifNoneMatch?: string,
) {
  const { menus, ...look } = lookOf(tenant)
  const inboxCategoryCode = query.inboxCategoryCode ?? 'default'
  const data = {
    ...look,
    socialChannels: [...look.socialChannels],
    inboxCategoryCode,
    menu: [...((Object.hasOwn(menus, inboxCategoryCode) ? menus[inboxCategoryCode] : undefined) ?? [])],
    languages,
    pushMode: 'sse' as const,
    upload: { ...limitsOf(tenant), chunkSizeBytes, contentTypes: [...contentTypes] },
  }
  // Cacheable under its URL; but the tenant key may be in a header.
  const headers = { 'cache-control': 'public, max-age=60', vary: 'Origin, X-Chat-Tenant-Key' }
  return unlessKnown(data, ifNoneMatch, headers)
}
