import type { Keyboard } from '../../terminal/keyboard.ts'

/** How long a text to a customer can still be taken back: what was read wrong is often seen right after it was sent. */
export const takeBackMs = 5_000

/** What is said of it then. */
export const takenBackText = 'Taken back; nothing was sent'

/** Waits with a text that is about to go out; any key keeps it here, and so does the end of the input or of the run. */
export async function isTakenBack(
  keyboard: Pick<Keyboard, 'keyWithin'>,
  say: (text: string) => void,
  { ms, stop }: { readonly ms: number; readonly stop: AbortSignal },
): Promise<boolean> {
  if (ms <= 0) return stop.aborted
  say(`Sending in ${Math.round(ms / 1000)} s; any key takes it back.`)
  return (await keyboard.keyWithin(ms)) !== 'time' || stop.aborted
}
