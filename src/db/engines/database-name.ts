import { Problem } from '../../kit/problem.ts'

/** Kinds of database that a name can refer to. */
export type DatabaseKind = 'file' | 'memory' | 'postgres'

const misspelledAddress = /^\s*["']?postgres(ql)?[:/].*@/i

/**
 * Returns the kind of database that a name refers to, or `undefined` for an address with an unknown scheme. Such an
 * address is never used as a file path: `postgre://user:secret@host/db` would become a file with a password in its
 * name.
 */
export function databaseKind(name: string): DatabaseKind | undefined {
  if (name === ':memory:') return 'memory'
  if (/^postgres(ql)?:\/\//i.test(name)) return 'postgres'
  // One letter before the colon is a Windows drive.
  if (name.trim() === '' || /^\s*([a-z][a-z0-9+.-]+:|[a-z]:\/\/)/i.test(name)) return undefined
  // An address without its colon, or in quotation marks: as a file it would have a password in its name.
  if (misspelledAddress.test(name)) return undefined
  return 'file'
}

/** Returns whether the database is a file, which can be missing. */
export const isDatabaseFile = (name: string): boolean => databaseKind(name) === 'file'

/** Returns why a name cannot be a database. The name is not repeated, because it may contain a password. */
export function databaseFault(name: string): string | undefined {
  if (databaseKind(name) !== undefined) return undefined
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(name)?.[1]
  const forms = 'the path of a file, :memory: or a postgres:// address'
  if (misspelledAddress.test(name))
    return 'is no complete address: it must start with postgres:// and have no quotation marks'
  if (scheme === undefined) return `must be ${forms}`
  return `has the unknown scheme "${scheme}:"; use ${forms} (write ./ before a file name with a colon)`
}

/** Returns the kind of a database name, or throws STORE_URL. */
export function knownDatabase(name: string): DatabaseKind {
  const kind = databaseKind(name)
  if (kind === undefined) throw new Problem('STORE_URL', `The database ${databaseFault(name)}`)
  return kind
}

/**
 * Replaces the password in a database's name by stars, also in a parameter. Matches up to the last `@`, so that no part
 * of a password with an unescaped `@` is shown.
 */
export function withoutPassword(name: string): string {
  return name
    .replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@/i, '$1:***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1***')
}

/** Returns the passwords in a database's name, encoded and decoded, so that output can mask them. */
export function passwordsIn(name: string): string[] {
  const written = /^\s*[a-z][a-z0-9+.-]*:\/\/[^:@/?#]*:(.*)@/i.exec(name)?.[1]
  const queryPasswords = [...name.matchAll(/[?&](?:password|sslpassword)=([^&#]*)/gi)].map(([, value]) => value)
  const all = [written, ...queryPasswords].filter((text) => text !== undefined && text !== '') as string[]
  return [...new Set(all.flatMap((text) => [text, unescaped(text)]))]
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
