// Loaded when the customer chooses files or opens a picture.

import type { Strings } from './context.ts'
import type { Core } from './conversation/core.ts'
import type { Panel } from './conversation/panel.ts'
import type { RoomAccess } from './conversation/room-access.ts'
import { css } from './files/css.ts'
import { FileTray } from './files/tray.ts'

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

export function start(core: Core, access: RoomAccess, panel: Panel, strings: Strings): FileTray {
  const { adoptedStyleSheets } = core.ctx.root
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
  return new FileTray(core, access, panel.tray, strings)
}
