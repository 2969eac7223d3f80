import { useEffect, useState } from 'preact/hooks'
import type { ViewData } from '../views/index.ts'
import { timeText } from './format.ts'
import { ActionButton } from './parts/action.tsx'

let offsetMs = 0

/** Returns the world's time, as far as the page knows it. */
export const worldNow = () => Date.now() + offsetMs

/** The world's time, running, with the actions that move it. */
export function Clock({ status }: { status: ViewData<'status'> }) {
  offsetMs = status.offsetMs
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div class="clock">
      <time title="Time of the world, UTC">{timeText(new Date(worldNow()).toISOString())}</time>
      <ActionButton name="clock.advance" title="Advance the clock" label="Advance" />
      <ActionButton
        name="clock.set"
        title="Set the clock"
        label="Set"
        initial={{ to: new Date(worldNow()).toISOString().slice(0, 19).concat('Z') }}
      />
    </div>
  )
}
