import type { Core } from '../conversation/core.ts'
import type { Panel } from '../conversation/panel.ts'

/** Shows the menu of the page's inbox category: texts to send and pages to open with one tap. */
export function fillMenu({ ctx }: Core, panel: Panel): void {
  const { menu = [] } = ctx.config
  // Each label has the direction of its own text.
  const dir = 'auto'
  panel.menu.replaceChildren(
    ...menu.map(({ label, message, url }) =>
      url
        ? ctx.make('a', { className: 'c', dir, href: url, target: '_blank', rel: 'noopener', textContent: label })
        : ctx.make('button', {
            type: 'button',
            className: 'c',
            dir,
            textContent: label,
            onclick: () => panel.onText(message || label),
          }),
    ),
  )
}
