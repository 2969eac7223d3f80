import { useEffect, useRef, useState } from 'preact/hooks'

/** Toasts: short messages about what was done. */

interface Toast {
  readonly id: number
  readonly title: string
  readonly text: string
}

let count = 0
let show: ((toast: Toast) => void) | undefined

/** Shows a toast, which a screen reader announces. */
export function showToast(title: string, text = ''): void {
  count += 1
  show?.({ id: count, title, text })
}

const shownMs = 6_000

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  useEffect(() => {
    show = (toast) => {
      setToasts((all) => [...all.slice(-2), toast])
      setTimeout(() => setToasts((all) => all.filter(({ id }) => id !== toast.id)), shownMs)
    }
  }, [])
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Opened again to be in front of any dialog that was opened in the meantime.
    list.current?.hidePopover()
    if (toasts.length > 0) list.current?.showPopover()
  }, [toasts])
  return (
    <div role="status" aria-live="polite">
      <div class="toasts" popover="manual" ref={list}>
        {toasts.map(({ id, title, text }) => (
          <p key={id}>
            <strong>{title}</strong>
            {text && <span>{text}</span>}
          </p>
        ))}
      </div>
    </div>
  )
}
