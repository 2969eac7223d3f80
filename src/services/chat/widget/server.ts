import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Script, scriptOf, sendScript } from '../../../http/server/packed-text.ts'
import type { RouteReply, Routes } from '../../../http/server/routes.ts'
import { ownFile } from '../../../kit/module-path.ts'
import type { Language } from './messages.ts'
import { languageFor, type ScriptName, scriptNames, stringsFor } from './strings.ts'

/** The scripts of this process, which are the same in every world: each is read and compressed on its first request. */
const loader = once(async () => scriptOf(await readScript('loader')))
const localized = Object.fromEntries(scriptNames.map((name) => [name, inLanguages(name)]))

/** Returns the routes of the widget's scripts: the loader, and those that it loads on first use. */
export function widgetRoutes(): Routes {
  return (table) => {
    table.get('/widget.js', async (request, reply) => sendScript(request, openTo(reply), await loader()))
    for (const [name, scriptIn] of Object.entries(localized)) {
      table.get(`/widget-${name}.js`, async (request, reply) => {
        const tag: unknown = request.query['lang']
        const script = await scriptIn(languageFor(typeof tag === 'string' ? tag : undefined))
        return sendScript(request, openTo(reply), script)
      })
    }
  }
}

/** Returns a function that returns the script in a language. Each language is built once. */
function inLanguages(name: ScriptName): (language: Language) => Promise<Script> {
  const plain = once(() => readScript(name))
  const scripts = new Map<Language, Script>()
  return async (language) => {
    const script = scripts.get(language) ?? scriptOf(withStrings(await plain(), language, name))
    scripts.set(language, script)
    return script
  }
}

/** Adds the texts of one language to a script. All languages would make up most of its size. */
export function withStrings(script: string, language: Language, name: ScriptName = 'app'): string {
  return `${script}\nexport const strings=${JSON.stringify(stringsFor(name, language))};\n`
}

/** Reads a script from the build's output. A program that runs from its sources bundles it in the same way. */
async function readScript(name: 'loader' | ScriptName): Promise<string> {
  const stem = ownFile(`services/chat/widget/browser/${name}`)
  if (existsSync(`${stem}.js`)) return readFileSync(`${stem}.js`, 'utf8')
  const { widgetScript } = await import(pathToFileURL(ownFile('../scripts/widget.mjs')).href)
  return widgetScript(`${stem}.ts`)
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => (done ??= work())
}

function openTo(reply: RouteReply): RouteReply {
  return reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
}
