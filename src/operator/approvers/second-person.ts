import type { Reader } from '../../db/store.ts'
import { foldName } from '../../domain/wallet/approval.ts'
import { typedCommand } from '../../kit/shell-quote.ts'

/** A decision that a second person must make. */
export interface SecondDecision {
  /** Words, arguments and flags of the command that decides. */
  readonly words: string
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, string | true | undefined>>
  /** Person who decided first and cannot decide again; null if not known. */
  readonly first: string | null
}

/** The command of the second person, and the sentence that names it. */
export interface ApprovalCommand {
  readonly command: string
  readonly text: string
}

/** Returns the command by which another person decides: an approver of the book, else another user of the machine. */
export async function approvalCommand(reader: Reader | undefined, decision: SecondDecision): Promise<ApprovalCommand> {
  const { words, args, flags, first } = decision
  const approvers =
    (await reader?.q.selectFrom('book_approvers').select(['name_key', 'name']).orderBy('name_key').execute()) ?? []
  const other = approvers.find(({ name_key: key }) => first === null || key !== foldName(first))
  const proof = other ? { as: other.name, 'passphrase-file': '-' } : {}
  const command = typedCommand(words, args, { ...flags, ...proof })
  return {
    command,
    text: other
      ? `To approve it as ${other.name}: ${command}`
      : `To approve it as another user: ${command}. To add an approver with a passphrase: countroom help approvers add`,
  }
}
