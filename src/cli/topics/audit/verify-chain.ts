import { type AuditHead, headOf, headText } from '../../../domain/audit/chain.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { type AuditCheck, type KeptEnd, verifyChain, verifyEntries } from '../../../operator/audit/audit.ts'
import { exportedEntries } from '../../../operator/audit/exported.ts'
import { forgetHead, headFileOf, keptHead } from '../../../world/clients/audit-head.ts'
import type { CommandContext } from '../../context/context.ts'
import { readInput } from '../../terminal/read-input.ts'

interface VerifyFlags {
  readonly head?: string | undefined
  readonly file?: string | undefined
  readonly accept: boolean
}

/** Checks the audit trail of the book, or an exported one, from its first entry to its last. */
export async function verifyAudit(context: CommandContext, flags: VerifyFlags) {
  const earlier = earlierHead(flags.head)
  const kept: KeptEnd[] = earlier ? [{ head: earlier }] : []
  if (flags.file !== undefined) {
    const entries = exportedEntries(await readInput(flags.file), flags.file)
    const check = await verifyEntries(once(entries), kept)
    report(context, check)
    if (!check.fault && !earlier)
      context.footnote(
        'Lines that were removed at the end of a file are found only with --head and the head that the export printed',
      )
    return shown(check, null)
  }
  const { book, url } = await context.services.book()
  const file = headFileOf(context.settings, url)
  const here = keptHead(file)
  if (here) kept.push({ head: here, source: 'the end that this user keeps' })
  const check = await verifyChain(book, kept)
  if (flags.accept) return accepted(context, { url, whole: await verifyChain(book), here })
  report(context, check)
  if (check.fault && !(await verifyChain(book)).fault && here)
    context.footnote(
      `The book alone is intact. If you replaced it yourself by an older copy, accept its end: countroom audit verify --accept`,
    )
  if (!check.fault && !earlier)
    context.footnote(
      `Keep the head outside of this machine. The next check compares with it: countroom audit verify --head ${headText(check.head)}`,
    )
  return shown(check, here)
}

function earlierHead(text: string | undefined): AuditHead | undefined {
  const earlier = text === undefined ? undefined : headOf(text)
  if (text !== undefined && earlier === undefined)
    throw new Problem(
      'INVALID_USAGE',
      `--head must be SEQ:HASH as printed by an earlier "countroom audit verify", not ${JSON.stringify(text.slice(0, 80))}`,
    )
  return earlier
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}

const shown = ({ fault, entries, head, unfinished }: AuditCheck, here: AuditHead | null | undefined) => ({
  ...{ valid: fault === null, entries, head: headText(head), firstBad: fault, unfinished },
  keptHead: here ? headText(here) : null,
})

/** Accepts the end of a chain that is intact by itself, with entries that say which end was expected. */
async function accepted(
  context: CommandContext,
  { url, whole, here }: { url: string; whole: AuditCheck; here: AuditHead | undefined },
) {
  report(context, whole)
  if (whole.fault === null) {
    await context.services.auditChanges(
      `--accept ${headText(whole.head)}`,
      ...(here ? [`instead of ${headText(here)}`] : []),
    )
    forgetHead(context.settings, url)
    context.footnote('Accepted the end of the trail; the trail has an entry about it')
  }
  return shown(whole, here)
}

function report(context: CommandContext, { entries, head, fault, unfinished }: AuditCheck): void {
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
}
