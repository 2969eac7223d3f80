/**
 * The keys, tokens and secrets that our own services give out, by the prefixes they give them: what must not go to customers, and
 * what is not printed. Those without a prefix (tenants' secrets, IPN secrets, passwords) look like chance and nothing else.
 */
export interface OwnSecret {
  readonly rule: 'api-key' | 'secret'
  /** In a few words, what it is. */
  readonly what: string
  /** Its beginning, which may be shown: it tells what the rest is. */
  readonly prefix: string
  /** The rest, which is drawn or proves something. */
  readonly rest: string
  /** Given out to stand in the pages of anybody: no text of ours has to quote it, and printing it gives nothing away. */
  readonly isPublic?: true
}

export const ownSecrets: readonly OwnSecret[] = [
  { rule: 'api-key', what: 'key of the casino API', prefix: 'ek_[ls]_', rest: '[A-Za-z0-9_-]{4,}' },
  { rule: 'api-key', what: 'key of the gateway API', prefix: 'gw_(?:[ps]_)?', rest: '[A-Za-z0-9]{16,}' },
  { rule: 'api-key', what: 'key of the chat API', prefix: 'ck_', rest: String.raw`[0-9A-Z]{26}_[\w-]{20,}` },
  { rule: 'api-key', what: 'agent’s token', prefix: 'cat_', rest: String.raw`[0-9A-Z]{26}_[\w-]{20,}` },
  { rule: 'api-key', what: 'tenant key of the chat', prefix: 'wk_', rest: '[A-Za-z0-9]{16,}', isPublic: true },
  { rule: 'secret', what: 'token of a room', prefix: 'rt_', rest: String.raw`[\w-]{20,}(?:\.[\w-]+)?` },
  { rule: 'secret', what: 'ticket of a stream', prefix: 'st_', rest: String.raw`[\w-]{20,}(?:\.[\w-]+)?` },
  { rule: 'secret', what: 'webhook secret', prefix: 'whs_', rest: '[A-Za-z0-9]{4,}' },
]
