import type { Context, Message } from '../context.ts'
import type { Core } from './core.ts'

type Attachment = NonNullable<Message['attachments']>[number]

/** Renders a message. `retry` is called when the customer retries a message that was not sent. */
export function messageItem(core: Core, message: Message, retry: (message: Message) => void): HTMLElement {
  const { ctx, strings } = core
  const { make } = ctx
  const { senderType, eventKind, createdAt } = message
  const isMine = senderType === 'customer'
  const isEvent = senderType === 'system' && eventKind !== 'ticketComment'
  const li = make('li', { className: isEvent ? 'e' : isMine ? 'm' : 't' })
  const small = (text: string) => make('small', { textContent: text })
  if (isMine) li.append(make('span', { className: 'v', textContent: `${strings.you}: ` }))
  else if (!eventKind) li.append(small(message.senderDisplayName || strings.support))
  else if (eventKind === 'ticketComment') li.append(small(strings.updated))
  for (const each of message.attachments || []) li.append(attachmentLink(make, each))
  li.append(body(make, textOf(core, message)))
  // The span after the time is for the state of the customer's latest message (`showStates`).
  if (createdAt && !isEvent) li.append(make('small', {}, timeText(core, createdAt), make('span')))
  if (!message.pending) return li
  if (message.progress !== undefined)
    li.append(make('progress', { max: 100, value: message.progress, ariaLabel: strings.uploading }))
  else if (message.failed)
    li.append(make('button', { type: 'button', textContent: strings.notSent, onclick: () => retry(message) }))
  else li.append(small(strings.sending))
  return li
}

function attachmentLink(make: Context['make'], { downloadUrl, fileName, contentType, width, height }: Attachment) {
  const link = make('a', { href: downloadUrl, target: '_blank', rel: 'noopener', textContent: fileName })
  if (!/^image\//.test(contentType)) return link
  const picture = make('img', { src: downloadUrl, alt: '', onerror: () => picture.remove() })
  // With a known size, the space is reserved before the picture is loaded, so that nothing below it moves.
  if (width && height) {
    const scale = Math.min(1, 220 / height)
    picture.width = Math.round(width * scale)
    picture.height = Math.round(height * scale)
  }
  link.prepend(picture)
  return link
}

/**
 * Renders a message's text as plain text with links. A link leads exactly to the URL that it shows. A URL that
 * continues in non-ASCII letters is not linked, because its first part would lead elsewhere.
 */
function body(make: Context['make'], text: string): HTMLElement {
  // The text's own first letter decides the direction, not that of the sender's name above it.
  const box = make('div', { dir: 'auto' })
  text.split(/(https?:\/\/\w[!-~]*(?![!-~\u00c0-\u1fff]))/i).forEach((part, i) => {
    const [, href, rest = part] = (i % 2 && /(.*[\w/#=&%~+-])(.*)/.exec(part)) || []
    if (href) box.append(make('a', { href, target: '_blank', rel: 'noopener', textContent: href }))
    box.append(rest)
  })
  return box
}

function textOf({ strings }: Core, { eventKind, text = '' }: Message): string {
  if (eventKind === 'roomClosed') return strings.closed
  if (eventKind === 'roomRated') return strings.yourRating.replace('%', `${/\d/.exec(text)}/5`)
  return text
}

function timeText({ locale }: Core, text: string): string {
  return new Date(text).toLocaleTimeString(locale, { timeStyle: 'short' })
}
