import { Problem } from '../../../kit/problem.ts'

/** Throws CHAT_AGENT_INVALID unless a name can be shown to customers. */
export function checkAgentName(displayName: string): void {
  if (displayName.trim() === '' || displayName.length > 100 || /\p{Cc}/u.test(displayName))
    throw new Problem(
      'CHAT_AGENT_INVALID',
      'The name of an agent must have 1 to 100 characters and no control characters',
    )
}
