import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser/chromium.ts'
import { blocksOf, plainWords, readDocument } from '../support/program/guide.ts'
import { root, type Served, served, workbench } from '../support/program/processes.ts'
import { runWarm } from '../support/program/warm.ts'

/**
 * The README's output of `reconcile daily` and the picture of its report: a day with a round that was corrected after
 * the bets were pulled. `npm run docs:examples` (UPDATE_DOCS=1) writes both again.
 */

const isUpdate = process.env['UPDATE_DOCS'] === '1'
const picture = join(root, 'docs/images/report.png')
const { folder, env, done } = workbench('example')
let world: Served | undefined
let shown = ''

const round = {
  tableId: 'BAC-01',
  variant: 'nocomm',
  cardInfo: 'QD3D4C3SAH--',
  slips: [{ username: 'amy', bets: { B: '100', S6: '10', BP: '5' } }],
}

async function countroom(line: string) {
  const given = Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined))
  return runWarm({ args: plainWords(line) ?? [], env: { ...given, NO_COLOR: '1' }, cwd: folder, input: '' }, 60_000)
}

beforeAll(async () => {
  const ready = join(folder, 'ready.json')
  world = await served(folder, env, ['--seed', '7', '--clock', '2026-03-05T12:00:00Z', '--ready-file', ready])
  writeFileSync(join(folder, 'round.json'), JSON.stringify(round))
  await countroom('countroom profiles add house --environment live --from ready.json')
  await countroom('countroom sim play --rounds 120 --players 6 --days 1')
  const { stdout } = await countroom('countroom sim deal round.json --json')
  await countroom('countroom console clock advance 20h')
  await countroom('countroom bets sync --out bets --profile house')
  await countroom(`countroom sim correct ${JSON.parse(stdout).data.roundId} --card-info 5H4S3C5D----`)
  const command = 'countroom reconcile daily --report report.html --profile house'
  const result = await countroom(command)
  shown = `$ ${command}\n${result.stdout}$ echo $?\n${result.code}\n`
})
afterAll(async () => {
  await world?.stop()
  done()
})

test('the README shows the output of reconcile daily for a day with differences', () => {
  const readme = readDocument('README.md')
  const block = blocksOf(readme).find(({ kind }) => kind === 'console')
  if (isUpdate && block)
    writeFileSync(
      join(root, 'README.md'),
      readme.replace(block.text, () => shown),
    )
  else expect(withoutIds(block?.text ?? ''), 'npm run docs:examples writes it again').toBe(withoutIds(shown))
  expect(shown).toMatch(/has differences[\s\S]*amy[\s\S]*slip 01[0-9A-Z]{24}[\s\S]*\n9\n$/)
})

/** The time in an id is that of the run. */
const withoutIds = (text: string) => text.replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, 'ID')

test('the picture shows the report of that day including its explanations, at twice the pixels of its size', async () => {
  if (isUpdate) {
    const browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 880, height: 760 }, deviceScaleFactor: 2 })
    await page.setContent(readFileSync(join(folder, 'report.html'), 'utf8'))
    mkdirSync(join(root, 'docs/images'), { recursive: true })
    const box = await page.locator('section', { hasText: 'with the newer records of slip' }).last().boundingBox()
    const height = Math.ceil((box?.y ?? 0) + (box?.height ?? 0) + 14)
    await page.screenshot({ path: picture, fullPage: true, clip: { x: 0, y: 0, width: 880, height } })
    await browser.close()
  }
  const png = readFileSync(picture)
  expect(statSync(picture).size).toBeLessThan(400_000)
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.readUInt32BE(16)).toBe(1760)
  // The picture is of the same day and player as the text next to it.
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/2026-03-05[\s\S]*amy/)
})
