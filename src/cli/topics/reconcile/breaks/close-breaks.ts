import { type BreakReason, breakReasonCodes } from '../../../../domain/reconcile/breaks.ts'
import { Problem } from '../../../../kit/problem.ts'
import type { CommandContext } from '../../../context/context.ts'
import { changeBreaks } from './change-breaks.ts'
import { closeBreaksByFile } from './close-by-file.ts'

interface CloseOptions {
  readonly ids: readonly string[]
  readonly reason: BreakReason | undefined
  readonly note: string | null
  /** File with an action for each break, in place of all others. */
  readonly file: string | undefined
}

/** Closes breaks. On a terminal it asks for a missing reason. */
export async function closeBreaks(
  context: CommandContext,
  { ids, note, file, ...action }: CloseOptions,
  isPartial: boolean,
) {
  if (file !== undefined) return closeBreaksByFile(context, file, isPartial)
  if (action.reason === undefined && !context.screen.canAsk)
    throw new Problem('INVALID_USAGE', `Missing --reason; valid reasons: ${breakReasonCodes.join(', ')}`)
  const reason =
    action.reason ??
    (await context.prompts.choose({
      message: 'Reason of the close:',
      flag: '--reason REASON',
      choices: breakReasonCodes,
    }))
  const isAsked = action.reason === undefined
  if (reason === 'other' && note === null && !isAsked)
    throw new Problem('INVALID_USAGE', 'The reason "other" requires --note')
  const text =
    reason === 'other' && note === null
      ? await context.prompts.text({ message: 'Note for the history:', flag: '--note TEXT' })
      : note
  return {
    ...(await changeBreaks(context, ids, { what: 'closed', reason, note: text }, `is closed (${reason})`)),
    refused: [],
  }
}
