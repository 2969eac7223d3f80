import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { unlessKnown } from '../../../http/server/etag.ts'
import type { SocialChannel } from '../api/social-channels.ts'
import { contentTypes } from '../media/file-types.ts'
import { limitsOf } from '../media/limits.ts'
import { chunkSizeBytes } from '../media/uploads.ts'
import type { Visitor } from '../service.ts'

/** The look that the back office chose for a tenant's widget. */
export interface Look {
  readonly primaryColor: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly launcherLabel: string | null
  readonly greeting: string | null
  /** What customers of an inbox category may choose with one tap, by the category's code. */
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>
  /** Other ways to reach the merchant, in the order to show. */
  readonly socialChannels: readonly SocialChannel[]
}

/** An entry says a sentence for the customer, or leads to a page. */
export interface MenuEntry {
  readonly label: string
  readonly message?: string
  readonly url?: string
}

export const usualLook: Look = {
  primaryColor: '#14532d',
  theme: 'auto',
  launcherLabel: null,
  greeting: null,
  menus: {},
  socialChannels: [],
}

/** The tongues the widget speaks. */
const languages = ['en', 'zh-Hant', 'zh-Hans', 'ja', 'ko', 'th', 'vi', 'ar']

/** A tenant's look, with the usual where nothing was chosen. */
export function lookOf({ look }: Pick<ChatTenantRow, 'look'>): Look {
  const chosen: Partial<Look> = JSON.parse(look)
  return { ...usualLook, ...chosen }
}

/** How the widget is to look and behave on this page; a browser may keep it for a minute. */
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
  // Anybody may keep it, under its address; but who asks may be said in a header alone.
  const headers = { 'cache-control': 'public, max-age=60', vary: 'Origin, X-Chat-Tenant-Key' }
  return unlessKnown(data, ifNoneMatch, headers)
}
