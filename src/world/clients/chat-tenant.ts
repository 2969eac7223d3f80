import { demoChatCode } from '../../services/chat/server/demo-codes.ts'
import type { LocalProfile } from '../config/profile-schema.ts'

/** Returns the merchant that a local profile acts for: the one with its tenant's name, the demo's, or the only one. */
export function chatTenantAmong(codes: readonly string[], profile: LocalProfile): string | undefined {
  const code = profile.tenant?.toUpperCase() ?? demoChatCode
  if (codes.includes(code)) return code
  return codes.length === 1 ? codes[0] : undefined
}
