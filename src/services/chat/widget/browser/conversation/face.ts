import type { Core } from './core.ts'

/** An agent's picture, or the first letter of their name. Screen readers get the name from the text next to it. */
export function face({ ctx }: Core, id: string | null | undefined, name: string): HTMLElement {
  const path = ctx.config.faces?.[id || '']
  const letter = ctx.make('span', { className: 'a', ariaHidden: 'true', textContent: [...name][0] || '' })
  if (!path) return letter
  return ctx.make('img', {
    className: 'a',
    src: ctx.base + path,
    alt: '',
    onerror: (event) => ((event as Event).target as Element).replaceWith(letter),
  })
}
