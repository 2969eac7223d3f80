import { styleText } from 'node:util'
import type { Environment } from '../../world/config/config.ts'

export type Style = Parameters<typeof styleText>[0]

/** Colors a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string

/** Returns whether a stream gets colors. Decided per stream, because one may be a terminal and the other a file. */
export function hasColor(stream: { isTTY?: boolean }, env: Environment, noColor: boolean): boolean {
  if (noColor) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false
  return stream.isTTY === true
}

export const painter =
  (isOn: boolean): Paint =>
  (style, text) =>
    isOn ? styleText(style, text, { validateStream: false }) : text
