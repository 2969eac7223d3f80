import { withoutPassword } from '../../../db/engines/database-name.ts'
import type { BookWalletPlanRow } from '../../../db/schema/book.ts'
import { planIdPattern } from '../../../domain/wallet/batch.ts'
import { minuteText } from '../../../kit/moment.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { type ApprovalCommand, approvalCommand } from '../../../operator/approvers/second-person.ts'
import type { Book } from '../../../operator/book/book.ts'
import { approvalToApply, type BatchReport } from '../../../operator/transfers/batch-report.ts'
import { type StoredBatch, transferBatch } from '../../../operator/transfers/batches.ts'
import type { CommandContext } from '../../context/context.ts'
import { targetFlags } from '../../context/suggested-command.ts'
import { typedCommand } from '../../framework/shell-quote.ts'

/** Checks of a batch before something is done with it. */

/** Returns the batch of an ID, after a check that it is unchanged. */
export async function findBatch(book: Book, planId: string): Promise<StoredBatch> {
  return transferBatch(book, batchIdFrom(planId))
}

/** Returns the ID of a batch as it is stored. Generated IDs are case-insensitive; given ones are not. */
export function batchIdFrom(text: string): string {
  if (!planIdPattern.test(text))
    throw new Problem(
      'INVALID_USAGE',
      `"${text.slice(0, 70)}" is not a batch ID. To list the batches: countroom wallet plans`,
    )
  return /^[0-9A-Z]{26}$/i.test(text) ? text.toUpperCase() : text
}

/** Rejects another profile: an approval there would skip the questions about real money. */
export function refuseElsewhere(
  { profile: { profile } }: CommandContext,
  { id, company_code: company, environment, target }: BookWalletPlanRow,
): void {
  const isHere =
    profile.kind === 'local'
      ? target === withoutPassword(profile.db)
      : profile.casino?.companyCode === company && profile.environment === environment
  if (isHere) return
  throw new Problem(
    'BOOK_OF_ANOTHER',
    `Batch ${id} is for ${company} (${environment}) at ${target}. Pass the --profile of that platform`,
    { planId: id, companyCode: company, environment, target },
  )
}

/** Throws APPROVAL_NEEDED if the batch must not be applied. */
export async function refuseUnapproved(context: CommandContext, book: Book, report: BatchReport): Promise<void> {
  const { planId, madeBy, approvals } = report
  const approval = approvalToApply(report)
  if (approval === 'approved') return
  const { command: next, text } = await approvalStep(context, book, report)
  const expired = approvals.filter(({ isOfThis, valid }) => isOfThis && !valid)
  const last = expired.at(-1)
  const { approvalDays } = context.settings.settings
  if (last !== undefined)
    throw new Problem(
      'APPROVAL_NEEDED',
      `The approval of batch ${planId} by ${last.by} expired on ${minuteText(last.until)}: an approval is valid for ${countText(Number(approvalDays), 'day')} (setting approvalDays). Nothing was sent. ${text}`,
      { planId, approvalDays, lapsed: expired.map(({ by, at, until }) => ({ by, at, until })), next: [next] },
    )
  const reason =
    approval === 'none'
      ? `Batch ${planId} is not approved`
      : `Batch ${planId} exceeds approvalAbove, so ${madeBy} cannot approve it alone; a second person must approve it`
  throw new Problem('APPROVAL_NEEDED', `${reason}. Nothing was sent. ${text}`, { planId, next: [next] })
}

/** Returns the command that approves a batch: of anyone, or of a second person if it needs one. */
export async function approvalStep(
  context: CommandContext,
  book: Book | undefined,
  { planId, madeBy, needsAnother }: BatchReport,
): Promise<ApprovalCommand> {
  const words = 'wallet approve'
  const command = batchCommand(context, words, planId)
  if (!needsAnother) return { command, text: `To approve it: ${command}` }
  const flags = { ...targetFlags(context.settings) }
  const decision = { words, args: [planId], flags, first: madeBy }
  return book ? book.store.read((reader) => approvalCommand(reader, decision)) : approvalCommand(undefined, decision)
}

/** Returns a command on a batch, with the profile and book flags of this run. */
export function batchCommand({ settings }: CommandContext, words: string, planId: string): string {
  return typedCommand(words, [planId], { ...targetFlags(settings) })
}
