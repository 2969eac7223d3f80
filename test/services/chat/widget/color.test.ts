import { expect, test } from 'vitest'
import { isColor } from '../../../../src/services/chat/widget/color.ts'

test.each([
  ...['red', 'gold', 'OrangeRed', 'rebeccapurple', '#000', '#f00c', '#ffcc00', '#FFCC0080', 'rgb(255,0,0)'],
  ...[
    'rgb(255 0 0 / 50%)',
    'rgba(255, 0, 0, .5)',
    'rgb(100%, 0%, 0%)',
    'hsl(0, 100%, 50%)',
    'hsl(40deg 100% 50% / 0.9)',
    'rgb(255, 0, 0)',
    'rgb(0 0 0)',
    'rgba(0, 0, 0, 0.001)',
    '#0001',
  ],
])('%s is a color', (text) => {
  expect(isColor(text)).toBe(true)
})

test.each([
  ...[
    'nonsense',
    '',
    'transparent',
    'inherit',
    'currentcolor',
    '#12',
    '#12345',
    '#1234567',
    '#ggg',
    'rgb(1,2)',
    'rgb(1 2, 3)',
  ],
  ...[
    '#f000',
    '#ff000000',
    'rgba(255, 0, 0, 0)',
    'rgb(255 0 0 / 0%)',
    'rgba(255, 0, 0, .0)',
    'hsla(0, 100%, 50%, -1)',
    'rgb(255,0%,0)',
    'hsl(0,1,2)',
    'hsl(1px, 2%, 3%)',
    'red;background:url(x)',
    'var(--x)',
    'color-mix(in srgb, red, blue)',
  ],
])('%j is no color', (text) => {
  expect(isColor(text)).toBe(false)
})
