import type { Routes } from '../../../http/server/routes.ts'
import { pushRoutes } from '../events/sse-routes.ts'
import { mediaRoutes } from '../media/routes.ts'
import type { Chat } from '../service.ts'
import { faceRoutes } from '../widget/faces.ts'
import { widgetRoutes } from '../widget/server.ts'

/** Returns the routes outside the contracts: streams, files and the widget's scripts. */
export function chatRoutes(app: Chat): Routes[] {
  return [pushRoutes(app, app.broadcaster), mediaRoutes(app), faceRoutes(app), widgetRoutes()]
}
