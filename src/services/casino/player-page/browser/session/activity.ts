import { serverNow } from '../clock.ts'

/** Time without input after which nothing is placed automatically, like the idle time of a session on the server. */
const unattendedMs = 3_600_000

let inputAt = Number.NEGATIVE_INFINITY

// Assistive technology may send a click without a pointer or a key.
for (const event of ['pointerdown', 'keydown', 'click'])
  document.addEventListener(
    event,
    () => {
      inputAt = serverNow()
    },
    { capture: true },
  )

/** Returns whether the page is visible and asks nothing, so that bets may be placed automatically. */
export function mayPlaceAutomatically(): boolean {
  return !document.hidden && document.querySelector('dialog.reality[open]') === null
}

/** Returns whether the player has not clicked, tapped or typed for an hour. Requests of the page itself do not count. */
export function isUnattended(): boolean {
  return serverNow() - inputAt >= unattendedMs
}
