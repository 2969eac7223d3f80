import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Script, scriptOf } from '../../../http/server/packed-text.ts'
import { ownFile } from '../../../kit/module-path.ts'

/** Files of the desk's page. Their folder contains the version, so browsers can cache them permanently. */
export interface DeskAssets {
  readonly version: string
  readonly script: Script
  readonly style: Script
}

const folder = 'world/desk/browser'

let read: Promise<DeskAssets> | undefined

/** Reads the script and the style, once. */
export function deskAssets(): Promise<DeskAssets> {
  read ??= readAssets()
  return read
}

async function readAssets(): Promise<DeskAssets> {
  const script = await readScript()
  const style = readFileSync(ownFile(`${folder}/desk.css`), 'utf8')
  const version = createHash('sha256').update(script).update(style).digest('hex').slice(0, 16)
  return { version, script: scriptOf(script), style: scriptOf(style) }
}

/** Reads the script as the build made it. From the sources it is bundled as the build does it. */
async function readScript(): Promise<string> {
  const built = ownFile(`${folder}/app.js`)
  if (existsSync(built)) return readFileSync(built, 'utf8')
  const { deskScript } = await import(pathToFileURL(ownFile('../scripts/desk.mjs')).href)
  return deskScript(ownFile(`${folder}/app.tsx`))
}
