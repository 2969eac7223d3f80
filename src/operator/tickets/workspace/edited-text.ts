/** A text being typed, and the position of the cursor in it. */
export interface EditedText {
  readonly text: string
  /** Index in UTF-16 units, always at the border of a character. */
  readonly cursor: number
}

export const emptyText: EditedText = { text: '', cursor: 0 }

export const textAtEnd = (text: string): EditedText => ({ text, cursor: text.length })

const segmenter = new Intl.Segmenter()

/** Returns the borders of the characters that users see: an emoji with its modifiers is one. */
function borders(text: string): number[] {
  return [...[...segmenter.segment(text)].map(({ index }) => index), text.length]
}

export function inserted({ text, cursor }: EditedText, added: string): EditedText {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

const esc = '\u001b'
const backspaces = new Set(['\u007f', '\b'])

/** Applies a key of line editing. Returns undefined for a key that does not edit. */
export function edited(edit: EditedText, key: string): EditedText | undefined {
  const { text, cursor } = edit
  const before = () => borders(text).findLast((at) => at < cursor) ?? 0
  const after = () => borders(text).find((at) => at > cursor) ?? text.length
  if (backspaces.has(key)) return cut(edit, before(), cursor)
  switch (key) {
    case `${esc}[3~`:
      return cut(edit, cursor, after())
    case `${esc}[D`:
    case `${esc}OD`:
      return { text, cursor: before() }
    case `${esc}[C`:
    case `${esc}OC`:
      return { text, cursor: after() }
    case `${esc}[H`:
    case `${esc}OH`:
    case '\u0001':
      return { text, cursor: text.lastIndexOf('\n', cursor - 1) + 1 }
    case `${esc}[F`:
    case `${esc}OF`:
    case '\u0005': {
      const end = text.indexOf('\n', cursor)
      return { text, cursor: end < 0 ? text.length : end }
    }
    case '\u0015':
      return emptyText
    case '\u0017':
      return cut(edit, text.slice(0, cursor).search(/\S*\s*$/u), cursor)
    default:
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control keys are no text
      return /^[\u0000-\u001f]/.test(key) ? undefined : inserted(edit, key)
  }
}

function cut({ text }: EditedText, from: number, to: number): EditedText {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}
