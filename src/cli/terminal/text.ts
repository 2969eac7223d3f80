import { createRequire } from 'node:module'
import { unseen } from '../../kit/text/control-characters.ts'

/** Text on a terminal: its width, its line breaks, and the characters that must not reach it. */

/** Latin text and the symbols of our own tables: one column each. Everything else is measured by the library. */
const narrow =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u259f\u2660-\u2667\u2713-\u2718\u2800-\u28ff]*$/u

let loaded: typeof import('string-width') | undefined
/** Loaded when first needed: it takes longer to load than a short command runs. */
function stringWidth(text: string): number {
  loaded ??= createRequire(import.meta.url)('string-width') as typeof import('string-width')
  return loaded.default(text)
}

let shared: Intl.Segmenter | undefined
/** Created on first use, because creating one takes longer than using it. */
const segmenter = (): Intl.Segmenter => {
  shared ??= new Intl.Segmenter()
  return shared
}

/** Returns the number of columns a text takes: two for a Chinese character, none for a combining accent. */
export const widthOf = (text: string): number => (narrow.test(text) ? text.length : stringWidth(text))

export const padEnd = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Wraps text at spaces; breaks a word only if it is longer than a line. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)))
}

function wrapLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let current = indent
  for (const word of line.trim().split(/ +/)) {
    const isFirst = current === indent
    if (!isFirst && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current)
      current = indent
    }
    current += (current === indent ? '' : ' ') + word
    while (widthOf(current) > width) {
      const cut = cutAt(current, width)
      lines.push(current.slice(0, cut))
      current = current.slice(cut)
    }
  }
  return [...lines, current]
}

/** Wraps long lines at spaces, keeping the indentation, and changes nothing else. */
export function fold(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => foldLine(line, Math.max(20, width)))
    .join('\n')
}

function foldLine(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line]
  const indent = /^ */.exec(line.slice(0, width / 2))?.[0] ?? ''
  const lines: string[] = []
  let rest = line
  while (widthOf(rest) > width) {
    const cut = cutAt(rest, width)
    // A space right after the last fitting character can end the line too.
    const blank = rest.lastIndexOf(' ', cut)
    const isAtBlank = blank > indent.length
    lines.push(rest.slice(0, isAtBlank ? blank : cut))
    rest = indent + rest.slice(isAtBlank ? blank + 1 : cut)
  }
  return [...lines, rest]
}

/** Returns the index after the last character that fits. */
function cutAt(text: string, width: number): number {
  let used = 0
  let index = 0
  let before = 0
  for (const { segment } of segmenter().segment(text)) {
    used += widthOf(segment)
    // A line of Chinese does not begin with a mark that closes: the character before goes with it.
    if (used > width && index > 0) return before > 0 && closing.test(segment) ? before : index
    before = index
    index += segment.length
  }
  return index
}

/** Returns the beginning of a text that fits in the width; a text that was cut ends with an ellipsis. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${text.slice(0, cutAt(text, width - 1))}…`
}

const closing = /^[，。、！？；：）」』】》〉…]/u

/**
 * Makes foreign text safe to print: control characters are shown as their code. A player's name or a customer's message
 * could otherwise recolor or overwrite the terminal. Invisible characters are shown too, because they make one name look
 * like another or reverse the text.
 */
export function printable(text: string): string {
  return text.replace(unseen, (char) => {
    const code = char.codePointAt(0) ?? 0
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** Like `printable`, in lines. A tab would move what follows it on the screen, so it becomes spaces. */
export const printableLines = (text: string): string[] =>
  printable(text.replace(/\r\n?/g, '\n')).replaceAll('\t', '    ').split('\n')

/** Like `printable`, on one line: a name or title cannot start a line that looks like ours. */
export const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()

/** Splits a comma-separated list and trims its items. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
}
