/** Protection against cells that a spreadsheet would evaluate. */

/** Characters that start a formula, also in full-width form: spreadsheets read `＝1+1` as `=1+1`. */
const starts = new Set('=+-@\t\r\n＝＋－＠')

/** Returns text that is safe to open in a spreadsheet: a leading formula character gets an apostrophe in front. */
export function withoutFormula(text: string): string {
  return starts.has(text.charAt(0)) ? `'${text}` : text
}
