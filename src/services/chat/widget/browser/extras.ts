// Loaded for what not every conversation has: opening hours, other channels, menu, options, e-mail address, rating.

import type { Words } from './context.ts'
import type { Core } from './conversation/core.ts'
import type { Panel } from './conversation/panel.ts'
import type { RoomAccess } from './conversation/room-access.ts'
import { css } from './extras/css.ts'
import { emailForm } from './extras/email.ts'
import { fillMenu } from './extras/menu.ts'
import { officeText } from './extras/office.ts'
import { options } from './extras/options.ts'
import { ratingForm } from './extras/rating.ts'
import { socialLinks } from './extras/socials.ts'
import { ring } from './extras/sound.ts'

/** Functions of this script for the conversation. */
export interface Extras {
  /** Shows or hides the options. */
  toggle(): void
  /** Shows what the room's state and the back office's settings ask for. */
  offer(): void
  ring(): void
}

/** The foundation that all parts of this script share. */
export interface Place {
  readonly core: Core
  readonly access: RoomAccess
  readonly panel: Panel
  readonly words: Words
}

export function start(core: Core, access: RoomAccess, panel: Panel, words: Words): Extras {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  core.ctx.root.adoptedStyleSheets.push(sheet)
  const place: Place = { core, access, panel, words }
  const email = emailForm(place)
  const rating = ratingForm(place)
  const menu = options(place)
  panel.extras.className = 'q'
  panel.extras.replaceChildren(menu.element, email.element, rating.element)
  const show = () => {
    panel.extras.hidden = [...panel.extras.children].every((each) => (each as HTMLElement).hidden)
  }
  return {
    toggle() {
      menu.toggle()
      show()
      if (!menu.element.hidden) menu.element.scrollIntoView({ block: 'nearest' })
    },
    offer() {
      if (core.session.isRefused) return
      panel.hours.textContent = officeText(core, words)
      panel.socials.replaceChildren(...socialLinks(core))
      fillMenu(core, panel)
      email.offer()
      rating.offer()
      show()
    },
    ring,
  }
}
