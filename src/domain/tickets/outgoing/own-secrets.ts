/**
 * Prefixes of the keys, tokens and secrets that our own services issue: they must not go to customers and are not
 * printed. Secrets without a prefix (tenants' secrets, IPN secrets, passwords) look random.
 */
export interface OwnSecret {
  readonly rule: 'api-key' | 'secret'
  /** Kind, in a few words. */
  readonly kind: string
  /** Prefix, which may be shown. */
  readonly prefix: string
  /** Pattern of the secret part. */
  readonly rest: string
  /** Embedded in public pages: printing it reveals nothing. */
  readonly isPublic?: true
}

export const ownSecrets: readonly OwnSecret[] = [
  { rule: 'api-key', kind: 'key of the casino API', prefix: 'ek_[ls]_', rest: '[A-Za-z0-9_-]{4,}' },
  { rule: 'api-key', kind: 'key of the gateway API', prefix: 'gw_(?:[ps]_)?', rest: '[A-Za-z0-9]{16,}' },
  { rule: 'api-key', kind: 'key of the chat API', prefix: 'ck_', rest: String.raw`[0-9A-Z]{26}_[\w-]{20,}` },
  { rule: 'api-key', kind: 'agent token', prefix: 'cat_', rest: String.raw`[0-9A-Z]{26}_[\w-]{20,}` },
  { rule: 'api-key', kind: 'tenant key of the chat', prefix: 'wk_', rest: '[A-Za-z0-9]{16,}', isPublic: true },
  { rule: 'secret', kind: 'room token', prefix: 'rt_', rest: String.raw`[\w-]{20,}(?:\.[\w-]+)?` },
  { rule: 'secret', kind: 'stream ticket', prefix: 'st_', rest: String.raw`[\w-]{20,}(?:\.[\w-]+)?` },
  { rule: 'secret', kind: 'webhook secret', prefix: 'whs_', rest: '[A-Za-z0-9]{4,}' },
]
