import { headOf, headText } from '../../../domain/audit/chain.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { type AuditCheck, verifyChain } from '../../../operator/audit/audit.ts'
import type { CommandContext } from '../../context/context.ts'

/** Checks the audit trail from its first entry to its last, and prints the head to compare with the next time. */
export async function verifyAudit(context: CommandContext, flags: { readonly head?: string | undefined }) {
  const earlier = flags.head === undefined ? undefined : headOf(flags.head)
  if (flags.head !== undefined && earlier === undefined)
    throw new Problem(
      'INVALID_USAGE',
      `--head must be SEQ:HASH as printed by an earlier "countroom audit verify", not ${JSON.stringify(flags.head.slice(0, 80))}`,
    )
  const { book } = await context.services.book()
  const check = await verifyChain(book, earlier)
  report(context, check, earlier !== undefined)
  const { fault, head, entries, unfinished } = check
  return { valid: fault === null, entries, head: headText(head), firstBad: fault, unfinished }
}

function report(context: CommandContext, { entries, head, fault, unfinished }: AuditCheck, isCompared: boolean): void {
  const count = countText(entries, 'entry', 'entries')
  if (fault) {
    context.log(`${fault.message}. ${count} read.`)
    context.endWith('DIFFERENCES', `The audit trail is not intact: ${fault.message}`, { seq: fault.seq })
  } else context.log(`The audit trail is intact: ${count}.`)
  context.log(`Head: ${headText(head)}`)
  if (unfinished > 0)
    context.footnote(
      `${countText(unfinished, 'run has', 'runs have')} no outcome: still running, or killed. To see them: countroom audit list`,
    )
  if (!fault && !isCompared)
    context.footnote(
      `Keep the head outside of this machine. The next check compares with it: countroom audit verify --head ${headText(head)}`,
    )
}
