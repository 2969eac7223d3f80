import { Problem } from '../../kit/problem.ts'

/** The kinds of database that a name can mean. */
export type DatabaseKind = 'file' | 'memory' | 'postgres'

/**
 * The kind of database that a name means, or `undefined` for an address with an unknown scheme. Such an address is never
 * taken for the path of a file: `postgre://user:secret@host/db` would become a file with a password in its name.
 */
export function databaseKind(name: string): DatabaseKind | undefined {
  if (name === ':memory:') return 'memory'
  if (/^postgres(ql)?:/i.test(name)) return 'postgres'
  // One letter before the colon is a drive of Windows.
  if (name.trim() === '' || /^\s*([a-z][a-z0-9+.-]+:|[a-z]:\/\/)/i.test(name)) return undefined
  return 'file'
}

/** Whether the database is a file, which lies somewhere and may be missing. */
export const isDatabaseFile = (name: string): boolean => databaseKind(name) === 'file'

/** Returns the reason why a name cannot be a database. The name itself is not repeated, because it may hold a password. */
export function databaseFault(name: string): string | undefined {
  if (databaseKind(name) !== undefined) return undefined
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(name)?.[1]
  const wanted = 'the path of a file, :memory: or a postgres:// address'
  if (scheme === undefined) return `must be ${wanted}`
  return `has the unknown scheme "${scheme}:"; use ${wanted} (write ./ before a file name with a colon)`
}

/** Refuses with STORE_URL what cannot be a database. */
export function knownDatabase(name: string): DatabaseKind {
  const kind = databaseKind(name)
  if (kind === undefined) throw new Problem('STORE_URL', `The database ${databaseFault(name)}`)
  return kind
}

/**
 * The database's name with its password, if it has one, replaced by stars; also one given as a parameter. Up to the last `@`,
 * so that a password with an unescaped `@` in it does not show its end.
 */
export function withoutPassword(name: string): string {
  return name
    .replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/[^:@/?#]*):.*@/i, '$1:***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, '$1***')
}

/** The passwords in a database's name, as written and as meant, so that whatever prints can take them out. */
export function passwordsIn(name: string): string[] {
  const written = /^\s*[a-z][a-z0-9+.-]*:\/\/[^:@/?#]*:(.*)@/i.exec(name)?.[1]
  const given = [...name.matchAll(/[?&](?:password|sslpassword)=([^&#]*)/gi)].map(([, value]) => value)
  const all = [written, ...given].filter((text) => text !== undefined && text !== '') as string[]
  return [...new Set(all.flatMap((text) => [text, unescaped(text)]))]
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
