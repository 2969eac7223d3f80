import type { EditedText } from '../../../../operator/tickets/workspace/edited-text.ts'
import { cutTo, printable, widthOf } from '../../../terminal/text.ts'

/** A text being typed, in lines of the screen. */
export interface TypedView {
  readonly lines: readonly string[]
  readonly row: number
  readonly column: number
}

const segmenter = new Intl.Segmenter()

/** Breaks a typed text at the width, character by character, so that the cursor is where the next one appears. */
export function typedView({ text, cursor }: EditedText, width: number): TypedView {
  const lines = ['']
  let column = 0
  let at = { row: 0, column: 0 }
  for (const { segment, index } of segmenter.segment(text)) {
    if (index <= cursor) at = { row: lines.length - 1, column }
    if (segment === '\n' || segment === '\r\n') {
      lines.push('')
      column = 0
      continue
    }
    // One character can be longer than a narrow line: an emoji of several, with the codes of what joins them.
    const shown = cutTo(printable(segment === '\t' ? ' ' : segment), width)
    const taken = widthOf(shown)
    if (column + taken > width) {
      lines.push('')
      column = 0
      if (index <= cursor) at = { row: lines.length - 1, column }
    }
    lines[lines.length - 1] += shown
    column += taken
  }
  if (cursor >= text.length) at = { row: lines.length - 1, column }
  return { lines, row: at.row, column: Math.min(at.column, width - 1) }
}

/** Returns the rows around the cursor. */
export function windowOf(view: TypedView, rows: number): TypedView {
  const from = Math.max(0, Math.min(view.row - rows + 1, view.lines.length - rows))
  const start = view.row < from ? view.row : Math.max(from, view.row - rows + 1)
  return { lines: view.lines.slice(start, start + rows), row: view.row - start, column: view.column }
}

/** A typed line behind its question, with its end on the screen. */
export function questionLine(question: string, typed: EditedText, width: number): { text: string; column: number } {
  const asked = cutTo(question, Math.floor(width / 2))
  const room = width - widthOf(asked) - 2
  const view = typedView({ ...typed, text: typed.text.replaceAll('\n', ' ') }, Math.max(4, room))
  return { text: `${asked} ${view.lines[view.row] ?? ''}`, column: widthOf(asked) + 1 + view.column }
}
