import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aSite } from './browser.ts'

/** The launcher accepts every color in CSS notation, and its text stays readable. */

const default_ = 'rgb(20, 83, 45)'

const look = async (page: Page) => {
  const [background, text] = (await page.evaluate(
    "(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector('html > div').shadowRoot.querySelector('.l')))",
  )) as [string, string]
  return { background, contrast: contrast(background, text) }
}

/** The contrast ratio of WCAG 2.2 of two opaque colors. */
function contrast(...colors: [string, string]): number {
  const [light = 0, dark = 0] = colors
    .map((color) => {
      const [r = 0, g = 0, b = 0] = (color.match(/\d+/g) ?? []).map((part) => {
        const c = Number(part) / 255
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    })
    .sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test('every CSS spelling of a color is applied, with text of at least 4.5:1', async () => {
  const { open } = await aSite()
  for (const [color, expected] of [
    ['red', 'rgb(255, 0, 0)'],
    ['orange', 'rgb(255, 165, 0)'],
    ['gold', 'rgb(255, 215, 0)'],
    ['black', 'rgb(0, 0, 0)'],
    ['white', 'rgb(255, 255, 255)'],
    ['ReBeccaPurple', 'rgb(102, 51, 153)'],
    ['#fc0', 'rgb(255, 204, 0)'],
    ['#fc0f', 'rgb(255, 204, 0)'],
    ['#ffcc00', 'rgb(255, 204, 0)'],
    ['#ffcc00ff', 'rgb(255, 204, 0)'],
    ['rgb(255,0,0)', 'rgb(255, 0, 0)'],
    ['rgb(255 128 0)', 'rgb(255, 128, 0)'],
    ['rgb(100%, 0%, 0%)', 'rgb(255, 0, 0)'],
    ['hsl(0, 100%, 50%)', 'rgb(255, 0, 0)'],
    ['hsl(120deg 100% 25%)', 'rgb(0, 128, 0)'],
    // On white, because the background of the launcher is unknown.
    ['#ff000080', 'rgb(255, 128, 128)'],
    ['#f008', 'rgb(255, 119, 119)'],
    ['rgba(0, 0, 0, 0.5)', 'rgb(128, 128, 128)'],
    ['hsl(240 100% 50% / 20%)', 'rgb(204, 204, 255)'],
    // Not the color of a button.
    ['transparent', default_],
    ['#ff000000', default_],
    ['rgba(255, 0, 0, 0)', default_],
    ['inherit', default_],
    ['currentcolor', default_],
    ['nonsense', default_],
    ['red;background:url(//evil)', default_],
  ]) {
    const page = await open({ 'data-primary-color': color ?? '' })
    const { background, contrast } = await look(page)
    expect([color, background]).toEqual([color, expected])
    expect(contrast).toBeGreaterThanOrEqual(4.5)
    await page.close()
  }
})
