import { withoutPassword } from '../../../db/engines/database-name.ts'
import { tryAddress } from '../../../http/server/listen-address.ts'
import { keepYoungSpaceSmall } from '../../../kit/heap-limits.ts'
import { type Log, openLog } from '../../../kit/log.ts'
import { setLive } from '../../../services/casino/live/switches.ts'
import { ensureDemoWorld } from '../../../world/demo-data.ts'
import type { SetFault } from '../../../world/faults.ts'
import { keepLocalProfile, readyDocument, removeReadyFile, writeReadyFile } from '../../../world/ready-file.ts'
import { startScheduler } from '../../../world/scheduler.ts'
import { openWorld, type World } from '../../../world/world.ts'
import type { CommandContext } from '../../context/context.ts'
import { faultsNote } from '../sim/fault-view.ts'
import { reportInterruptedLoad } from '../sim/snapshots/interrupted.ts'
import { explainListenError } from './listen-problem.ts'
import { type ServeFlags, type ServeOptions, serveOptions } from './options.ts'
import { warnOfOptions } from './warnings.ts'

/** Interval of the automatic dealer. Short enough that tables seem to move on their own. */
const liveMs = 250

/** Serves a world until a signal comes. */
export async function serveWorld(context: CommandContext, flags: ServeFlags) {
  const options = serveOptions(context, flags)
  const { host, port } = options
  const { logLevel } = context.settings.settings
  const log = await openLog(logLevel === 'info' ? 'warn' : logLevel)
  const world = await openServedWorld(context, options, log)
  await warnOfOptions(context, world, options)
  await reportInterruptedLoad(context, world.snapshots)
  const { url } = await explainListenError(world.server.listen({ host, port }), port)
  // Not earlier: V8 rejects the cached code of Node's own modules after such a change, and would compile those that are still loaded.
  keepYoungSpaceSmall()
  await showFaults(context, world)
  if (options.isLive) await setLive(world.casino, true)
  startJobs(context, world, log)
  const { publicUrl, db } = await announce(context, world, { url, db: options.db, readyFile: options.readyFile })
  await aborted(context.stop)
  return { baseUrl: url, publicUrl, db, stoppedBy: String(context.stop.reason) }
}

/** Opens the world, and fills an empty one with the demo data. */
async function openServedWorld(context: CommandContext, options: ServeOptions, log: Log): Promise<World> {
  const { db, seed, startAt, rateLimits, loopbackCallbacks, allowsFaults, trustedProxies, publicUrl, records } = options
  // Before the database, so that a port in use leaves no new database behind.
  await explainListenError(tryAddress(options.host, options.port), options.port)
  const world = await openWorld({
    db,
    dataFolder: context.settings.paths.data,
    seed,
    startAt,
    log,
    rateLimits,
    loopbackCallbacks,
    allowsFaults,
    trustedProxies,
    publicUrl,
    records,
  })
  context.closeLater(() => world.close())
  if (options.hasDemo && (await ensureDemoWorld(world))) context.note('The database was empty. Added the demo world.')
  return world
}

/** Warns of the faults that are set, now and after every change. */
async function showFaults(context: CommandContext, world: World): Promise<void> {
  let areFaultsSet = false
  const show = (faults: readonly SetFault[]) => {
    const text = faultsNote(faults, world.faults.areAllowed())
    if (text !== undefined) context.screen.warn(text)
    else if (areFaultsSet) context.note('No faults are set.')
    areFaultsSet = text !== undefined
  }
  show(await world.faults.list())
  world.faults.watch(show)
}

/** Starts the periodic jobs, and stops them when the command ends. */
function startJobs(context: CommandContext, world: World, log: Log): void {
  const live = new Set(world.liveJobs)
  const otherJobs = world.jobs.filter((job) => !live.has(job))
  const schedulers = [
    startScheduler(otherJobs, log, undefined, world.metrics?.jobs),
    startScheduler(world.liveJobs, log, liveMs, world.metrics?.jobs),
  ]
  context.closeLater(async () => {
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
  })
}

/** Saves the profile "local" and the ready file, and prints the addresses. */
async function announce(
  context: CommandContext,
  world: World,
  { url, db, readyFile }: { readonly url: string; readonly db: string; readonly readyFile: string | undefined },
): Promise<{ publicUrl: string; db: string }> {
  const kept = keepLocalProfile(context.settings, db)
  if (kept.failure !== undefined) context.warn(`Could not save the profile "local": ${kept.failure}`)
  const document = await readyDocument(world, url, db)
  if (readyFile !== undefined) {
    writeReadyFile(readyFile, document)
    context.closeLater(() => removeReadyFile(readyFile, document))
  }
  const { event, pid, baseUrl, sandboxBaseUrl, publicUrl } = document
  const shownDb = withoutPassword(db)
  await context.line({ event, pid, baseUrl, sandboxBaseUrl, publicUrl, db: shownDb }, () => `Serving at ${url}`)
  if (kept.isMoved)
    context.note(
      `Profile     local now uses this database${kept.before === undefined ? '' : `; before: ${withoutPassword(kept.before)}`}`,
    )
  if (publicUrl !== url) context.note(`Public URL  ${publicUrl}`)
  // The link has the token, so it goes to a person at a terminal and into no file.
  if (document.desk?.url !== undefined && context.screen.canAsk) context.note(`Desk        ${document.desk.url}`)
  context.note(`Reference   ${url}/docs\nDatabase    ${shownDb}\nTry         countroom players show amy`)
  return { publicUrl, db: shownDb }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
