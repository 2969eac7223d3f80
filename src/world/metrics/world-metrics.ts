import type { Store } from '../../db/store.ts'
import type { Exchange, ExchangeLog } from '../../http/server/exchanges/exchange-log.ts'
import { Histogram } from '../../kit/histogram.ts'
import { openDeliveries } from '../../outbox/queries.ts'
import { serviceNameOf } from '../requests/record.ts'
import type { JobObserver } from '../scheduler.ts'
import { type Labels, type Metric, prometheusText } from './prometheus-text.ts'

/** Metrics of a served world. Requests and jobs are counted when they end; everything else is read for each scrape. */
export interface WorldMetrics {
  readonly jobs: JobObserver
  /** Returns the figures of each job, by its name. */
  jobFigures(): ReadonlyMap<string, JobFigures>
  /** Returns all metrics as Prometheus text. */
  text(): Promise<string>
}

/** Runs of a periodic job. */
export interface JobFigures {
  runs: number
  failures: number
  items: number
  sumSeconds: number
  lastRunAt: number
}

/** Opens metrics that count the requests of a log, and read everything else from the world for each scrape. */
export function openMetrics(store: Store, exchanges: ExchangeLog, machineNow: () => number): WorldMetrics {
  const startedAt = machineNow()
  const requests = new RequestCounts()
  const jobs = new Map<string, JobFigures>()
  exchanges.watch((exchange) => requests.add(exchange))
  return {
    jobs: ({ name, ms, items, failed }) => {
      const figures = jobs.get(name) ?? { runs: 0, failures: 0, items: 0, sumSeconds: 0, lastRunAt: 0 }
      jobs.set(name, figures)
      figures.runs += 1
      figures.failures += failed ? 1 : 0
      figures.items += items
      figures.sumSeconds += ms / 1000
      figures.lastRunAt = machineNow()
    },
    jobFigures: () => jobs,
    text: async () =>
      prometheusText([
        ...ofProcess(startedAt),
        {
          name: 'countroom_request_duration_seconds',
          help: 'Requests to the services and callbacks from them, by endpoint and status; status 0 is no response',
          type: 'histogram',
          values: requests.all,
        },
        ...(await ofDeliveries(store)),
        ...ofJobs(jobs),
        ...ofStore(store),
      ]),
  }
}

/** Counts requests by endpoint and status. */
class RequestCounts {
  readonly #all: { labels: Labels; value: Histogram }[] = []
  /** Histograms by status, of an endpoint, or of all that have one name. */
  readonly #counted = new Map<object | string, Map<number, Histogram>>()

  get all(): readonly { labels: Labels; value: Histogram }[] {
    return this.#all
  }

  add(exchange: Exchange): void {
    const { status, ms = 0 } = exchange
    // Requests without an endpoint are counted by kind, service and name.
    const key = exchange.endpoint ?? keyOf(exchange)
    const byStatus = this.#counted.get(key) ?? new Map<number, Histogram>()
    let counted = byStatus.get(status ?? 0)
    if (!counted) {
      counted = new Histogram()
      this.#counted.set(key, byStatus.set(status ?? 0, counted))
      this.#all.push({ labels: labelsOf(exchange), value: counted })
    }
    counted.observeMs(ms)
  }
}

function keyOf(exchange: Exchange): string {
  const { kind, service, endpoint } = labelsOf(exchange)
  return `${kind} ${service} ${endpoint}`
}

function labelsOf(exchange: Exchange): Labels {
  const { kind, endpointName, delivery, status } = exchange
  const service = serviceNameOf(exchange) ?? 'none'
  // An unknown path is not a label, because every scan would add a series.
  return { kind, service, endpoint: endpointName ?? delivery?.event ?? 'other', status: status ?? 0 }
}

function ofProcess(startedAt: number): Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_start_time_seconds', 'Start of the process, Unix time', startedAt / 1000),
    gauge('process_resident_memory_bytes', 'Resident memory', rss),
    gauge('nodejs_heap_size_used_bytes', 'Used heap', heapUsed),
    {
      ...{ name: 'process_cpu_seconds_total', help: 'Processor time, user and system', type: 'counter' },
      values: [{ value: (user + system) / 1e6 }],
    },
  ]
}

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  values: [{ value }],
})

async function ofDeliveries(store: Store): Promise<Metric[]> {
  const { rows, now } = await store.read(async (reader) => ({ rows: await openDeliveries(reader), now: reader.now }))
  return [
    {
      name: 'countroom_deliveries',
      help: 'Callbacks that are not acknowledged yet, by channel and status',
      type: 'gauge',
      values: rows.map(({ channel, status, count }) => ({ labels: { channel, status }, value: Number(count) })),
    },
    {
      name: 'countroom_delivery_delay_seconds',
      help: 'How long the oldest due callback has been due, by the clock of the world',
      type: 'gauge',
      values: rows.map(({ channel, status, earliest }) => ({
        labels: { channel, status },
        value: Math.max(0, (now - Number(earliest)) / 1000),
      })),
    },
  ]
}

function ofJobs(jobs: ReadonlyMap<string, JobFigures>): Metric[] {
  const each = (value: (figures: JobFigures) => number) =>
    [...jobs].map(([job, figures]) => ({ labels: { job }, value: value(figures) }))
  const named = (
    name: string,
    help: string,
    value: (figures: JobFigures) => number,
    type: 'counter' | 'gauge' = 'counter',
  ) => ({ name: `countroom_job_${name}`, help, type, values: each(value) }) as const
  return [
    named('runs_total', 'Runs of a periodic job', ({ runs }) => runs),
    named('failures_total', 'Failed runs of a periodic job', ({ failures }) => failures),
    named('items_total', 'Items that a periodic job has worked on', ({ items }) => items),
    named('duration_seconds_total', 'Time spent in a periodic job', ({ sumSeconds }) => sumSeconds),
    named('last_run_timestamp_seconds', 'End of the last run, Unix time', ({ lastRunAt }) => lastRunAt / 1000, 'gauge'),
  ]
}

function ofStore({ waits }: Store): Metric[] {
  return [
    {
      name: 'countroom_database_wait_seconds',
      help: 'Time that a transaction waited for its turn or its connection',
      type: 'histogram',
      values: [
        { labels: { transaction: 'read' }, value: waits.reads },
        { labels: { transaction: 'write' }, value: waits.writes },
      ],
    },
    {
      name: 'countroom_database_repeats_total',
      help: 'Transactions that ran again because of a conflict with another',
      type: 'counter',
      values: [{ value: waits.repeats }],
    },
  ]
}
