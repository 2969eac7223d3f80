/** Helpers that create elements: `h('button.chip', { type: 'button' }, '5')`. */

type Child = Node | string | null | undefined | false

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K | `${K}.${string}`,
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = name.split('.')
  const element = document.createElement(tag as K)
  if (classes.length > 0) element.className = classes.join(' ')
  set(element, attributes)
  add(element, ...children)
  return element
}

/** Sets attributes; `false` and undefined remove one, `true` sets it empty. A name with `--` is a custom property. */
export function set(
  element: Element,
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>>,
): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('--')) (element as HTMLElement).style.setProperty(name, String(value))
    else if (value === null || value === undefined || value === false) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value === true ? '' : value))
      element.setAttribute(name, value === true ? '' : String(value))
  }
}

export function add(element: Element, ...children: Child[]): void {
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child)
}

/** Replaces content only when its key has changed: unchanged content keeps its focus and its animations. */
export function fill(element: HTMLElement, key: string, make: () => Child[]): void {
  if (element.dataset['key'] === key) return
  element.dataset['key'] = key
  element.replaceChildren()
  add(element, ...make())
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export function onClick(element: HTMLElement, work: () => void): HTMLElement {
  element.addEventListener('click', work)
  return element
}
