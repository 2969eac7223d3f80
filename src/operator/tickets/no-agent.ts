import { Problem } from '../../kit/problem.ts'

/** Reason why a profile of a remote chat cannot act as an agent. */
export const noAgentToken = 'the profile has no agentToken in its chat section'

/** The profile cannot act as an agent. Its chat section lacks a token, or its local merchant has no agent. */
export function noAgent(
  { isLocal, tenant }: { readonly isLocal: boolean; readonly tenant: string | null },
  subject = 'This command needs',
): Problem {
  const reason =
    isLocal && tenant !== null
      ? `${tenant} has none. To create one: countroom console chat agents create ${tenant} Ann`
      : `${noAgentToken}. To add it: countroom help profiles add`
  return new Problem('BAD_CONFIGURATION', `${subject} an agent, but ${reason}`)
}
