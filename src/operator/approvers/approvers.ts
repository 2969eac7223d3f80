import type { BookApproverRow } from '../../db/schema/book.ts'
import { foldName } from '../../domain/wallet/approval.ts'
import { hashPassword, isPassword } from '../../kit/password-hash.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'

/** Approvers: names in the book, each with the hash of a passphrase. */

/** Minimum number of characters of a passphrase. */
export const shortestPassphrase = 8

/** An approver to add. */
export interface NewApprover {
  readonly name: string
  readonly passphrase: string
  /** 16 random bytes. */
  readonly salt: Uint8Array
  /** User of the operating system who adds it. */
  readonly by: string
}

/** Adds an approver. Throws APPROVER_EXISTS for a known name. */
export async function addApprover(
  book: Book,
  { name, passphrase, salt, by }: NewApprover,
  isDryRun: boolean,
): Promise<BookApproverRow> {
  const hash = await hashPassword(passphrase, salt)
  const key = foldName(name)
  const made = (now: number): BookApproverRow => ({ name_key: key, name, hash, added_by: by, added_at: now })
  const refuseKnown = (known: BookApproverRow | undefined) => {
    if (known)
      throw new Problem(
        'APPROVER_EXISTS',
        `Approver ${known.name} already exists. To set another passphrase, remove it first: countroom approvers remove ${known.name}`,
        { name: known.name, category: 'conflict', remoteCode: null },
      )
  }
  if (isDryRun) {
    refuseKnown(await approverNamed(book, name))
    return made(0)
  }
  return book.store.write(async (tx) => {
    refuseKnown(await tx.q.selectFrom('book_approvers').selectAll().where('name_key', '=', key).executeTakeFirst())
    const row = made(tx.now)
    await tx.q.insertInto('book_approvers').values(row).execute()
    return row
  })
}

/** Returns all approvers by name. */
export function listApprovers(book: Book): Promise<BookApproverRow[]> {
  return book.store.read(({ q }) => q.selectFrom('book_approvers').selectAll().orderBy('name_key').execute())
}

/** Removes an approver. Decisions in that name stay as they are. Throws APPROVER_NOT_FOUND. */
export async function removeApprover(book: Book, name: string, isDryRun: boolean): Promise<BookApproverRow> {
  const row = await approverNamed(book, name)
  if (!row) throw unknownApprover(name)
  if (!isDryRun)
    await book.store.write(({ q }) => q.deleteFrom('book_approvers').where('name_key', '=', row.name_key).execute())
  return row
}

/** Returns the name of the approver whom the passphrase proves. Throws APPROVER_NOT_FOUND, or WRONG_PASSPHRASE. */
export async function provenName(book: Book, name: string, passphrase: string): Promise<string> {
  const row = await approverNamed(book, name)
  if (!row) throw unknownApprover(name)
  if (await isPassword(passphrase, row.hash)) return row.name
  throw new Problem('WRONG_PASSPHRASE', `The passphrase does not match approver ${row.name}. Nothing was done`, {
    name: row.name,
    category: 'permission',
    remoteCode: null,
  })
}

function approverNamed(book: Book, name: string): Promise<BookApproverRow | undefined> {
  return book.store.read(({ q }) =>
    q.selectFrom('book_approvers').selectAll().where('name_key', '=', foldName(name)).executeTakeFirst(),
  )
}

const unknownApprover = (name: string) =>
  new Problem('APPROVER_NOT_FOUND', `No approver ${name}. To list approvers: countroom approvers list`, {
    name,
    remoteCode: null,
  })
