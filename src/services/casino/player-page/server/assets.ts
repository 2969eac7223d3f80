import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ownFile } from '../../../../kit/module-path.ts'

/** A file of the player's page as browsers get it. */
export interface Asset {
  readonly type: string
  readonly text: string
  readonly packed: Buffer
}

/** All files of the page. Their folder contains the `version`, so browsers can cache them for good. */
export interface Assets {
  readonly version: string
  readonly files: ReadonlyMap<string, Asset>
}

const folder = ownFile('services/casino/player-page/browser')
/** Files of the domain that the page loads too. They import nothing. */
const shared = ['domain/games/roads.ts']

let read: Assets | undefined

/** Reads the scripts and the style of the page, once. */
export function pageAssets(): Assets {
  read ??= readAssets()
  return read
}

function readAssets(): Assets {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = new Map<string, Asset>()
  for (const name of names) {
    const asset = assetOf(name)
    if (asset) files.set(asset.name, packed(asset.file))
  }
  for (const name of shared) {
    const path = ownFile(name)
    const source = readFileSync(path, 'utf8')
    const text = path.endsWith('.ts') ? withoutTypes(source) : source
    files.set(name.replace(/ts$/, 'js'), packed({ type: scriptType, text }))
  }
  const hash = createHash('sha256')
  for (const [name, { text }] of files) hash.update(`${name}\0${text}\0`)
  return { version: hash.digest('hex').slice(0, 16), files }
}

function packed(file: { readonly type: string; readonly text: string }): Asset {
  return { ...file, packed: gzipSync(file.text, { level: 9 }) }
}

function assetOf(name: string) {
  const text = () => withinAssets(name, readFileSync(join(folder, name), 'utf8'))
  if (name.endsWith('.d.ts')) return undefined
  switch (extname(name)) {
    case '.css':
      return { name, file: { type: 'text/css; charset=utf-8', text: text() } }
    case '.js':
      return { name, file: { type: scriptType, text: text() } }
    case '.ts':
      return { name: name.replace(/ts$/, 'js'), file: { type: scriptType, text: withoutTypes(text()) } }
    default:
      return undefined
  }
}

/** Returns a script whose imports from the domain find it among the files of the page. */
function withinAssets(name: string, source: string): string {
  const up = '../'.repeat(name.split('/').length - 1)
  return source.replace(/(from ')(?:\.\.\/)+(domain\/)/g, `$1${up || './'}$2`)
}

const scriptType = 'text/javascript; charset=utf-8'

/** Returns a script without types, for a page that is served from its sources. */
function withoutTypes(source: string): string {
  return module.stripTypeScriptTypes(source).replace(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'")
}
