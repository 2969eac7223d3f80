import type { Customer, Identification } from '../context.ts'

/** Returns the customer from the page's data: the script tag's attributes, or the arguments of `identify`. */
export function customerOf({ account, identity, name, email }: Identification): Customer {
  return { account: textOf(account), identity: proofOf(identity), name: textOf(name), email: textOf(email) }
}

const textOf = (value: unknown) => (value == null || value === '' ? undefined : String(value))

function proofOf(value: unknown): string | undefined {
  let identity = value as { issuedAt?: unknown; signature?: unknown }
  try {
    if (/^\{/.test(value as string)) identity = JSON.parse(value as string)
  } catch {}
  return identity?.signature ? `${identity.issuedAt}.${identity.signature}` : textOf(value)
}
