import type { Routes } from '../../../http/server/socket-server.ts'
import { readScript as readScriptFile, type Script, sendScript } from '../../../http/server/static-script.ts'
import { ownFile } from '../../../kit/module-path.ts'

/** One of the widget's two scripts as browsers get it. */
export function readScript(name: 'loader' | 'app'): Script {
  return readScriptFile(ownFile(`services/chat/widget/browser/${name}`))
}

/** The widget's two scripts, for any page that may load scripts from here. */
export function widgetRoutes(): Routes {
  return (server) => {
    for (const [path, name] of [
      ['/widget.js', 'loader'],
      ['/widget-app.js', 'app'],
    ] as const) {
      let script: Script | undefined
      server.get(path, async (request, reply) => {
        script ??= readScript(name)
        reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
        return sendScript(request, reply, script)
      })
    }
  }
}
