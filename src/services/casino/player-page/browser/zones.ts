import { niuName, strings } from './messages.ts'
import { textOf, unitsOf } from './money.ts'
import type { GameName, OpenTableInfo, RoundView } from './views.ts'

/** Returns the name of a zone in its group. */
export function zoneName(game: GameName, zone: string): string {
  const { zones } = strings()
  if (game === 'niuniu') return zones[zone.endsWith('D') ? 'X' : 'E'] ?? zone
  return zones[zone] ?? zone
}

/** Returns the full name of a zone, for screen readers and lists: `Dragon Big`, `Player 1 Double`. */
export function fullZoneName(game: GameName, zone: string): string {
  const { zones } = strings()
  if (game === 'niuniu') return `${zones[zone.slice(0, 2)] ?? zone} ${zoneName(game, zone)}`
  if (game === 'dragontiger' && zone.length === 2 && zone !== 'TG' && zone !== 'ST')
    return `${zones[zone.startsWith('D') ? 'D' : 'TG'] ?? ''} ${zones[zone] ?? zone}`
  return zones[zone] ?? zone
}

/** Returns the wins of a zone. The hands of Niu Niu have the same: the pay table has those of the first. */
function winsOf({ game, pays }: Pick<OpenTableInfo, 'game' | 'pays'>, variant: string, zone: string) {
  const own = game === 'niuniu' ? `P1${zone.slice(2)}` : zone
  return (pays[variant] ?? []).filter((win) => win.zone === own && !win.pays.startsWith('-'))
}

/** Returns the odds of a zone net of any commission, as printed on the felt. */
export function oddsOf(info: Pick<OpenTableInfo, 'game' | 'pays'>, variant: string, zone: string): string {
  const wins = winsOf(info, variant, zone)
  const amounts = wins.map((win) => unitsOf(win.pays)).sort((a, b) => (a < b ? -1 : 1))
  const [least = 0n, most = 0n] = [amounts[0], amounts.at(-1)]
  if (wins.length === 0) return ''
  if (info.game === 'niuniu' && zone.endsWith('D')) return `×${textOf(least)} – ×${textOf(most)}`
  const six = wins.find(({ when }) => when === 'six')
  if (six) return `${wins[0]?.pays}:1 · 6 → ${six.pays}:1`
  return least === most ? `${textOf(least)}:1` : `${textOf(least)}:1 – ${textOf(most)}:1`
}

/** Returns the condition of a win: a hand, ranks of Niu Niu, the banker's six, a tie, or cards as they are. */
export function conditionOf(when: string | null): string {
  const { hands, zones, dealer } = strings()
  if (when === null) return ''
  if (when.startsWith('rank'))
    return when
      .slice('rank'.length)
      .split('-')
      .map((rank) => niuName(Number(rank)))
      .join(' – ')
  return { six: zones['S6'], tie: zones['T'], 'A-A + A-A': `A-A · ${dealer} A-A`, ...hands }[when] ?? when
}

/** Returns the winning zones, once the result is known. */
export function winningZones(game: GameName, { code, winners, totals }: RoundView): ReadonlySet<string> {
  if (code === null) return new Set()
  if (game === 'niuniu') return new Set(winners.flatMap((hand) => [`${hand}E`, `${hand}D`]))
  if (game === 'dragontiger') {
    const sides = (['D', 'TG'] as const).flatMap((side) => cardZones(side === 'D' ? 'D' : 'T', totals[side] ?? 7))
    return new Set([...winners, ...(code === 'C' ? ['ST'] : []), ...sides])
  }
  const bits = Number.parseInt(code, 16)
  const won = [...winners]
  if (bits & 4) won.push('BP')
  if (bits & 8) won.push('PP')
  if ((bits & 3) === 3) won.push('S6')
  return new Set(won)
}

function cardZones(side: string, rank: number): string[] {
  if (rank === 7) return []
  return [`${side}${rank > 7 ? 'B' : 'S'}`, `${side}${rank % 2 === 1 ? 'O' : 'E'}`]
}
