import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { root } from '../program/processes.ts'
import { launchFirefox } from './firefox.ts'

const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'))
const kept = join(root, 'node_modules/.cache/countroom-chromium')

/** Name of the browser that runs the page tests: `TEST_BROWSER=firefox` takes an installed Firefox. */
const browserName = process.env['TEST_BROWSER'] ?? 'chromium'

/** True in Firefox, where a test is skipped if it needs what docs/browsers.md names as missing there. */
export const isFirefox = browserName === 'firefox'

/**
 * Launches a browser with additional switches; its launcher closes it. It draws without a GPU: emulating one costs four
 * times the CPU.
 */
export async function launchBrowser(...switches: string[]): Promise<Browser> {
  if (isFirefox) return launchFirefox()
  const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', ...switches]
  const env = { ...process.env, ...sameEverywhere }
  return chromium.launch({ executablePath: await theChromium(), args, env, headless: true })
}

/** A browser takes its language and time zone from the machine. Tests that need others set them for their pages. */
const sameEverywhere = { LANGUAGE: '', LC_ALL: 'C', LANG: 'C', TZ: 'UTC' }

/** A page lives for a second here, so optimizing its scripts, and a process that only draws, cost more CPU time than they save. */
const forShortPages = ['--js-flags=--no-opt,--single-threaded', '--in-process-gpu']

let shared: Promise<Browser> | undefined

/**
 * One browser for all tests of a worker, closed with the worker. Each test opens and closes contexts of its own. After a
 * crash the next test gets a new one.
 */
export function theBrowser(): Promise<Browser> {
  shared ??= launchBrowser(...forShortPages).then((browser) => browser.on('disconnected', () => (shared = undefined)))
  return shared
}

/** Timeout of a page's actions. Tests wait for a state, and the machine may be busy. */
export const pageMs = 120_000

/**
 * The path of the browser's program. The package unpacks it below the temporary folder and accepts any file of that
 * name, even one that another run is writing or left incomplete. Here it is unpacked into a separate folder and then
 * renamed. Among concurrent runs, the first rename wins.
 */
async function theChromium(): Promise<string> {
  const folder = join(kept, version)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  mkdirSync(kept, { recursive: true })
  const own = mkdtempSync(join(kept, 'unpacking-'))
  try {
    const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())"
    await promisify(execFile)(process.execPath, ['-e', script], { cwd: root, env: { ...process.env, TMPDIR: own } })
    renameSync(own, folder)
  } catch (error) {
    if (!existsSync(program)) throw error
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
  return program
}
