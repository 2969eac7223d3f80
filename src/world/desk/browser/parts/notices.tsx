import { useEffect, useRef, useState } from 'preact/hooks'

/** Short notices of what was done. */

interface Notice {
  readonly id: number
  readonly title: string
  readonly text: string
}

let count = 0
let show: ((notice: Notice) => void) | undefined

/** Shows a notice; a screen reader reads it. */
export function say(title: string, text = ''): void {
  count += 1
  show?.({ id: count, title, text })
}

const shownMs = 6_000

export function Notices() {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  useEffect(() => {
    show = (notice) => {
      setNotices((all) => [...all.slice(-2), notice])
      setTimeout(() => setNotices((all) => all.filter(({ id }) => id !== notice.id)), shownMs)
    }
  }, [])
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Opened again, so that it is in front of a dialog that was opened later.
    list.current?.hidePopover()
    if (notices.length > 0) list.current?.showPopover()
  }, [notices])
  return (
    <div role="status" aria-live="polite">
      <div class="notices" popover="manual" ref={list}>
        {notices.map(({ id, title, text }) => (
          <p key={id}>
            <strong>{title}</strong>
            {text && <span>{text}</span>}
          </p>
        ))}
      </div>
    </div>
  )
}
