import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from '../../support/browser/chromium.ts'
import { median, served, workbench } from '../../support/program/processes.ts'
import { figure, isQuick, ms } from '../bench.ts'

/**
 * Measures the time from the request for `/desk` to the first contentful paint, and to the overview with its data, each
 * time in a new context without a cache.
 */
export async function painting(): Promise<void> {
  const { folder, env, done } = workbench('desk')
  const readyFile = join(folder, 'ready.json')
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--ready-file', readyFile])
  const { desk } = JSON.parse(readFileSync(readyFile, 'utf8'))
  const browser = await launchBrowser()
  const paints: number[] = []
  const overviews: number[] = []
  for (let i = -1; i < (isQuick ? 3 : 9); i++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(desk.url)
    await page.getByRole('heading', { name: 'Services' }).waitFor()
    const overview = await page.evaluate('performance.now()')
    const paint = await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0].startTime')
    // The first request loads the program's own modules.
    if (i >= 0) {
      paints.push(Number(paint))
      overviews.push(Number(overview))
    }
    await context.close()
  }
  await browser.close()
  await world.stop()
  for (const [what, times] of [
    ['the desk, to its first paint', paints],
    ['the desk, to its overview', overviews],
  ] as const) {
    const own = median(times)
    figure({ what, measured: ms(own), baseline: 'none', goal: 'at most 500 ms', isMet: own <= 500 })
  }
  done()
}
