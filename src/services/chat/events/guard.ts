export type CloseReason = 'shutdown' | 'keyRotated' | 'keyRevoked' | 'tokenExpired' | 'slowConsumer'

/** Conditions of a subscription: checked once a second. */
export interface Guard {
  /** Front-end key that authenticated it. */
  readonly tenantKey?: string
  /** Agent's token that authenticated it. */
  readonly keyId?: string
  /** Room and epoch of the room token that authenticated it. */
  readonly roomId?: string
  readonly roomEpoch?: number
  /** By the machine's clock. */
  readonly expiresAt?: number
  leave(reason: CloseReason): void
  beat(): void
}
