import { type Script, sendPacked } from '../../../http/server/packed-text.ts'
import type { RouteReply, RouteRequest, Routes } from '../../../http/server/routes.ts'
import { sameText } from '../../../kit/hmac.ts'
import { actionCatalog } from '../actions/index.ts'
import { deskAssets } from './assets.ts'
import { deskPage, deskPolicy, tokenPage } from './html.ts'

/** Dependencies of the page's routes. */
export interface PageDependencies {
  readonly token: () => string | undefined
  readonly isFromThisMachine: (request: RouteRequest) => boolean
}

/** Serves the page of the desk and its files. */
export function pageRoutes({ token, isFromThisMachine }: PageDependencies): Routes {
  return (table) => {
    table.get('/desk', async (request, reply) => {
      const known = token()
      if (known === undefined || !isFromThisMachine(request)) return reply.code(404).send({ message: 'Not found' })
      const { version } = await deskAssets()
      reply.type('text/html; charset=utf-8').headers(pageHeaders)
      const given = request.query['token']
      const isOpen = sameText(typeof given === 'string' ? given : tokenIn(request), known)
      if (!isOpen) return reply.code(401).send(tokenPage({ version, isWrong: given !== undefined }))
      // Kept in a cookie of this page alone, so that a reload needs no token. The script removes it from the address.
      reply.header('set-cookie', cookieOf(request, known))
      return reply.send(deskPage({ token: known, version, actions: JSON.stringify(actionCatalog()) }))
    })
    table.get('/desk/assets/:version/:file', async (request, reply) => {
      const { version, script, style } = await deskAssets()
      const { version: asked, file } = request.params
      const asset = asked !== version ? undefined : file === 'app.js' ? script : file === 'desk.css' ? style : undefined
      if (token() === undefined || !isFromThisMachine(request) || !asset)
        return reply.code(404).send({ message: 'Not found' })
      return sendAsset(request, reply, file === 'app.js' ? 'text/javascript' : 'text/css', asset)
    })
  }
}

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': deskPolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

function sendAsset(request: RouteRequest, reply: RouteReply, type: string, asset: Script): Promise<void> {
  reply.type(`${type}; charset=utf-8`).headers({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  return sendPacked(request, reply, asset)
}

/** Cookies are shared by all ports of a host: the name has the port, so that worlds served side by side keep theirs. */
function cookieName({ raw }: RouteRequest): string {
  return `countroom_desk_${raw.socket.localPort ?? 0}`
}

function cookieOf(request: RouteRequest, token: string): string {
  return `${cookieName(request)}=${token}; Path=/desk; HttpOnly; SameSite=Strict`
}

function tokenIn(request: RouteRequest): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const start = `${cookieName(request)}=`
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? ''
}
