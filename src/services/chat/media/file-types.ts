/** Allowed file types and the signatures of their first bytes. None that a browser would run. */

const ascii = (text: string) => [...text].map((sign) => sign.charCodeAt(0))

/** Bytes of a type at certain offsets; any of several signatures is accepted. */
type Sign = readonly { readonly at: number; readonly bytes: readonly number[] }[]

const zip: readonly Sign[] = [[{ at: 0, bytes: [0x50, 0x4b, 3, 4] }], [{ at: 0, bytes: [0x50, 0x4b, 5, 6] }]]

const signs: Readonly<Record<string, readonly Sign[] | 'text'>> = {
  'image/png': [[{ at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }]],
  'image/jpeg': [[{ at: 0, bytes: [0xff, 0xd8, 0xff] }]],
  'image/gif': [[{ at: 0, bytes: ascii('GIF87a') }], [{ at: 0, bytes: ascii('GIF89a') }]],
  'image/webp': [
    [
      { at: 0, bytes: ascii('RIFF') },
      { at: 8, bytes: ascii('WEBP') },
    ],
  ],
  'application/pdf': [[{ at: 0, bytes: ascii('%PDF-') }]],
  'text/plain': 'text',
  'text/csv': 'text',
  'video/mp4': [[{ at: 4, bytes: ascii('ftyp') }]],
  'video/webm': [[{ at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] }]],
  'audio/mpeg': [
    [{ at: 0, bytes: ascii('ID3') }],
    ...[0xfb, 0xf3, 0xf2].map((byte) => [{ at: 0, bytes: [0xff, byte] }]),
  ],
  'audio/ogg': [[{ at: 0, bytes: ascii('OggS') }]],
  'audio/wav': [
    [
      { at: 0, bytes: ascii('RIFF') },
      { at: 8, bytes: ascii('WAVE') },
    ],
  ],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': zip,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': zip,
  'application/zip': zip,
}

export const contentTypes: readonly string[] = Object.keys(signs)

/** Bytes at the start of a file that are checked. */
export const headBytes = 65_536

/** Returns the declared type without parameters if it is allowed. */
export function allowedType(declared: string): string | undefined {
  const type = (declared.split(';')[0] ?? '').trim().toLowerCase()
  return Object.hasOwn(signs, type) ? type : undefined
}

/** Returns whether the start of a file matches its type. */
export function isOfType(type: string, head: Uint8Array): boolean {
  const known = signs[type]
  if (known === undefined) return false
  if (known === 'text') return isPlainText(head)
  return known.some((sign) => sign.every(({ at, bytes }) => bytes.every((byte, i) => head[at + i] === byte)))
}

/** Returns whether it is text without NUL that does not begin like a page or script. */
function isPlainText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    // The last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return !/^\s*<(?:!doctype|html|head|body|script|svg|\?xml|iframe)/i.test(text)
  } catch {
    return false
  }
}

/** Returns whether a browser may show the type inline; all others are downloads. */
export function isShownInline(type: string): boolean {
  return type.startsWith('image/')
}

/** Returns width and height of a picture, if its start contains them. */
export function sizeOfPicture(type: string, head: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    if (type === 'image/png') return { width: view.getUint32(16), height: view.getUint32(20) }
    if (type === 'image/gif') return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
    if (type === 'image/webp') return sizeOfWebp(view)
    if (type === 'image/jpeg') return sizeOfJpeg(view)
  } catch {
    // Shorter than its type requires: the size is unknown.
  }
  return undefined
}

function sizeOfWebp(view: DataView): { width: number; height: number } | undefined {
  const kind = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15))
  if (kind === 'VP8X') {
    const three = (at: number) => view.getUint8(at) + (view.getUint8(at + 1) << 8) + (view.getUint8(at + 2) << 16)
    return { width: three(24) + 1, height: three(27) + 1 }
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

/** Walks the segments to the one with the size. */
function sizeOfJpeg(view: DataView): { width: number; height: number } | undefined {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

const longestName = 200

/** Returns a safe file name: the last part of a path, without invisible characters, limited in length. */
export function safeFileName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  const dot = plain.lastIndexOf('.')
  const ending = dot > 0 && plain.length - dot <= 12 ? plain.slice(dot) : ''
  let stem = ending === '' ? plain : plain.slice(0, dot)
  while (Buffer.byteLength(stem + ending) > longestName) stem = [...stem].slice(0, -1).join('')
  const name = stem + ending
  return name === '' || /^\.+$/.test(name) ? 'file' : name
}
