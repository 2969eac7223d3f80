import { openLimiter } from './auth/rate-limits.ts'
import { openBroadcaster } from './events/broadcaster.ts'
import { openCursors } from './events/cursors.ts'
import type { ChangeListener, Chat, ChatOptions } from './service.ts'

/** Opens the chat: creates the state that its features share in memory. */
export function openChat(options: ChatOptions): Chat {
  const app = {
    ...options,
    limiter: openLimiter(options.store, () => options.machineNow()),
    listeners: new Set<ChangeListener>(),
    chunks: new Map(),
    cursors: openCursors(options.store),
  }
  return Object.assign(app, { broadcaster: openBroadcaster(app) })
}
