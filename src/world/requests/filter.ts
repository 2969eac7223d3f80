import { Problem } from '../../kit/problem.ts'
import type { RequestSummary } from './record.ts'

/** Services of recorded requests. */
export const recordedServices = ['casino', 'gateway', 'chat'] as const
export type RecordedService = (typeof recordedServices)[number]

/** Selects recorded requests. All given conditions must hold. */
export interface RequestFilter {
  readonly service?: RecordedService | undefined
  readonly kind?: 'request' | 'callback' | undefined
  /** A status (`401`), a class (`4xx`), or `none` for requests without a response. */
  readonly status?: string | number | undefined
  /** Part of the path and query; of a callback, of its URL. */
  readonly path?: string | undefined
  /** The world's time, epoch milliseconds: this or later. */
  readonly since?: number | undefined
  /** Maximum age in milliseconds, by the world's clock. */
  readonly age?: number | undefined
  readonly limit?: number | undefined
}

/** Returns whether a text is a status or a class of statuses. */
export const isStatusFilter = (text: string): boolean => /^([1-5]\d\d|[1-5]xx|none)$/i.test(text)

/** Returns the test of a filter, or throws INVALID_USAGE. */
export function requestTest(filter: RequestFilter): (request: RequestSummary) => boolean {
  const { service, kind, path, since } = filter
  const status = filter.status === undefined ? undefined : String(filter.status).toLowerCase()
  if (status !== undefined && !isStatusFilter(status))
    throw new Problem(
      'INVALID_USAGE',
      `A status is a number such as 401, a class such as 4xx, or none; received ${status}`,
    )
  return (request) =>
    (service === undefined || request.service === service) &&
    (kind === undefined || request.kind === kind) &&
    (status === undefined || matchesStatus(request.status, status)) &&
    (path === undefined || request.path.includes(path)) &&
    (since === undefined || Date.parse(request.at) >= since)
}

function matchesStatus(status: number | null, wanted: string): boolean {
  if (status === null) return wanted === 'none'
  return wanted.endsWith('xx') ? String(status).startsWith(wanted.slice(0, 1)) : String(status) === wanted
}
