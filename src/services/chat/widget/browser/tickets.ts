// Loaded when a customer opens their tickets.

import type { Strings } from './context.ts'
import type { Core } from './conversation/core.ts'
import type { Panel } from './conversation/panel.ts'
import type { RoomAccess } from './conversation/room-access.ts'
import { css } from './tickets/css.ts'
import { TicketPages } from './tickets/pages.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

export function start(core: Core, access: RoomAccess, panel: Panel, strings: Strings): void {
  const { adoptedStyleSheets } = core.ctx.root
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
  new TicketPages(core, access, panel, strings).list()
}
