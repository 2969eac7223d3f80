// Parts that are loaded on first use: message states, agents' pictures, office hours, other channels, menu, options,
// email address, rating.

import type { Strings } from './context.ts'
import type { Core } from './conversation/core.ts'
import type { Panel } from './conversation/panel.ts'
import type { RoomAccess } from './conversation/room-access.ts'
import { css } from './extras/css.ts'
import { emailForm } from './extras/email.ts'
import { fillMenu } from './extras/menu.ts'
import { officeText } from './extras/office.ts'
import { options } from './extras/options.ts'
import { people } from './extras/people.ts'
import { ratingForm } from './extras/rating.ts'
import { socialLinks } from './extras/socials.ts'
import { ring } from './extras/sound.ts'
import { showStates } from './extras/states.ts'

/** Functions of this script for the conversation. */
export interface Extras {
  /** Shows or hides the options. */
  toggle(): void
  /** Shows the elements that the room's state and the back office's settings require. */
  offer(): void
  ring(): void
}

/** Context that all parts of this script share. */
export interface ExtrasContext {
  readonly core: Core
  readonly access: RoomAccess
  readonly panel: Panel
  readonly strings: Strings
}

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

export function start(core: Core, access: RoomAccess, panel: Panel, strings: Strings): Extras {
  const { adoptedStyleSheets } = core.ctx.root
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
  const context: ExtrasContext = { core, access, panel, strings }
  const email = emailForm(context)
  const rating = ratingForm(context)
  const menu = options(context, () => show())
  const showPeople = people(core, panel)
  let configured: unknown
  panel.extras.className = 'q'
  panel.extras.replaceChildren(menu.element, email.element, rating.element)
  const show = () => {
    panel.extras.hidden = [...panel.extras.children].every((each) => (each as HTMLElement).hidden)
  }
  return {
    toggle() {
      menu.toggle()
      if (!menu.element.hidden) menu.element.scrollIntoView({ block: 'nearest' })
    },
    offer() {
      if (core.session.isRefused) return
      panel.hours.textContent = officeText(core, strings)
      // Redrawn only after a change, because a redrawn link or button loses the focus.
      if (configured !== core.ctx.config) {
        panel.socials.replaceChildren(...socialLinks(core))
        fillMenu(core, panel)
        menu.offer()
        configured = core.ctx.config
      }
      showPeople()
      showStates(core, strings)
      email.offer()
      rating.offer()
      show()
    },
    ring,
  }
}
