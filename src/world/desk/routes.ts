import { readObject } from '../../http/server/body.ts'
import { readBody } from '../../http/server/request.ts'
import type { RouteHandler, RouteReply, RouteRequest, Routes } from '../../http/server/routes.ts'
import { Problem } from '../../kit/problem.ts'
import type { World } from '../world.ts'
import { isFromThisMachine } from './access.ts'
import { runAction } from './actions/index.ts'
import { guarded } from './guard.ts'
import { LiveViews } from './live-views.ts'
import { pageRoutes } from './page/routes.ts'
import { openReceiver } from './receiver.ts'
import { readView } from './views/index.ts'
import type { ViewDependencies } from './views/view.ts'

/** Dependencies of the desk. */
export interface DeskDependencies {
  readonly world: () => World
  /** Address of the database, without its password. */
  readonly db: string
  /** Token that opens the desk; undefined in a world that has none. */
  readonly token: () => string | undefined
  readonly machineNow: () => number
}

/** Paths of the desk's interface to its page. */
export const deskPaths = {
  views: '/desk/api/views/:view',
  stream: '/desk/api/views',
  action: '/desk/api/actions/:action',
  receiver: '/desk/api/receiver',
} as const

const maxBodyBytes = 1024 * 1024

/** Serves the page `/desk`, its interface, and the receiver of callbacks. */
export function deskRoutes({ world, db, token, machineNow }: DeskDependencies): Routes {
  const receiver = openReceiver(() => token() !== undefined, machineNow)
  const dependencies = (): ViewDependencies => ({ world: world(), db, receiver })
  const live = new LiveViews(dependencies)
  const guard = (handle: RouteHandler) => guarded(token, handle)
  return (table) => {
    pageRoutes({ token, isFromThisMachine })(table)
    receiver.routes(table)
    table.get(
      deskPaths.stream,
      guard((request, reply) => live.open(request, reply)),
      { head: false },
    )
    table.get(
      deskPaths.views,
      guard(async (request, reply) => {
        const query = Object.fromEntries(Object.entries(request.query).filter(([, value]) => value !== undefined))
        await reply.send(await readView(dependencies(), request.params['view'] ?? '', query))
      }),
    )
    table.post(
      deskPaths.action,
      guard(async (request, reply) => {
        const result = await runAction({ world: world() }, request.params['action'] ?? '', await inputOf(request))
        live.refresh()
        await reply.send({ result })
      }),
    )
    table.post(
      deskPaths.receiver,
      guard(async (request, reply) => {
        await changeReceiver(receiver, await inputOf(request), reply)
        live.refresh()
      }),
    )
    table.onClose(() => live.close())
  }
}

async function inputOf({ raw }: RouteRequest): Promise<Record<string, unknown>> {
  const body = await readBody(raw, maxBodyBytes)
  if (body === 'too-large') throw new Problem('INVALID_USAGE', 'The body is too large')
  const read = readObject(body)
  if ('fault' in read) throw new Problem('INVALID_USAGE', read.fault)
  return read.value
}

/** Statuses that the receiver can answer. */
const receiverStatuses = [200, 204, 400, 401, 404, 410, 429, 500, 503]

function changeReceiver(
  receiver: ReturnType<typeof openReceiver>,
  { status, clear }: Record<string, unknown>,
  reply: RouteReply,
): Promise<void> {
  const known = receiverStatuses.find((each) => each === status)
  if (status !== undefined && known === undefined)
    throw new Problem('INVALID_USAGE', `The status must be one of ${receiverStatuses.join(', ')}`)
  if (known !== undefined) receiver.status = known
  if (clear === true) receiver.clear()
  return reply.send({ status: receiver.status })
}
