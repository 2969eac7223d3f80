/** A pressed key, with facts that only the screen has. */
export interface PressedKey {
  readonly key: string
  /** True inside pasted text, where Enter is a line break. */
  readonly isPasted: boolean
  /** A new message ID, in case the key sends one. */
  readonly id: string
  /** Lines of the conversation on the screen, and how far it can be scrolled up. */
  readonly page: number
  readonly maxScroll: number
}

export const esc = '\u001b'
export const up = new Set([`${esc}[A`, `${esc}OA`])
export const down = new Set([`${esc}[B`, `${esc}OB`])
