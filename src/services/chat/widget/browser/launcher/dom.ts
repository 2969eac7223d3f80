/** Creates an element with properties and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props?: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = Object.assign(document.createElement(tag), props)
  node.append(...children)
  return node
}

/** Creates the launcher's default icon. */
export const icon = () => drawing('M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z')

/** Creates the icon for closing. */
export const cross = () => drawing('M4 6l2-2 6 6 6-6 2 2-6 6 6 6-2 2-6-6-6 6-2-2 6-6z')

function drawing(shape: string): SVGElement {
  const ns = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(ns, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  const path = document.createElementNS(ns, 'path')
  path.setAttribute('fill', 'currentColor')
  path.setAttribute('d', shape)
  svg.append(path)
  return svg
}
