import { Type } from 'typebox'
import type { PeriodicJob } from '../../../db/periodic-job.ts'
import type { Reader } from '../../../db/store.ts'
import { openDeliveries } from '../../../outbox/queries.ts'
import { isLiveOn } from '../../../services/casino/queries/live.ts'
import { readyDocument } from '../../ready-file.ts'
import type { World } from '../../world.ts'
import { view } from './view.ts'

const recentMs = 5 * 60_000

export const overviewViews = {
  /** Shown on every page: the clock, the faults that are set, and whether tables deal. */
  status: view(Type.Object({}), async ({ world }) => {
    const { now, isLive } = await world.store.read(async (reader) => ({
      now: reader.now,
      isLive: await isLiveOn(reader),
    }))
    const faults = (await world.faults.list()).filter(({ isOver }) => !isOver).length
    // Whole seconds: the page advances the clock itself, so a new second alone is no change.
    return { offsetMs: Math.round((now - Date.now()) / 1000) * 1000, isLive, faults }
  }),
  overview: view(Type.Object({}), async ({ world, db }) => {
    const document = await readyDocument(world, (await world.servedAt()) ?? '', db)
    const { event: _event, desk: _desk, ...ready } = document
    return {
      ready,
      next: await nextRuns(world),
      services: servicesOf(world),
      faults: (await world.faults.list()).filter(({ isOver }) => !isOver),
      jobs: jobsOf(world),
      deliveries: (await world.store.read(openDeliveries)).map(({ channel, status, count }) => ({
        channel,
        status,
        count: Number(count),
      })),
    }
  }),
}

/** Returns the next runs of the periodic jobs, earliest first. */
function nextRuns(world: World): Promise<{ job: string; at: string }[]> {
  return world.store.read(async (reader) => {
    const due: { job: string; at: number }[] = []
    for (const job of world.jobs) {
      const at = await nextOf(job, reader)
      if (at !== undefined) due.push({ job: job.name, at })
    }
    return due
      .toSorted((a, b) => a.at - b.at)
      .slice(0, 8)
      .map(({ job, at }) => ({ job, at: new Date(at).toISOString() }))
  })
}

async function nextOf(job: PeriodicJob, reader: Reader): Promise<number | undefined> {
  return job.nextRun?.(reader)
}

/** Counts the recorded requests of the last minutes by service. */
function servicesOf({ requests }: World) {
  const recent = requests.list({ age: recentMs })
  return (['casino', 'gateway', 'chat'] as const).map((name) => {
    const own = requests.isRecording ? recent.filter(({ service }) => service === name) : []
    return {
      name,
      requests: own.filter(({ kind }) => kind === 'request').length,
      callbacks: own.filter(({ kind }) => kind === 'callback').length,
      failed: own.filter(({ status }) => status === null || status >= 400).length,
    }
  })
}

function jobsOf({ jobs, metrics }: World) {
  const figures = metrics?.jobFigures() ?? new Map()
  return jobs.map(({ name }) => {
    const { runs = 0, failures = 0, items = 0 } = figures.get(name) ?? {}
    return { name, runs, failures, items }
  })
}
