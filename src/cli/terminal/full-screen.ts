/** A screen that is drawn as a whole, in the terminal's second buffer: at the end the terminal is as it was before. */
export interface FullScreen {
  readonly columns: number
  readonly rows: number
  /** Shows lines and the cursor. Lines that are on the screen already are not written again. */
  draw(picture: Picture): void
  /** Calls a function when the size of the terminal changed. */
  onResize(redraw: () => void): void
  close(): void
}

/** Lines of the screen, from the top. */
export interface Picture {
  readonly lines: readonly PictureLine[]
  /** Row and column of the cursor, from 0; absent to hide it. */
  readonly cursor?: { readonly row: number; readonly column: number } | undefined
}

/**
 * Parts of a line, each with the column where it begins. The cursor is set for each, so that a character that a terminal
 * draws wider than it is does not move the parts after it.
 */
export type PictureLine = readonly { readonly at: number; readonly text: string }[]

type Output = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows' | 'on' | 'off'>

const esc = '\u001b['
/** Second buffer, no automatic line breaks, and pasted text between marks, so that its line breaks are no Enter. */
const enter = `${esc}?1049h${esc}?7l${esc}?2004h${esc}2J`
const leave = `${esc}?2004l${esc}?7h${esc}?25h${esc}0m${esc}?1049l`

/** Keys that the terminal sends around pasted text. */
export const pasteKeys = { begin: `${esc}200~`, end: `${esc}201~` } as const

export const openFullScreen = (output: Output): FullScreen => new TerminalScreen(output)

class TerminalScreen implements FullScreen {
  readonly #output: Output
  #drawn: string[] = []
  #cursor = ''
  #isOpen = true
  #redraw: (() => void) | undefined

  readonly #onResize = (): void => {
    this.#drawn = []
    this.#output.write(`${esc}2J`)
    this.#redraw?.()
  }

  /** Also at an unplanned exit, such as an error: a terminal in the second buffer could not be used. */
  readonly #onExit = (): void => this.close()

  constructor(output: Output) {
    this.#output = output
    output.write(enter)
    output.on('resize', this.#onResize)
    process.on('exit', this.#onExit)
  }

  get columns(): number {
    return this.#output.columns || 80
  }

  get rows(): number {
    return this.#output.rows || 24
  }

  draw({ lines, cursor }: Picture): void {
    if (!this.#isOpen) return
    const changes: string[] = []
    for (let row = 0; row < this.rows; row++) {
      const text = lineText(lines[row] ?? [])
      if (this.#drawn[row] === text) continue
      this.#drawn[row] = text
      // Erased before it is written: after a line of the full width the cursor is on its last character, which would go.
      changes.push(`${esc}${row + 1};1H${esc}K${text}${esc}0m`)
    }
    const cursorCode = cursor ? `${esc}${cursor.row + 1};${cursor.column + 1}H${esc}?25h` : `${esc}?25l`
    if (changes.length === 0 && cursorCode === this.#cursor) return
    this.#cursor = cursorCode
    // Hidden while it is drawn, so that the cursor does not jump over the screen.
    this.#output.write(`${esc}?25l${changes.join('')}${cursorCode}`)
  }

  onResize(redraw: () => void): void {
    this.#redraw = redraw
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#output.off('resize', this.#onResize)
    process.off('exit', this.#onExit)
    this.#output.write(leave)
  }
}

/** The rest of the line is erased before each later part: the cells between two parts could have an earlier picture's text. */
const lineText = (line: PictureLine): string =>
  line.map(({ at, text }) => (at === 0 ? text : `${esc}0m${esc}K${esc}${at + 1}G${text}`)).join('')
