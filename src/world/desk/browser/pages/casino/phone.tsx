import { useState } from 'preact/hooks'
import { Page } from '../../parts/layout.tsx'
import { linkTo } from '../../route.ts'
import type { PageProps } from '../index.tsx'

const sizes = [
  ['390×844', 390, 844],
  ['360×640', 360, 640],
  ['844×390', 844, 390],
] as const

/** The game in the frame of a phone. */
export function PhonePage({ route }: PageProps) {
  const [size, setSize] = useState(0)
  // The link works once: another size keeps the same frame.
  const [address] = useState(() => `/Launch?t=${encodeURIComponent(route.path.at(-1) ?? '')}`)
  const [, width, height] = sizes[size] ?? sizes[0]
  return (
    <Page
      title="Phone"
      tools={
        <>
          <label class="select">
            <span>Size</span>
            <select value={size} onChange={(e) => setSize(Number(e.currentTarget.value))}>
              {sizes.map(([title], at) => (
                <option key={title} value={at}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <a href={linkTo('casino/players')}>All players</a>
        </>
      }
    >
      <div class="phone">
        <iframe title="The game on a phone" src={address} width={width} height={height} />
      </div>
    </Page>
  )
}
