import type { Routes } from '../wire/http.ts'
import type { Chat } from './chat.ts'
import { mediaRoutes } from './media/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { widgetRoutes } from './widget/routes.ts'

/** What is beside the calls: streams, files and the widget's scripts. */
export function chatRoutes(app: Chat): Routes[] {
  return [pushRoutes(app, app.hub), mediaRoutes(app), widgetRoutes()]
}
