import { Args } from './flags.ts'

export const chatTenantArg = { code: Args.string({ required: true, description: 'The chat tenant' }) }

export const chatPlans = ['free', 'pro', 'enterprise'] as const
export type ChatPlanName = (typeof chatPlans)[number]

/** The plan of that name; the flag lets no other through. */
export function chatPlanFrom(said: string): ChatPlanName {
  return chatPlans.find((plan) => plan === said) ?? 'free'
}
