/** Returns the first text that is only a color. */
export function firstColor(...texts: (string | undefined)[]): string | undefined {
  return texts.find((text) => text && !/[;{}]|\((?<!(rgb|hsl)a?\()|^current/i.test(text) && CSS.supports('color', text))
}

/** Sets the widget's color, and black or white for text on it. `shown` is an element that has the color. */
export function paint(style: CSSStyleDeclaration, shown: HTMLElement, color: string | undefined): void {
  style.removeProperty('--p')
  if (color) style.setProperty('--p', color)
  // Words such as `inherit` resolve to no color. The button would be invisible, so the default color applies.
  if (partsOf(shown)[3] === 0) style.removeProperty('--p')
  const [r = 0, g = 0, b = 0, opacity = 1] = partsOf(shown)
  // The contrast of a translucent color depends on the background, so it is blended with white.
  const solid = [r, g, b].map((part) => part * opacity + 1 - opacity)
  if (opacity < 1) style.setProperty('--p', `rgb(${solid.map((part) => Math.round(part * 255))})`)
  const [red = 0, green = 0, blue = 0] = solid.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  // Black or white, whichever has more contrast.
  style.setProperty('--on', 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff')
}

/**
 * Returns red, green and blue from 0 to 1, and the opacity. Browsers report a color as `rgb(255, 0, 0)`, `rgba(255, 0,
 * 0, 0.5)` or `color(srgb 1 0 0 / 0.5)`.
 */
function partsOf(element: HTMLElement): number[] {
  const color = getComputedStyle(element).backgroundColor
  return (color.match(/[\d.]+(e-\d+)?/g) || []).map((part, i) => +part / (i < 3 && /^rgb/.test(color) ? 255 : 1))
}
