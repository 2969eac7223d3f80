// Loaded when a customer looks at their tickets.

import type { Words } from './context.ts'
import type { Core } from './conversation/core.ts'
import type { Panel } from './conversation/panel.ts'
import type { RoomAccess } from './conversation/room-access.ts'

export function start(_core: Core, _access: RoomAccess, _panel: Panel, _words: Words): void {}
