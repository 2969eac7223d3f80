/**
 * The settings of tables, which decide hold, multipliers, commission and rake, and which no record states. Stated ones
 * count. Otherwise the documented defaults do, unless the slips of a table agree on others.
 */

import type { TableSettings } from '../../games/game.ts'
import { isNo } from '../../games/game.ts'
import { stakesOf } from '../../games/holdem/pots.ts'
import { games } from '../../games/index.ts'
import { formatUnits } from '../../money.ts'
import type { RecordedRevision } from './recorded.ts'

/** Settings that change a settlement, and the game that has them. */
export const settingGames = {
  commission: 'niuniu',
  specialHands: 'niuniu',
  holdFactor: 'niuniu',
  smallBlind: 'holdem',
  bigBlind: 'holdem',
  unit: 'holdem',
  rakeRate: 'holdem',
  rakeCapBlinds: 'holdem',
} as const satisfies { readonly [name in keyof TableSettings]?: string }
export type SettingName = keyof typeof settingGames

export const settingNames = Object.keys(settingGames) as readonly SettingName[]

/** Parses `commission=0.05`, or returns why it is invalid. */
export function parseSetting(text: string): TableSettings | { readonly fault: string } {
  const [, name = '', value = ''] = /^([A-Za-z]+)=(.*)$/.exec(text) ?? []
  const known = settingNames.find((each) => each === name)
  if (known === undefined)
    return { fault: `"${text.slice(0, 40)}" is not one of ${settingNames.join(', ')} with =VALUE` }
  if (known === 'specialHands') {
    if (value !== 'on' && value !== 'off')
      return { fault: `specialHands must be on or off, not "${value.slice(0, 40)}"` }
    return { specialHands: value === 'on' }
  }
  if (known === 'holdFactor' || known === 'rakeCapBlinds') {
    if (!/^[0-9]{1,4}$/.test(value)) return { fault: `${known} must be a whole number, not "${value.slice(0, 40)}"` }
    return { [known]: Number(value) }
  }
  return { [known]: value }
}

/** Returns why a table of the game cannot have these settings, or null. */
export function settingsFault(settings: TableSettings): string | null {
  const names = settingNames.filter((name) => settings[name] !== undefined)
  const used = new Set(names.map((name) => settingGames[name]))
  if (used.size > 1) return 'A table has settings of one game only'
  const refused = used.has('holdem') ? stakesOf(settings) : games.niuniu.refuseSettings(settings)
  return refused !== null && isNo(refused) ? refused.because : null
}

/** Formats settings as they are stated: `commission=0.05,holdFactor=4`. */
export function settingsText(settings: TableSettings): string {
  return settingNames
    .flatMap((name) => {
      const value = settings[name]
      if (value === undefined) return []
      return [`${name}=${name === 'specialHands' ? (value ? 'on' : 'off') : value}`]
    })
    .join(',')
}

/** Facts of a Niu Niu slip that one setting each would change. */
export interface Informs {
  readonly commission: boolean
  readonly holdFactor: boolean
  readonly specialHands: boolean
}

/** Returns which settings a slip says something about. */
export function informsOf({ game, status, legs, code, hands }: RecordedRevision): Informs {
  const isSettled = game === 'niuniu' && status !== 'void'
  const ranks = Object.values(hands ?? {})
  return {
    commission: isSettled && legs.some((leg) => leg.return > leg.amount + (leg.hold ?? 0n)),
    holdFactor: game === 'niuniu' && legs.some((leg) => leg.hold !== null),
    specialHands: isSettled && (/[BCD]/.test(code.slice(1)) || ranks.some((rank) => rank !== undefined && rank > 10)),
  }
}

