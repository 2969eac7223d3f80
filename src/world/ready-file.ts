import { existsSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { isProblem } from '../kit/problem.ts'
import { chatDemoCredentials } from '../services/chat/server/demo-data.ts'
import { demoCredentials as gatewayDemoCredentials } from '../services/gateway/admin/demo-data.ts'
import { writeWhole } from './config/atomic-write.ts'
import type { Config } from './config/config.ts'
import { hasProfile, localName, readProfile, saveProfile, storedDb } from './config/profiles.ts'
import { credentialsOf, demoCode } from './demo-data.ts'
import type { World } from './world.ts'

/** Returns the ready document of a served world: its address, and the keys of its demo data. */
export async function readyDocument(world: World, baseUrl: string, db: string) {
  const casino = await credentialsOf(world.casino, demoCode)
  const production = await gatewayDemoCredentials(world.gateway, 'production')
  const sandbox = await gatewayDemoCredentials(world.gateway, 'sandbox')
  const chat = await chatDemoCredentials(world.chat)
  return {
    event: 'ready' as const,
    pid: process.pid,
    baseUrl,
    sandboxBaseUrl: `${baseUrl}/sandbox`,
    /** Base of launch links and hosted pages. */
    publicUrl: world.gateway.config.publicUrl(),
    db,
    ...deskOf(world, baseUrl),
    ...(casino === undefined ? {} : { casino }),
    ...(production === undefined || sandbox === undefined ? {} : { gateway: { production, sandbox } }),
    ...(chat === undefined ? {} : { chat }),
  }
}

/** Returns the URL and token of the desk; empty if the world has none. */
function deskOf(world: World, baseUrl: string) {
  const token = world.deskToken()
  if (token === undefined) return {}
  return { desk: { baseUrl, token, ...(world.hasDeskPage ? { url: `${baseUrl}/desk?token=${token}` } : {}) } }
}

/** Writes the document, readable only by its owner, because it contains keys. */
export function writeReadyFile(path: string, document: object): void {
  // The folder belongs to the user and keeps its mode; only a missing one is created.
  writeWhole(resolve(path), textOf(document), { file: 0o600, folder: 0o755 })
}

/** Removes the document, unless another process has replaced it: its clients still read that one. */
export function removeReadyFile(path: string, document: object): void {
  const file = resolve(path)
  if (existsSync(file) && readFileSync(file, 'utf8') === textOf(document)) rmSync(file, { force: true })
}

const textOf = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

/** Result of pointing the profile `local` at the served database. */
export interface LocalKept {
  /** True if the profile used another database before. */
  readonly isMoved: boolean
  /** Earlier database, if the profile was stored. */
  readonly before: string | undefined
  /** Reason why the profile could not be saved. */
  readonly failure?: string
}

/** Points the profile `local` at the served database. */
export function keepLocalProfile(config: Config, db: string): LocalKept {
  const before = storedDb(config)
  const isMoved = before === undefined ? config.sources.db.from !== 'default' : before !== db
  try {
    const known = hasProfile(config.paths, localName) ? readProfile(config, localName).profile : undefined
    const base = known?.kind === 'local' ? known : { kind: 'local' as const }
    saveProfile(config.paths, { name: localName, profile: { ...base, db } })
    return { isMoved, before }
  } catch (error) {
    if (!isProblem(error)) throw error
    return { isMoved: false, before, failure: error.message }
  }
}
