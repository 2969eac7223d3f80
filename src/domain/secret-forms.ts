import { ownSecrets } from './tickets/outgoing/own-secrets.ts'

/** Patterns of secrets from any source, each with its replacement. */
const secretForms: readonly [RegExp, string][] = [
  ...ownSecrets
    .filter(({ isPublic }) => !isPublic)
    .map(({ prefix, rest }): [RegExp, string] => [new RegExp(`\\b(${prefix})${rest}`, 'g'), '$1***']),
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '***'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:@/?#]*):[^\s@/]+@/gi, '$1:***@'],
  [/([?&](?:token|ticket|secret|password|api_?key|signature)=)[^\s&#"']+/gi, '$1***'],
]

/** Replaces everything in a text that has the form of a secret with stars. */
export function withoutSecretForms(text: string): string {
  let safe = text
  for (const [form, stars] of secretForms) safe = safe.replace(form, stars)
  return safe
}
