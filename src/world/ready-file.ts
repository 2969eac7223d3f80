import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { isProblem } from '../kit/problem.ts'
import { chatDemoCredentials } from '../services/chat/server/demo-data.ts'
import { demoCredentials as gatewayDemoCredentials } from '../services/gateway/admin/demo-data.ts'
import { writeWhole } from './config/atomic-write.ts'
import type { Config } from './config/config.ts'
import { hasProfile, localName, readProfile, saveProfile } from './config/profiles.ts'
import { credentialsOf, demoCode } from './demo-data.ts'
import type { World } from './world.ts'

/** What a served world says of itself once its port answers: where it is, and the keys of its demo world. */
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
    /** What launch links, hosted pages and the like begin with. */
    publicUrl: world.gateway.config.publicUrl(),
    db,
    ...(casino === undefined ? {} : { casino }),
    ...(production === undefined || sandbox === undefined ? {} : { gateway: { production, sandbox } }),
    ...(chat === undefined ? {} : { chat }),
  }
}

/** Writes the document where it was asked for, readable by its owner alone: it holds keys. */
export function writeReadyFile(path: string, document: object): void {
  // The folder is somebody else's and keeps its own mode; only one that is missing is made.
  writeWhole(resolve(path), `${JSON.stringify(document, null, 2)}\n`, { file: 0o600, folder: 0o755 })
}

/** Takes the document away at the end. */
export function removeReadyFile(path: string): void {
  rmSync(resolve(path), { force: true })
}

/** Keeps the profile `local` pointing at what is served; says why when it cannot. */
export function keepLocalProfile(config: Config, db: string): string | undefined {
  try {
    const known = hasProfile(config.paths, localName) ? readProfile(config, localName).profile : undefined
    const kept = known?.kind === 'local' ? known : { kind: 'local' as const }
    saveProfile(config.paths, { name: localName, profile: { ...kept, db } })
    return undefined
  } catch (error) {
    if (!isProblem(error)) throw error
    return error.message
  }
}
