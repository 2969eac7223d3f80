import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Moves the focus to the page when the part that has it is removed, such as the row that an action deletes. */
export function useFocusKept(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      // Deferred: while a dialog is open, the page behind it cannot get the focus.
      queueMicrotask(() => document.querySelector('main')?.focus())
    }
  }, [part])
}
