import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../../../kit/log.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Environment } from '../../../world/config/config.ts'
import { pathsOf } from '../../../world/config/paths.ts'
import { profileFromDocument, saveProfile } from '../../../world/config/profiles.ts'
import { ensureDemoWorld } from '../../../world/demo-data.ts'
import { deskRoutes } from '../../../world/desk/routes.ts'
import { type FileFault, faultAt, faultsFrom } from '../../../world/fault-file.ts'
import { homeRoutes } from '../../../world/home/routes.ts'
import { checkInvariants, type Invariant } from '../../../world/invariants.ts'
import { readyDocument, writeReadyFile } from '../../../world/ready-file.ts'
import { startScheduler } from '../../../world/scheduler.ts'
import { openWorld, type World } from '../../../world/world.ts'
import type { CommandContext } from '../../context/context.ts'
import { readInput } from '../../terminal/read-input.ts'
import { exitOfChild, runChild } from './child.ts'
import { momentOf } from './options.ts'

/** Parsed flags of `serve exec`. */
export interface ExecFlags {
  readonly seed: string | undefined
  readonly clock: string | undefined
  readonly faults: string | undefined
}

/** Interval of periodic jobs: short, because a test waits for the callbacks. */
const everyMs = 100
/** Name of the profile in use: the world itself, so that "sim" and "console" commands work. */
const profileName = 'world'
/** A file system in memory, where there is one: commands that COMMAND runs open the database next to this process. */
const memoryFolder = '/dev/shm'

/** Runs a command against a world of its own, then checks the world. */
export async function execWithWorld(context: CommandContext, flags: ExecFlags, command: readonly string[]) {
  const startAt = flags.clock === undefined ? undefined : momentOf(flags.clock)
  const faults = flags.faults === undefined ? [] : await faultsFrom(await readInput(flags.faults), flags.faults)
  const folder = mkdtempSync(join(parentFolder(), 'countroom-exec-'))
  context.closeLater(() => rmSync(folder, { recursive: true, force: true }))
  const world = await servedWorld(context, { db: join(folder, 'world.db'), seed: flags.seed, startAt })
  const { url } = await world.server.listen({ host: '127.0.0.1', port: 0 })
  await setFaults(world, faults)
  const scheduler = startScheduler(world.jobs, await openLog('error'), everyMs)
  const stop = scheduler.stop
  context.closeLater(stop)
  const env = await configure(context.settings.env, world, { url, folder })
  const ended = await runChild(command, {
    env,
    stop: context.stop,
    stdoutTo: context.screen.isJson ? 'stderr' : 'stdout',
  })
  await stop()
  const exitCode = exitOfChild(ended)
  const invariants = await checkInvariants(world)
  report(context, { command, exitCode, invariants })
  return { exitCode, invariants }
}

function parentFolder(): string {
  try {
    accessSync(memoryFolder, constants.W_OK)
    return memoryFolder
  } catch {
    return tmpdir()
  }
}

async function servedWorld(
  context: CommandContext,
  { db, seed, startAt }: { db: string; seed: string | undefined; startAt: number | undefined },
): Promise<World> {
  const { logLevel } = context.settings.settings
  const world = await openWorld({
    db,
    seed,
    startAt,
    log: await openLog(logLevel === 'info' ? 'warn' : logLevel),
    loopbackCallbacks: true,
    records: { requests: true, hasDesk: true, desk: deskRoutes, home: homeRoutes },
  })
  context.closeLater(() => world.close())
  await ensureDemoWorld(world)
  return world
}

async function setFaults(world: World, faults: readonly FileFault[]): Promise<void> {
  const now = await world.clock.now()
  for (const fault of faults) await world.faults.set(faultAt(fault, now))
}

/** Writes the ready file and a configuration that only the command uses, and returns the command's environment. */
async function configure(
  outer: Environment,
  world: World,
  { url, folder }: { readonly url: string; readonly folder: string },
): Promise<Environment> {
  const readyFile = join(folder, 'ready.json')
  const db = join(folder, 'world.db')
  const document = await readyDocument(world, url, db)
  writeReadyFile(readyFile, document)
  // Settings of the outer environment, such as a database or a book, are for another world.
  const others = Object.entries(outer).filter(([name]) => !name.startsWith('COUNTROOM_'))
  const env = {
    ...Object.fromEntries(others),
    COUNTROOM_BASE_URL: url,
    COUNTROOM_READY_FILE: readyFile,
    COUNTROOM_HOME: folder,
    COUNTROOM_PROFILE: profileName,
    COUNTROOM_DB: db,
    // Also set against a project file in the working folder, which names the book of that project.
    COUNTROOM_BOOK: join(folder, 'book.db'),
  }
  const paths = pathsOf(env)
  saveProfile(paths, { name: profileName, profile: { kind: 'local', db } })
  for (const environment of ['live', 'sandbox'] as const)
    saveProfile(paths, { name: `${profileName}-${environment}`, profile: profileFromDocument(document, environment) })
  return env
}

/** Prints the invariants on stderr, because stdout belongs to the command, and decides the exit code. */
function report(
  context: CommandContext,
  { command, exitCode, invariants }: { command: readonly string[]; exitCode: number; invariants: readonly Invariant[] },
): void {
  for (const { name, status, detail } of invariants) context.note(`${status}  ${name.padEnd(10)}  ${detail}`)
  const failed = invariants.filter(({ status }) => status === 'fail')
  if (exitCode !== 0) {
    context.endWith('COMMAND_FAILED', `${command[0]} exited with ${exitCode}`, { exitCode })
    context.exitWith(exitCode)
  } else if (failed.length > 0)
    context.endWith('DIFFERENCES', failed.map(({ name, detail }) => `${name}: ${detail}`).join('; '))
}

/** Returns the command line, or throws INVALID_USAGE. */
export function commandOf(words: readonly string[] | undefined): readonly string[] {
  if (words !== undefined && words.length > 0 && words[0] !== '') return words
  throw new Problem('INVALID_USAGE', 'Pass the command after --, such as "countroom serve exec -- npm test"')
}
