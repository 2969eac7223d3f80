/** Explanation of the credentials of a recorded request, for APIs that do not sign requests. */

/** A recorded request and how it was refused. */
export interface RecordedCaller {
  /** The world's time when it arrived. */
  readonly at: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly address: string
  readonly refusal: { readonly code: string; readonly message: string } | undefined
}

export interface CredentialExplanation {
  readonly verdict:
    | 'accepted'
    | 'missing'
    | 'unknown-key'
    | 'revoked-key'
    | 'other-environment'
    | 'blocked-address'
    | 'missing-token'
    | 'unknown-token'
    | 'expired-token'
    | 'other-account'
    | 'no-permission'
    | 'rate-limited'
  /** A sentence for people. */
  readonly reason: string
  /** Code of the account that the key belongs to. */
  readonly owner?: string | undefined
}
