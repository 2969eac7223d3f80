export type CloseReason = 'shutdown' | 'keyRotated' | 'keyRevoked' | 'tokenExpired' | 'slowConsumer'

/** The credential that authenticated a subscription. It is checked once a second. */
export interface WatchedCredential {
  /** Front-end key. */
  readonly tenantKey?: string
  /** ID of the agent's token. */
  readonly keyId?: string
  /** Room and epoch of the room token. */
  readonly roomId?: string
  readonly roomEpoch?: number
  /** Expiry in epoch milliseconds, by the machine's clock. */
  readonly expiresAt?: number
  leave(reason: CloseReason): void
  beat(): void
}
