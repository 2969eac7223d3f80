/** Social channels: other ways to contact a merchant, shown by its widget. */

export const channelKinds = [
  'line',
  'telegram',
  'whatsapp',
  'facebook',
  'instagram',
  'wechat',
  'email',
  'phone',
  'other',
] as const
export type ChannelKind = (typeof channelKinds)[number]

export interface SocialChannel {
  readonly kind: ChannelKind
  readonly label: string
  readonly url: string
}

/** Maximum number of social channels of a merchant. */
export const maxChannels = 10

const longestUrl = 2_000
const longestLabel = 60

/** Allowed URL schemes of each kind. */
const schemes: Readonly<Record<ChannelKind, readonly string[]>> = {
  line: ['https:', 'line:'],
  telegram: ['https:', 'tg:'],
  whatsapp: ['https:', 'whatsapp:'],
  facebook: ['https:'],
  instagram: ['https:'],
  wechat: ['https:', 'weixin:'],
  email: ['mailto:'],
  phone: ['tel:'],
  other: ['https:'],
}

const contents: Readonly<Record<string, { pattern: RegExp; example: string }>> = {
  'mailto:': {
    pattern: /^mailto:[^\s@?]{1,64}@[^\s@.?]+([.][^\s@.?]+)+([?][^\s]*)?$/i,
    example: 'mailto:help@shop.example',
  },
  'tel:': { pattern: /^tel:[+]?[0-9][0-9().-]{2,30}$/i, example: 'tel:+886212345678' },
}

/** Returns the fault of a channel as a sentence, or undefined when it can be shown on any page. */
export function faultInChannel({ kind, label, url }: SocialChannel): string | undefined {
  if (label.trim() === '' || [...label].length > longestLabel || /\p{Cc}/u.test(label))
    return `The label must be 1 to ${longestLabel} characters without control characters`
  if (url.length > longestUrl || /[\s\p{Cc}]/u.test(url) || !URL.canParse(url))
    return `${JSON.stringify(url.slice(0, 100))} must be a URL of at most ${longestUrl} characters`
  const { protocol, username, password } = new URL(url)
  const allowed = schemes[kind]
  if (!allowed.includes(protocol))
    return `A channel of kind ${kind} needs a URL that begins with ${allowed.join(' or ')}, not ${protocol}`
  if (username || password) return 'The URL must not contain a user name or password'
  const content = contents[protocol]
  return content && !content.pattern.test(url) ? `${url} must look like ${content.example}` : undefined
}
