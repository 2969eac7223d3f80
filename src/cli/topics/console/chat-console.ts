import { Problem } from '../../../kit/problem.ts'
import { Args } from '../../framework/flags.ts'

export const chatTenantArg = { code: Args.string({ required: true, description: 'Chat tenant code' }) }

const units: Readonly<Record<string, number>> = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 }

/** Parses a size such as 50MiB to bytes; undefined without a value. */
export function bytesFrom(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const [, count = '', unit = ''] = /^([0-9]{1,13})(B|KiB|MiB|GiB)$/.exec(value) ?? []
  if (count === '')
    throw new Problem('INVALID_USAGE', `${flag} must be a size such as 50MiB or 1GiB; received ${value}`)
  return Number(count) * (units[unit] ?? 1)
}

/** Formats bytes in the largest unit that is exact. */
export function bytesText(bytes: number): string {
  const unit = ['GiB', 'MiB', 'KiB'].find((name) => bytes % (units[name] ?? 1) === 0) ?? 'B'
  return `${bytes / (units[unit] ?? 1)}${unit}`
}

export const chatPlans = ['free', 'pro', 'enterprise'] as const
export type ChatPlanName = (typeof chatPlans)[number]

/** Converts a plan flag, whose values the parser has checked. */
export function chatPlanFrom(name: string): ChatPlanName {
  return chatPlans.find((plan) => plan === name) ?? 'free'
}
