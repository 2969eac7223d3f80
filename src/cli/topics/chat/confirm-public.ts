import { Problem } from '../../../kit/problem.ts'
import type { CommandContext } from '../../context/context.ts'
import { openKeyboard } from '../../terminal/keyboard.ts'
import { canceledText, isCanceled, undoWindowMs } from './undo-window.ts'

/**
 * Confirms a text to a customer, shown as it will arrive. On a terminal it can then be canceled for some seconds. `--yes`
 * skips both the question and the wait. Without a terminal no key can be pressed, so there is no wait.
 */
export async function confirmPublic(
  context: CommandContext,
  shown: string,
  action: string,
  isYes: boolean,
): Promise<void> {
  if (context.isDryRun) return
  context.note(shown)
  await context.confirmDanger(action)
  if (isYes || !context.screen.canAsk) return
  const keyboard = openKeyboard(process.stdin, process.stderr)
  try {
    const isBack = await isCanceled(keyboard, (text) => context.note(text), { ms: undoWindowMs, stop: context.stop })
    if (isBack) throw new Problem('CONFIRMATION_REFUSED', canceledText)
  } finally {
    keyboard.close()
  }
}
