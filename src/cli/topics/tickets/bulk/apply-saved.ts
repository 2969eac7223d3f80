import type { BulkAction } from '../../../../domain/tickets/bulk-action.ts'
import { Problem } from '../../../../kit/problem.ts'
import { bulkFileFrom, publicTexts } from '../../../../operator/tickets/bulk/bulk-file.ts'
import { bulkReport } from '../../../../operator/tickets/bulk/report.ts'
import { bulkActionById, storeBulkAction } from '../../../../operator/tickets/bulk-journal.ts'
import { readPhrases, refuseGuarded } from '../../../../operator/tickets/text/phrases.ts'
import type { CommandContext } from '../../../context/context.ts'
import { readJsonInput } from '../../../terminal/read-input.ts'
import { applyBulk } from './apply-bulk.ts'
import { BookServices } from './book-services.ts'
import { confirmTexts, printReport } from './print-report.ts'

interface ApplyFlags {
  readonly macros?: string | undefined
  readonly 'allow-guard'?: readonly string[] | undefined
  readonly actor?: string | undefined
  readonly wait?: string | undefined
  readonly yes: boolean
}

/** A bulk action from a file or from the book. */
interface SavedBulk {
  readonly bulk: BulkAction
  readonly target: string
  readonly order: string
  /** True if the book already has it. */
  readonly isStarted: boolean
}

/** Applies a bulk action of a file or of the book, or resumes it. */
export async function applySaved(context: CommandContext, source: string, flags: ApplyFlags) {
  const services = new BookServices(context)
  const { access } = await context.services.chat()
  const saved = await readSaved(services, source)
  const { bulk, target } = saved
  if (target !== access.target)
    throw new Problem(
      'CONFLICT',
      `The bulk action is for ${target}, but this profile is ${access.target}. Pass the --profile it was created with`,
      {
        target,
        remoteCode: null,
      },
    )
  const phrases = await readPhrases(context.settings.paths.config, flags.macros)
  const texts = publicTexts(bulk)
  for (const { ticketId, content } of texts)
    refuseGuarded(content, phrases, flags['allow-guard'] ?? [], `Ticket ${ticketId}: `)
  if (context.isDryRun) {
    const report = bulkReport(bulk, undefined, { resumed: false, out: null, audit: null, titles: new Map() })
    await printReport(services, report)
    context.footnote('Nothing was sent.')
    return report
  }
  await confirmTexts(context, texts, flags.yes)
  await services.lockFor(bulk.planId, saved.order, flags.wait)
  const resumed = await store(services, saved)
  const results = await applyBulk(services, bulk, { actor: flags.actor })
  const audit = services.auditOf(bulk.planId)
  const report = bulkReport(bulk, results, { resumed, out: null, audit, titles: new Map() })
  await printReport(services, report)
  return report
}

async function readSaved(services: BookServices, source: string): Promise<SavedBulk> {
  if (!/^[0-9A-Z]{26}$/.test(source)) {
    const { plan: bulk, target, order } = bulkFileFrom(await readJsonInput(source), source)
    return { bulk, target, order, isStarted: false }
  }
  const named = await bulkActionById(await services.book(), source)
  if (!named)
    throw new Problem(
      'PLAN_NOT_FOUND',
      `The book has no bulk action ${source}. To create one: countroom help tickets bulk`,
      { planId: source },
    )
  return { bulk: named.bulk, target: named.row.target, order: named.row.order_text, isStarted: true }
}

/** Stores the bulk action in the book. Returns whether the book had it already. */
async function store(services: BookServices, { bulk, target, order, isStarted }: SavedBulk): Promise<boolean> {
  const book = await services.book()
  const resumed = isStarted || (await bulkActionById(book, bulk.planId)) !== undefined
  await storeBulkAction(book, bulk, { kind: 'bulk', target, order })
  const stored = await bulkActionById(book, bulk.planId)
  if (stored && JSON.stringify(stored.bulk) !== JSON.stringify(bulk))
    throw new Problem(
      'CONFLICT',
      'A bulk action with this ID and other content was already started. To create a new one: countroom help tickets bulk',
      {
        planId: bulk.planId,
        remoteCode: null,
      },
    )
  return resumed
}
