import { Problem } from '../../../kit/problem.ts'
import { isStatusFilter } from '../../../world/requests/filter.ts'
import type { RequestSummary } from '../../../world/requests/record.ts'
import { durationMs, momentFrom } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { openDeskOf } from './open-desk.ts'
import { requestColumns, requestLine, requestText } from './request-view.ts'

/** Flags that select requests. */
export interface RequestFlags {
  readonly service: string | undefined
  readonly kind: string | undefined
  readonly status: string | undefined
  readonly path: string | undefined
  readonly since: string | undefined
  readonly limit: number
  readonly follow: boolean
  readonly count: number | undefined
}

/** Lists recorded requests, or follows new ones until a signal comes. */
export async function listRequests(context: CommandContext, flags: RequestFlags) {
  const query = queryOf(flags)
  const desk = await openDeskOf(context)
  if (flags.follow) return followRequests(context, flags, (take, signal) => desk.follow(query, take, signal))
  const found = await desk.list({ ...query, limit: String(flags.limit + 1) })
  const { rows: requests, more } = context.upTo(flags.limit, found)
  context.table(requests.map(toRow), requestColumns, 'No requests match.')
  return { requests, more, followed: 0 }
}

/** Shows one recorded request. */
export async function showRequest(context: CommandContext, id: string) {
  const desk = await openDeskOf(context)
  const detail = await desk.show(id)
  const { at, kind, service, environment, status, code, ms, endpoint, address, delivery } = detail
  context.fields({ id, kind, time: at, service, environment, endpoint, status, code, ms, address, delivery })
  context.text(({ paint }) => requestText(detail, paint))
  return detail
}

async function followRequests(
  context: CommandContext,
  { count = Number.POSITIVE_INFINITY }: RequestFlags,
  follow: (take: (request: RequestSummary) => void, signal: AbortSignal) => Promise<void>,
) {
  const end = new AbortController()
  const signal = AbortSignal.any([context.stop, end.signal])
  let followed = 0
  let printing: Promise<unknown> = Promise.resolve()
  const print = async (request: RequestSummary) => {
    if (followed >= count) return
    followed++
    const goesOn = context.screen.isLines
      ? await context.rows([toRow(request)])
      : await context.line(request, () => requestLine(request))
    if (!goesOn || followed >= count) end.abort()
  }
  try {
    await follow((request) => {
      printing = printing.then(() => print(request))
    }, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
  await printing
  return { requests: [], more: false, followed }
}

function queryOf({ service, kind, status, path, since }: RequestFlags) {
  if (status !== undefined && !isStatusFilter(status))
    throw new Problem(
      'INVALID_USAGE',
      `--status must be a status such as 401, a class such as 4xx, or none; received ${status}`,
    )
  const age = since === undefined ? undefined : durationMs(since)
  return {
    ...{ service, kind, path },
    status: status?.toLowerCase(),
    age: age === undefined ? undefined : String(age),
    since: since === undefined || age !== undefined ? undefined : String(momentFrom(since, 'a duration such as 10m, ')),
  }
}

const toRow = (request: RequestSummary) => ({ ...request })
