import { spawn } from 'node:child_process'

/** The program that opens an address in the user's browser, by platform. Started as itself, never through a shell. */
const openers: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** How long an opener is watched: one that cannot open anything says so at once, one that can may stay as long as its browser. */
const watchedMs = 1_500

/** Opens an address in the browser; answers why that did not work, or nothing. */
export function openInBrowser(url: string): Promise<string | undefined> {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return Promise.resolve(`${protocol} is no address of the web`)
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, shell: false })
    const timer = setTimeout(() => {
      child.unref()
      resolve(undefined)
    }, watchedMs)
    const end = (why: string | undefined) => {
      clearTimeout(timer)
      resolve(why)
    }
    child.once('error', (error) => end(`${command} cannot be started (${(error as NodeJS.ErrnoException).code})`))
    child.once('exit', (code) => end(code === 0 || code === null ? undefined : `${command} ended with ${code}`))
  })
}
