import { realAmbient } from '../../../kit/ambient.ts'
import { minuteText, momentText } from '../../../kit/moment.ts'
import { addApprover, listApprovers, removeApprover } from '../../../operator/approvers/approvers.ts'
import { openBookHere } from '../../../world/clients/book-location.ts'
import type { CommandContext } from '../../context/context.ts'
import { approverName, readPassphrase } from '../../context/deciding-person.ts'
import { personHere } from '../../context/operator-name.ts'

/** Adds an approver to the book, which is created if needed. */
export async function addApproverNamed(context: CommandContext, text: string, file: string) {
  const { isDryRun, settings, profile } = context
  const name = approverName(text)
  const passphrase = await readPassphrase(context, file, name)
  const there = await context.services.bookIfThere()
  if (!isDryRun) await context.services.audit()
  const book = there ?? (isDryRun ? undefined : await openBookHere(settings, profile))
  if (book && !there) context.closeLater(() => book.close())
  const by = personHere(settings).osUser
  if (book) await addApprover(book, { name, passphrase, salt: realAmbient().random(16), by }, isDryRun)
  context.log(isDryRun ? `${name} would be added (dry run: nothing was changed).` : `${name} is an approver.`)
  return { name, dryRun: isDryRun }
}

/** Removes an approver from the book. */
export async function removeApproverNamed(context: CommandContext, text: string) {
  const { isDryRun } = context
  const { book } = await context.services.book()
  const { name } = await removeApprover(book, approverName(text), isDryRun)
  context.log(
    isDryRun ? `${name} would be removed (dry run: nothing was changed).` : `${name} is no longer an approver.`,
  )
  return { name, dryRun: isDryRun }
}

/** Lists the approvers. */
export async function showApprovers(context: CommandContext) {
  const book = await context.services.bookIfThere()
  const approvers = (book ? await listApprovers(book) : []).map(({ name, added_by, added_at }) => ({
    name,
    addedBy: added_by,
    addedAt: momentText(added_at),
  }))
  context.table(
    approvers,
    [
      'name',
      { key: 'addedBy', title: 'added by' },
      { key: 'addedAt', title: 'added', whole: true, show: (at) => minuteText(String(at)) },
    ],
    'No approvers. To add one: countroom help approvers add',
  )
  return { approvers }
}
