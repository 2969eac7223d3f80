import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Script, scriptOf, sendScript } from '../../../http/server/packed-text.ts'
import type { RouteReply, Routes } from '../../../http/server/routes.ts'
import { ownFile } from '../../../kit/module-path.ts'
import type { Language } from './messages.ts'
import { conversationWords } from './words.ts'

/** Routes of the widget's two scripts. */
export function widgetRoutes(): Routes {
  return (table) => {
    const loader = once(async () => scriptOf(await readScript('loader')))
    const app = once(() => readScript('app'))
    const apps = new Map<Language, Script>()
    table.get('/widget.js', async (request, reply) => sendScript(request, openTo(reply), await loader()))
    table.get('/widget-app.js', async (request, reply) => {
      const language = languageOf(request.query['lang'])
      const script = apps.get(language) ?? scriptOf(withWords(await app(), language))
      apps.set(language, script)
      return sendScript(request, openTo(reply), script)
    })
  }
}

/** Adds the texts of one language to the conversation's script: all eight would be a third of its size. */
export function withWords(script: string, language: Language): string {
  return `${script}\nexport const words=${JSON.stringify(conversationWords[language])};\n`
}

function languageOf(requested: unknown): Language {
  return typeof requested === 'string' && Object.hasOwn(conversationWords, requested) ? (requested as Language) : 'en'
}

/** Reads one of the two scripts as the build made it. From the sources it is bundled as the build does it. */
async function readScript(name: 'loader' | 'app'): Promise<string> {
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
