import { h, onClick, set } from '../dom.ts'
import { strings } from '../messages.ts'
import type { EndReason } from '../views.ts'

/** Shows that the session has ended, with the reason. The dialog cannot be dismissed: nothing works after it. */
export function showEnded(reason: EndReason, siteUrl: string | null): void {
  const w = strings()
  const button = h('button.action', { type: 'button' }, w.close)
  const box = h(
    'dialog.ended',
    { role: 'alertdialog', 'data-reason': reason, 'aria-labelledby': 'ended-title' },
    h('h2', { id: 'ended-title' }, w.endedTitle),
    h('p', {}, w.ended[reason] ?? ''),
    siteUrl !== null && h('a.action', { href: siteUrl, rel: 'noreferrer', target: '_top' }, w.site),
    button,
  )
  // Browsers close only windows that a script opened; elsewhere only the sentence is shown.
  onClick(button, () => {
    window.close()
    set(button, { hidden: true })
  })
  box.addEventListener('cancel', (event) => event.preventDefault())
  document.body.append(box)
  box.showModal()
}
