import { h, set, setText } from './dom.ts'

/** Offset of the server's clock; each event contains its time. */
let offset = 0

/** Sets the server's clock: its time, and when that arrived (default: now). */
export function setServerTime(now: number, at = performance.now()): void {
  offset = now - at
}

export function serverNow(): number {
  return offset + performance.now()
}

export function leftMs(dueAt: number | null): number {
  return dueAt === null ? 0 : Math.max(0, dueAt - offset - performance.now())
}

export interface Timer {
  readonly element: HTMLElement
  show(dueAt: number | null, totalMs: number, kind: 'bet' | 'decide' | 'wait'): void
}

/** A countdown ring with the seconds in it. */
export function timer(): Timer {
  const seconds = h('span.seconds')
  const ring = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  set(ring, { viewBox: '0 0 36 36', 'aria-hidden': 'true' })
  for (const name of ['track', 'run']) {
    const circle = document.createElementNS('http://www.w3.org/2000/svg', 'circle')
    set(circle, { class: name, cx: 18, cy: 18, r: 15.9155, pathLength: 100 })
    ring.append(circle)
  }
  const element = h('div.timer', { role: 'timer', 'aria-live': 'off' }, ring, seconds)
  let due: number | null = null
  const tick = () => {
    const left = Math.ceil(leftMs(due) / 1000)
    setText(seconds, due === null || element.dataset['kind'] === 'wait' ? '' : String(left))
    element.classList.toggle('soon', left <= 5 && element.dataset['kind'] !== 'wait')
  }
  setInterval(tick, 250)
  return {
    element,
    show(dueAt, totalMs, kind) {
      if (due === dueAt && element.dataset['kind'] === kind) return
      due = dueAt
      element.dataset['kind'] = kind
      const left = leftMs(dueAt)
      // Restarted with every wait, from the elapsed part.
      const run = ring.querySelector('.run')
      if (run instanceof SVGElement) {
        run.style.animation = 'none'
        run.getBoundingClientRect()
        run.style.animation = dueAt === null ? 'none' : ''
      }
      set(element, { '--total': `${totalMs}ms`, '--gone': `${Math.min(0, left - totalMs)}ms` })
      tick()
    },
  }
}
