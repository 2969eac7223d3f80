import type { Environment } from '../../world/config/config.ts'

/** The few signs that are drawn where the screen can show them, and spelled where it cannot. */
export interface Glyphs {
  readonly arrow: string
  readonly pass: string
  readonly warn: string
  readonly fail: string
  readonly skip: string
  /** A card for people: `10♦` or `TD`. */
  card(code: string): string
}

const suitSigns: Readonly<Record<string, string>> = { S: '♠', H: '♥', D: '♦', C: '♣' }

const drawn: Glyphs = {
  arrow: '→',
  pass: '✔',
  warn: '!',
  fail: '✘',
  skip: '·',
  card: (code) => {
    const sign = suitSigns[code.charAt(1)]
    if (code.length !== 2 || sign === undefined) return code
    return `${code.startsWith('T') ? '10' : code.charAt(0)}${sign}`
  },
}

const spelled: Glyphs = { arrow: '->', pass: 'ok', warn: '!!', fail: 'NO', skip: '--', card: (code) => code }

/** The signs for a stream: a terminal whose locale is UTF-8 draws them; a file or a pipe is read by who knows what. */
export function glyphsFor(stream: { isTTY?: boolean }, env: Environment): Glyphs {
  return stream.isTTY === true && env['TERM'] !== 'dumb' && isUtf8(env) ? drawn : spelled
}

function isUtf8(env: Environment): boolean {
  if (process.platform === 'win32') return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] !== undefined
  // The first of the three that is set decides, as the locale's own rules say.
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((each) => each !== undefined && each !== '')
  return /utf-?8/i.test(locale ?? '')
}
