import { Problem } from '../../kit/problem.ts'
import type { Engine } from './engine.ts'

/**
 * Opens the kind of database that the URL names. Each driver is loaded when it is wanted, so that a program on one of
 * them never loads the other.
 */
export async function openEngine(url: string, poolSize?: number): Promise<Engine> {
  if (/^postgres(ql)?:/i.test(url)) return (await import('./postgres.ts')).openPostgres(url, poolSize)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || url === '')
    throw new Problem('STORE_URL', 'The database is the path of a file, :memory: or postgres://…')
  return (await import('./sqlite.ts')).openSqlite(url, poolSize)
}

/** The URL of a database as it may be shown: without its password. */
export function shownUrl(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^:@/?#]*):.*@/i, '$1:***@').replace(/([?&]password=)[^&]*/gi, '$1***')
}
