import { words } from './messages.ts'
import { textOf, unitsOf } from './money.ts'
import type { GameName, RoundView, TableInfo } from './views.ts'

/** Returns the name of a zone in its group. */
export function zoneName(game: GameName, zone: string): string {
  const { zones } = words()
  if (game === 'niuniu') return zones[zone.endsWith('D') ? 'X' : 'E'] ?? zone
  return zones[zone] ?? zone
}

/** Returns the full name of a zone, for screen readers and lists: `Dragon Big`, `Player 1 Double`. */
export function fullZoneName(game: GameName, zone: string): string {
  const { zones } = words()
  if (game === 'niuniu') return `${zones[zone.slice(0, 2)] ?? zone} ${zoneName(game, zone)}`
  if (game === 'dragontiger' && zone.length === 2 && zone !== 'TG' && zone !== 'ST')
    return `${zones[zone.startsWith('D') ? 'D' : 'TG'] ?? ''} ${zones[zone] ?? zone}`
  return zones[zone] ?? zone
}

const odds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  classic: { B: '0.95:1', P: '1:1', T: '8:1', BP: '11:1', PP: '11:1' },
  nocomm: { B: '1:1 · 6 → 0.5:1', P: '1:1', T: '8:1', BP: '11:1', PP: '11:1', S6: '12:1' },
  dragontiger: { D: '1:1', TG: '1:1', T: '8:1', ST: '50:1' },
  casino: { ANTE: '1:1 – 100:1', AAB: '7:1 – 100:1' },
  thbp: { ANTE: '1:1', BONUS: '3:1 – 1000:1' },
}

/** Returns the odds of a zone net of any commission, as printed on the felt. */
export function oddsOf(info: Pick<TableInfo, 'game' | 'specialHands' | 'commission'>, variant: string, zone: string) {
  const { game } = info
  if (game === 'niuniu') return niuOdds(info, zone)
  if (game === 'dragontiger') return odds['dragontiger']?.[zone] ?? '1:1'
  return odds[variant]?.[zone] ?? ''
}

function niuOdds({ specialHands, commission }: Pick<TableInfo, 'specialHands' | 'commission'>, zone: string): string {
  const netFactor = unitsOf('1') - unitsOf(commission)
  const net = (multiplier: bigint) => textOf(netFactor * multiplier)
  return zone.endsWith('E') ? `${net(1n)}:1` : `×${net(1n)} – ×${net(specialHands ? 5n : 3n)}`
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
