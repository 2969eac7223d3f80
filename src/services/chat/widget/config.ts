import type { ChatTenantRow } from '../../../db/schema/chat.ts'
import { type OfficeHours, officeState } from '../../../domain/time/office-hours.ts'
import { unlessKnown } from '../../../http/server/etag.ts'
import { maybeMoment } from '../../../kit/moment.ts'
import type { SocialChannel } from '../api/social-channels.ts'
import { contentTypes } from '../media/file-types.ts'
import { limitsOf } from '../media/limits.ts'
import { chunkSizeBytes } from '../media/uploads.ts'
import { facesOf } from '../queries/faces.ts'
import type { Chat, Visitor } from '../service.ts'
import { facePath } from './faces.ts'
import type { Language } from './messages.ts'
import { conversationStrings, languageFor } from './strings.ts'

/** Appearance of a tenant's widget, set in the back office. */
export interface Look {
  readonly primaryColor: string
  readonly theme: 'light' | 'dark' | 'auto'
  readonly launcherLabel: string | null
  readonly greeting: string | null
  /** Menus by inbox category code. */
  readonly menus: Readonly<Record<string, readonly MenuEntry[]>>
  readonly hours: OfficeHours | null
  /** Usual time until a reply, in minutes. */
  readonly replyMinutes: number | null
  /** Texts by language that differ from the default ones. */
  readonly translations: Readonly<Partial<Record<Language, Translation>>>
  /** Other contact channels of the merchant, in display order. */
  readonly socialChannels: readonly SocialChannel[]
}

/** Texts of one language. For an absent text the default one is used. */
export interface Translation {
  readonly launcherLabel?: string
  readonly greeting?: string
  readonly menus?: Readonly<Record<string, readonly MenuEntry[]>>
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
  hours: null,
  replyMinutes: null,
  translations: {},
  socialChannels: [],
}

/** Tags of the widget's languages. */
const languages: readonly string[] = Object.values(conversationStrings).map(({ lang }) => lang)

/** Returns a tenant's appearance, with defaults for absent fields. */
export function lookOf({ look }: Pick<ChatTenantRow, 'look'>): Look {
  const chosen: Partial<Look> = JSON.parse(look)
  return { ...defaultLook, ...chosen }
}

/** Returns the appearance and settings of the widget on this page; browsers may cache it for a minute. */
export async function readConfig(
  app: Chat,
  { tenant }: Visitor,
  query: { inboxCategoryCode?: string | undefined; language?: string | undefined },
  ifNoneMatch?: string,
) {
  const { menus, hours, translations, ...look } = lookOf(tenant)
  const language = languageFor(query.language)
  const { chat, unread, away } = conversationStrings[language]
  const own = translations[language] ?? {}
  const { faces, now } = await app.store.read(async (reader) => ({
    faces: await facesOf(reader, tenant.code),
    now: reader.now,
  }))
  const inboxCategoryCode = query.inboxCategoryCode ?? 'default'
  const data = {
    ...look,
    socialChannels: [...look.socialChannels],
    launcherLabel: own.launcherLabel ?? look.launcherLabel,
    greeting: own.greeting ?? look.greeting,
    inboxCategoryCode,
    menu: [...(menuIn(own.menus, inboxCategoryCode) ?? menuIn(menus, inboxCategoryCode) ?? [])],
    hours: hours && stateOf(hours, now),
    tickets: tenant.plan !== 'free',
    faces: Object.fromEntries(faces.map((face) => [face.agent_id, facePath(face)])),
    languages: [...languages],
    launcher: { chat, unread, away },
    pushMode: 'sse' as const,
    upload: { ...limitsOf(tenant), chunkSizeBytes, contentTypes: [...contentTypes] },
  }
  // Cached by URL and by these headers, because the tenant key may be in a header.
  const headers = { 'cache-control': 'public, max-age=60', vary: 'Origin, X-Chat-Tenant-Key' }
  return unlessKnown(data, ifNoneMatch, headers)
}

function menuIn(menus: Look['menus'] | undefined, inbox: string): readonly MenuEntry[] | undefined {
  return menus && Object.hasOwn(menus, inbox) ? menus[inbox] : undefined
}

function stateOf(hours: OfficeHours, now: number) {
  const { isOpen, changesAt } = officeState(hours, now)
  return { isOpen, changesAt: maybeMoment(changesAt) }
}
