import { packFolder } from '../../../../operator/evidence/pack.ts'
import { breakCase } from '../../../../operator/reconcile/breaks/evidence.ts'
import { breakNamed } from '../../../../operator/reconcile/breaks/store.ts'
import { explainBreak } from '../../../../operator/reconcile/explain/explain-break.ts'
import type { CommandContext } from '../../../context/context.ts'
import { endedAfter } from '../../../terminal/progress.ts'
import { writeEvidence } from '../../evidence/write-evidence.ts'
import { endWithMissing, openExplaining } from '../explain/explain-subject.ts'

interface EvidenceFlags {
  readonly out: string
  readonly offline: boolean
  readonly 'trace-pages': number
}

/** Writes an evidence pack about a break: its explanation, and every request made for it. */
export async function writeBreakEvidence(context: CommandContext, id: string, flags: EvidenceFlags) {
  packFolder(flags.out)
  let name = id
  let missing: string[] = []
  const progress = context.progress(`Collecting evidence about ${id}`)
  const writing = writeEvidence(context, { out: flags.out }, async () => {
    const { work } = await openExplaining(context, flags.offline)
    const { row } = await breakNamed(work.book, id)
    name = row.id
    const explained = await explainBreak({ ...work, onStep: (step) => progress.update(0, step) }, row.id, {
      tracePages: flags['trace-pages'],
    })
    missing = explained.missing
    return breakCase(context.screen.complete(explained), JSON.parse(row.detail), work.tenant)
  })
  const written = await endedAfter(progress, writing)
  endWithMissing(context, { missing })
  return { break: name, missing, ...written }
}
