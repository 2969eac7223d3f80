import { foldUsername } from '../../domain/players/player.ts'
import type { Forecast, KnownPlayer } from '../../domain/wallet/batch.ts'
import { nearest } from '../../kit/nearest.ts'
import type { BatchTransfer } from './batch-file.ts'

/** Warnings about a batch before it is created. */

/** Maximum number of names in a sentence. */
const maxNamed = 10
const maxLines = 4

/** Adds similar names, of those that are known, to errors about unknown players. */
export function withSimilarNames(forecasts: readonly Forecast[], known: readonly string[]): Forecast[] {
  return forecasts.map((each) => {
    if (each.code !== 'PLAYER_NOT_FOUND') return each
    const near = nearest(each.username, known)
    const hint =
      near.length === 0 ? '. If a deposit should create it, pass --create' : `; did you mean ${near.join(' or ')}?`
    return { ...each, message: `${each.message}${hint}` }
  })
}

/** Returns warnings about rows that are valid but unusual. */
export function batchWarnings(rows: readonly BatchTransfer[], players: ReadonlyMap<string, KnownPlayer>): string[] {
  const inactive = [...players.values()].filter(({ status }) => status !== 'active')
  const occurrences = new Map<string, { name: string; lines: number[] }>()
  for (const { username, line } of rows) {
    const theirs = occurrences.get(foldUsername(username))
    if (theirs) theirs.lines.push(line)
    else occurrences.set(foldUsername(username), { name: username, lines: [line] })
  }
  const several = [...occurrences.values()].filter(({ lines }) => lines.length > 1)
  const statuses = inactive.map(({ username, status }) => `${username} (${status})`)
  const repeated = several.map(({ name, lines }) => `${name} (${named(lines.map(String), maxLines)})`)
  return [
    ...(inactive.length > 0 ? [`The transfers work, but these players cannot play: ${named(statuses)}`] : []),
    ...(several.length > 0 ? [`Players in more than one row: ${named(repeated)}`] : []),
  ]
}

/** Lists names, cut after the first ones. */
export function named(names: readonly string[], max = maxNamed): string {
  const more = names.length > max ? ` and ${names.length - max} more` : ''
  return `${names.slice(0, max).join(', ')}${more}`
}
