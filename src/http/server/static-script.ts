import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { PackedText, sendPacked } from './packed-text.ts'
import type { RouteReply, RouteRequest } from './routes.ts'

/** A script as browsers get it. */
export type Script = PackedText

/** Reads a browser script: the minified build, or its source without the types. */
export function readScript(stem: string): Script {
  const built = `${stem}.js`
  const text = existsSync(built)
    ? readFileSync(built, 'utf8')
    : module.stripTypeScriptTypes(readFileSync(`${stem}.ts`, 'utf8'))
  return scriptOf(text)
}

/** Packs the text of a script for browsers. */
export function scriptOf(text: string): Script {
  return new PackedText(text)
}

/** Answers with a script: not again when the browser has it, and packed where it can unpack. */
export function sendScript(request: RouteRequest, reply: RouteReply, script: Script): Promise<void> {
  reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300')
  return sendPacked(request, reply, script)
}
