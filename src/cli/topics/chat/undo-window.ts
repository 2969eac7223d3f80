import type { Keyboard } from '../../terminal/keyboard.ts'

/** Time in which a text to a customer can be canceled, because mistakes are often seen right after sending. */
export const undoWindowMs = 5_000

/** Message after a cancel. */
export const canceledText = 'Canceled; nothing was sent'

/** Waits before sending. Any key, the end of input or a signal cancels. */
export async function isCanceled(
  keyboard: Pick<Keyboard, 'keyWithin'>,
  print: (text: string) => void,
  { ms, stop }: { readonly ms: number; readonly stop: AbortSignal },
): Promise<boolean> {
  if (ms <= 0) return stop.aborted
  print(`Sending in ${Math.round(ms / 1000)} s. Press any key to cancel.`)
  return (await keyboard.keyWithin(ms)) !== 'time' || stop.aborted
}
