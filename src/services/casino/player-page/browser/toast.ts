import { add, h, setText } from './dom.ts'

/** Messages of a few seconds, in front of everything. */

export const toast = h('p.toast', { role: 'alert', popover: 'manual' })

const shownMs = 4_000
let timer: number | undefined

export function announce(text: string): void {
  // An open dialog covers the page and makes it inert: the message is in it then, and in front of it.
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog:modal')].at(-1)
  const parent = dialog ?? document.querySelector<HTMLElement>('#app') ?? document.body
  if (toast.parentElement !== parent) add(parent, toast)
  if (toast.matches(':popover-open')) toast.hidePopover()
  toast.showPopover()
  setText(toast, text)
  clearTimeout(timer)
  timer = setTimeout(() => {
    setText(toast, '')
    if (toast.matches(':popover-open')) toast.hidePopover()
  }, shownMs)
}
