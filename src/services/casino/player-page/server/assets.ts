import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PackedText } from '../../../../http/server/packed-text.ts'
import { ownFile } from '../../../../kit/module-path.ts'

/** A file of the player's page as browsers get it. */
export interface Asset {
  readonly type: string
  readonly content: PackedText
}

/** All files of the page. Their folder contains the `version`, so browsers can cache them permanently. */
export interface Assets {
  readonly version: string
  readonly files: ReadonlyMap<string, Asset>
}

const folder = ownFile('services/casino/player-page/browser')
const scriptType = 'text/javascript; charset=utf-8'

let read: Promise<Assets> | undefined

/** Reads the script, its texts and the style of the page, once. */
export function pageAssets(): Promise<Assets> {
  read ??= readAssets()
  return read
}

async function readAssets(): Promise<Assets> {
  const texts = new Map([
    ['page.css', readFileSync(join(folder, 'page.css'), 'utf8')],
    ['app.js', await readScript()],
    ...languagesIn('languages'),
    ...languagesIn('panels/languages'),
  ])
  const files = new Map<string, Asset>()
  const hash = createHash('sha256')
  for (const [name, text] of texts) {
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : scriptType
    files.set(name, { type, content: new PackedText(text) })
    hash.update(`${name}\0${text}\0`)
  }
  return { version: hash.digest('hex').slice(0, 16), files }
}

/** Reads the script as the build made it. From the sources it is bundled as the build does it. */
async function readScript(): Promise<string> {
  const stem = join(folder, 'app')
  if (existsSync(`${stem}.js`)) return readFileSync(`${stem}.js`, 'utf8')
  const { playerPageScript } = await import(pathToFileURL(ownFile('../scripts/player-page.mjs')).href)
  return playerPageScript(`${stem}.ts`)
}

/** Reads the texts of every language, from a source without its types. */
function languagesIn(part: string): (readonly [string, string])[] {
  const names = readdirSync(join(folder, part)).filter((name) => /^\w+\.[jt]s$/.test(name))
  return names.toSorted().map((name) => {
    const source = readFileSync(join(folder, part, name), 'utf8')
    const text = name.endsWith('.ts') ? module.stripTypeScriptTypes(source) : source
    return [`${part}/${name.replace(/ts$/, 'js')}`, text] as const
  })
}
