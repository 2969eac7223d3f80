import { foldUsername } from '../../../domain/players/player.ts'
import type { Foreseen, KnownPlayer } from '../../../domain/wallet/batch.ts'
import type { Paths } from '../../../world/config/config.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
import { knownNames } from '../../framework/completion.ts'
import type { WantedTransfer } from './batch-file.ts'

/** What is said of a plan before it is made. */

/** So many names are written out in a sentence. */
const mostNamed = 10
const mostLines = 4

/** The same with what may have been meant, where there is no such player. */
export function hinted(foreseen: readonly Foreseen[], paths: Paths): Foreseen[] {
  const known = knownNames(paths, 'users')
  return foreseen.map((each) => {
    if (each.code !== 'PLAYER_NOT_FOUND') return each
    const near = nearest(each.username, known)
    const hint = near.length === 0 ? '; --create if a deposit is to make one' : `; did you mean ${near.join(' or ')}?`
    return { ...each, message: `${each.message}${hint}` }
  })
}

/** What is no fault, and may not be what was meant. */
export function doubtsOf(rows: readonly WantedTransfer[], players: ReadonlyMap<string, KnownPlayer>): string[] {
  const unable = [...players.values()].filter(({ status }) => status !== 'active')
  const often = new Map<string, { name: string; lines: number[] }>()
  for (const { username, line } of rows) {
    const theirs = often.get(foldUsername(username))
    if (theirs) theirs.lines.push(line)
    else often.set(foldUsername(username), { name: username, lines: [line] })
  }
  const several = [...often.values()].filter(({ lines }) => lines.length > 1)
  const statuses = unable.map(({ username, status }) => `${username} (${status})`)
  const repeated = several.map(({ name, lines }) => `${name} (${named(lines.map(String), mostLines)})`)
  return [
    ...(unable.length > 0 ? [`Money moves all the same, but these may not play: ${named(statuses)}`] : []),
    ...(several.length > 0 ? [`In more than one row: ${named(repeated)}`] : []),
  ]
}

/** Names in a sentence, the first of them where they are many. */
export function named(names: readonly string[], most = mostNamed): string {
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return `${names.slice(0, most).join(', ')}${more}`
}
