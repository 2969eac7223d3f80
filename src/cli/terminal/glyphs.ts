import type { Environment } from '../../world/config/config.ts'

/** Symbols, with ASCII spellings for screens that cannot show them. */
export interface Glyphs {
  readonly arrow: string
  readonly pass: string
  readonly warn: string
  readonly fail: string
  readonly skip: string
  /** Formats a card for people: `10♦` or `TD`. */
  card(code: string): string
}

const suitSymbols: Readonly<Record<string, string>> = { S: '♠', H: '♥', D: '♦', C: '♣' }

const drawn: Glyphs = {
  arrow: '→',
  pass: '✔',
  warn: '!',
  fail: '✘',
  skip: '·',
  card: (code) => {
    const symbol = suitSymbols[code.charAt(1)]
    if (code.length !== 2 || symbol === undefined) return code
    return `${code.startsWith('T') ? '10' : code.charAt(0)}${symbol}`
  },
}

const spelled: Glyphs = { arrow: '->', pass: 'ok', warn: '!!', fail: 'NO', skip: '--', card: (code) => code }

/** Returns the symbols for a stream: Unicode for a UTF-8 terminal, else ASCII. */
export function glyphsFor(stream: { isTTY?: boolean }, env: Environment): Glyphs {
  return stream.isTTY === true && env['TERM'] !== 'dumb' && isUtf8(env) ? drawn : spelled
}

function isUtf8(env: Environment): boolean {
  if (process.platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined
  // POSIX: the first of these variables that is set decides.
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((each) => each !== undefined && each !== '')
  return /utf-?8/i.test(locale ?? '')
}