/** Returns the settings under which a Niu Niu slip may have been settled, read from its own figures. */
export function settingsIn(revision: RecordedRevision): TableSettings[] {
  const factors = new Set<number | undefined>([undefined])
  const rates = new Set<string | undefined>([undefined])
  for (const { amount, hold, mult, return: returned } of revision.legs) {
    if (amount <= 0n) continue
    if (hold !== null && hold % amount === 0n) factors.add(Number(hold / amount))
    const staked = amount * BigInt(mult ?? 1)
    const won = returned - amount - (hold ?? 0n)
    const rate = staked > 0n && won > 0n && won < staked ? rateOf(staked, won) : undefined
    if (rate !== undefined) rates.add(rate)
  }
  const specials: (boolean | undefined)[] = [undefined, true]
  return specials.flatMap((specialHands) =>
    [...factors].flatMap((holdFactor) =>
      [...rates].flatMap((rate) => {
        const settings: TableSettings = {
          ...(specialHands === undefined ? {} : { specialHands }),
          ...(holdFactor === undefined || isDefaultFactor(holdFactor, specialHands) ? {} : { holdFactor }),
          ...(rate === undefined ? {} : { commission: rate }),
        }
        const isAny = Object.keys(settings).length > 0
        return isAny && games.niuniu.refuseSettings(settings) === null ? [settings] : []
      }),
    ),
  )
}

const isDefaultFactor = (factor: number, specialHands: boolean | undefined) => factor === (specialHands ? 4 : 2)

/** Returns the commission with at most 4 decimals that leaves this win, if there is one: `0.05`. */
function rateOf(staked: bigint, won: bigint): string | undefined {
  // The win is cut, so the rate is at most the quotient.
  const scale = 10_000n
  const rate = ((staked - won) * scale) / staked
  return rate > 0n && (staked * (scale - rate)) / scale === won ? formatUnits(rate, 4) : undefined
}

/** Slips that the defaults fit, by what they say something about. */
export interface Fitting {
  commission: number
  holdFactor: number
  specialHands: number
}

export const nothingFits = (): Fitting => ({ commission: 0, holdFactor: 0, specialHands: 0 })

/** Minimum number of slips that must agree on a setting, and how many times more than those that contradict it. */
const minAgreeing = 3
const timesMore = 4

/** Settings that slips may agree on, and how many do. */
export interface CandidateSettings {
  readonly settings: TableSettings
  /** Number of slips that these settings explain and the defaults do not. */
  readonly fits: number
  /** Number of them with a special hand by name, which only a table with special hands has. */
  readonly named: number
}

/** Returns the settings that the slips of a table agree on, if they agree on others than the defaults. */
export function agreedSettings(candidates: readonly CandidateSettings[], fitting: Fitting): TableSettings | undefined {
  const agreed = candidates.filter(({ settings, fits, named }) => {
    const against = contradicting(settings, fitting)
    const isNamed = settings.specialHands === true && named > 0 && settings.commission === undefined && against === 0
    return (isNamed || fits >= minAgreeing) && fits >= timesMore * against
  })
  return bestFitting(agreed)
}

/** Returns the settings that most slips fit; of equally good ones those with the fewest settings. */
export function bestFitting(candidates: readonly CandidateSettings[]): TableSettings | undefined {
  const most = candidates.reduce((best, { fits }) => Math.max(best, fits), 1)
  const best = candidates.filter(({ fits }) => fits === most)
  return best.toSorted((a, b) => Object.keys(a.settings).length - Object.keys(b.settings).length)[0]?.settings
}

/** Returns the number of slips that fit the defaults only where these settings differ. */
function contradicting(settings: TableSettings, fitting: Fitting): number {
  return (['commission', 'holdFactor', 'specialHands'] as const).reduce((most, name) => {
    // With special hands a double bet holds more.
    const isHold = name === 'holdFactor' && settings.specialHands === true
    return settings[name] !== undefined || isHold ? Math.max(most, fitting[name]) : most
  }, 0)
}

/** Settings without which money may be kept from players unnoticed: they must be stated. */
export const mustBeStated = (settings: TableSettings): boolean =>
  settings.commission !== undefined && Number(settings.commission) !== 0
