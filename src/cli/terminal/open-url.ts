import type { ChildProcess } from 'node:child_process'

/** Time to watch the opener for an early error. Afterwards it may run as long as its browser. */
const watchedMs = 1_500

/** Opens an address in the browser. Returns why that failed, or nothing. */
export async function openInBrowser(url: string): Promise<string | undefined> {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return `${protocol} is not a web address`
  return openOutside(url, 'the browser')
}

/** Opens a file with the program that the system has for it. Returns why that failed, or nothing. */
export function openFileOutside(path: string): Promise<string | undefined> {
  return openOutside(path, 'the program')
}

async function openOutside(target: string, program: string): Promise<string | undefined> {
  const { default: open } = await import('open')
  try {
    return await failureOf(await open(target))
  } catch (error) {
    return `${program} cannot be started: ${(error as Error).message}`
  }
}

function failureOf(opener: ChildProcess): Promise<string | undefined> {
  if (opener.exitCode !== null) return Promise.resolve(exitText(opener.exitCode))
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, watchedMs, undefined)
    opener.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === null ? undefined : exitText(code))
    })
  })
}

const exitText = (code: number) => (code === 0 ? undefined : `the program that opens it exited with ${code}`)
