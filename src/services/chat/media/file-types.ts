/** Allowed file types and their signatures. No type that a browser runs is allowed. */

const archives = /^application\/(zip|epub\+zip|vnd\.(openxmlformats|oasis)[\w.-]*)$/
/** An office document whose list of contents is after the checked bytes is recognized only as an archive. */
const documents = (kind: string) => new RegExp(`^application/(zip|vnd\\.openxmlformats-officedocument\\.${kind})$`)

/** Allowed types, each with the types that its first bytes may be recognized as. Text has no signature. */
const allowed: Readonly<Record<string, RegExp | 'text'>> = {
  'image/png': /^image\/a?png$/,
  'image/jpeg': /^image\/jpeg$/,
  'image/gif': /^image\/gif$/,
  'image/webp': /^image\/webp$/,
  'application/pdf': /^application\/pdf$/,
  'text/plain': 'text',
  'text/csv': 'text',
  // Cameras and phones write other brands into files that play as MP4.
  'video/mp4': /^(video\/(mp4|x-m4v|quicktime|3gpp2?)|audio\/(mp4|x-m4a))$/,
  'video/webm': /^video\/(webm|matroska)$/,
  'audio/mpeg': /^audio\/mpeg$/,
  'audio/ogg': /^(audio|application)\/ogg\b/,
  'audio/wav': /^audio\/wav$/,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': documents('wordprocessingml\\.document'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': documents('spreadsheetml\\.sheet'),
  'application/zip': archives,
}

export const contentTypes: readonly string[] = Object.keys(allowed)

/** Number of bytes at the start of a file that are checked. */
export const headBytes = 65_536

/** Returns the declared type without parameters if it is allowed. */
export function allowedType(declared: string): string | undefined {
  const type = (declared.split(';')[0] ?? '').trim().toLowerCase()
  return Object.hasOwn(allowed, type) ? type : undefined
}

/** Returns whether a file's first bytes are those of its type. */
export async function isOfType(type: string, head: Uint8Array): Promise<boolean> {
  const known = allowed[type]
  if (known === undefined) return false
  if (known === 'text') return isPlainText(head)
  // Loaded with the first file: most runs never need it.
  const { fileTypeFromBuffer } = await import('file-type')
  const fileType = await fileTypeFromBuffer(head).catch(() => undefined)
  return fileType !== undefined && known.test(fileType.mime)
}

/** Returns whether the bytes are UTF-8 text without NUL that does not begin like a page or script. */
function isPlainText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    // The last character may be incomplete.
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
