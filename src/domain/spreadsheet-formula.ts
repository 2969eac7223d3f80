/** Cells that a spreadsheet would run. */

/** The letters a formula begins with, also in their full-width forms: a spreadsheet takes `＝1+1` for `=1+1`. */
const starts = new Set('=+-@\t\r\n＝＋－＠')

/** The text as a spreadsheet may safely open it: one that begins as a formula would gets an apostrophe in front. */
export function withoutFormula(text: string): string {
  return starts.has(text.charAt(0)) ? `'${text}` : text
}
