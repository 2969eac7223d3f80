import type { Routes } from '../../../http/server/routes.ts'
import { refuse } from '../api/contract.ts'
import { spend } from '../auth/auth.ts'
import { rates } from '../auth/rate-limits.ts'
import { refusing } from '../events/sse-routes.ts'
import { faceOf } from '../queries/faces.ts'
import type { Chat } from '../service.ts'

/** Returns the path of an agent's picture. It changes with the picture, so that browsers can cache it forever. */
export function facePath({ agent_id: id, mark }: { agent_id: string; mark: string }): string {
  return `/api/widget/v1/faces/${id}/${mark}`
}

/** Returns the route of agents' pictures, which are as public as the agents' names. */
export function faceRoutes(app: Chat): Routes {
  return (table) => {
    table.get('/api/widget/v1/faces/:agentId/:mark', (request, reply) =>
      refusing(app, request, reply, async (authRequest) => {
        await spend(app, authRequest, [{ key: `face ${authRequest.address}`, limit: rates.widgetConfig }])
        const { agentId = '', mark = '' } = request.params
        const face = await app.store.read((reader) => faceOf(reader, agentId))
        if (!face || face.mark !== mark) throw refuse('NOT_FOUND', 'There is no such picture')
        await reply
          .headers(pictureHeaders)
          .header('content-type', face.content_type)
          .send(Buffer.from(face.picture, 'base64'))
      }),
    )
  }
}

const pictureHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'cache-control': 'public, max-age=31536000, immutable',
}
