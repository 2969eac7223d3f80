import type { Strings } from '../context.ts'
import type { Core } from '../conversation/core.ts'

/** Shows a picture of the conversation enlarged, with buttons to the others. Closing returns the focus to its link. */
export function lightbox({ ctx, list, life }: Core, strings: Strings, from: HTMLAnchorElement): void {
  const { make, wrap } = ctx
  const links = [...list.log.querySelectorAll<HTMLAnchorElement>('li a')].filter((each) => each.querySelector('img'))
  let at = Math.max(0, links.indexOf(from))
  const title = make('span', { dir: 'auto' })
  const picture = make('img')
  const original = make('a', { target: '_blank', rel: 'noopener', textContent: strings.openFile })
  const button = (textContent: string, ariaLabel: string, onclick: () => void) =>
    make('button', { type: 'button', textContent, ariaLabel, onclick })
  const step = (by: number) => {
    at = Math.max(0, Math.min(links.length - 1, at + by))
    const link = links[at] || from
    const name = link.textContent || ''
    title.textContent = name
    dialog.ariaLabel = name
    picture.src = original.href = link.href
    picture.alt = name
    previous.disabled = at === 0
    next.disabled = at === links.length - 1
  }
  const isReversed = wrap.dir === 'rtl'
  const previous = button(isReversed ? '→' : '←', strings.previous, () => step(-1))
  const next = button(isReversed ? '←' : '→', strings.next, () => step(1))
  previous.hidden = next.hidden = links.length < 2
  const dialog = make(
    'dialog',
    {
      className: 'z',
      onclose: () => {
        dialog.remove()
        if (!life.signal.aborted) (links[at] || from).focus()
      },
      onclick: ({ target }) => {
        // A click outside the picture.
        if (target === dialog) dialog.close()
      },
      onkeydown: ({ key }) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[key]
        if (by) step(isReversed ? -by : by)
      },
    },
    make(
      'header',
      {},
      title,
      original,
      previous,
      next,
      button('×', strings.close, () => dialog.close()),
    ),
    picture,
  )
  step(0)
  // Another customer on this browser must not see it.
  life.signal.addEventListener('abort', () => dialog.close(), { once: true })
  wrap.append(dialog)
  dialog.showModal()
}
