import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { databaseKind, withoutPassword } from '../../db/engines/database-name.ts'
import { type AuditHead, headOf, headText } from '../../domain/audit/chain.ts'
import { sha256Hex } from '../../kit/hmac.ts'
import { hasEntry } from '../../operator/audit/audit.ts'
import type { Book } from '../../operator/book/book.ts'
import { writeWhole } from '../config/atomic-write.ts'
import type { Config } from '../config/config.ts'

/**
 * The end of a book's audit trail, as this user's last recorded run left it: a file in the state folder. It is written after the
 * entry, so that after a kill it is behind the trail and never ahead of it.
 */

/** Returns the file for a book. */
export function headFileOf({ paths }: Pick<Config, 'paths'>, bookUrl: string): string {
  return join(paths.state, 'audit-heads', `${sha256Hex(withoutPassword(bookUrl)).slice(0, 16)}.txt`)
}

/** Returns the kept end; undefined if there is none, or if the file cannot be read. */
export function keptHead(file: string): AuditHead | undefined {
  try {
    return headOf(readFileSync(file, 'utf8').trim())
  } catch {
    return undefined
  }
}

/** Keeps the end of a trail, if it continues the one that is kept: a file that contradicts the trail stays for `audit verify`. */
export async function keepHead(
  config: Pick<Config, 'paths'>,
  bookUrl: string,
  book: Book,
  head: AuditHead,
): Promise<void> {
  if (databaseKind(bookUrl) === 'memory') return
  const file = headFileOf(config, bookUrl)
  const kept = keptHead(file)
  if (kept && (kept.seq >= head.seq || !(await hasEntry(book, kept)))) return
  writeWhole(file, `${headText(head)}\n`, { file: 0o600, folder: 0o700 })
}

/** Deletes the kept end, when a command replaced the book or the new end was accepted. */
export function forgetHead(config: Pick<Config, 'paths'>, bookUrl: string): void {
  rmSync(headFileOf(config, bookUrl), { force: true })
}
