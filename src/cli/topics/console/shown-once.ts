import type { CommandContext } from '../../context/context.ts'

/** Returns a new key or secret for display. In a dry run it is hidden, because it will never be valid. */
export function shownOnce({ isDryRun }: CommandContext, secret: string): string {
  return isDryRun ? '***' : secret
}
