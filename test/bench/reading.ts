import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { countroom, measured, median, program, workbench } from '../support/processes.ts'
import { count, dealt, figure, isQuick, ms } from './bench.ts'

/** Records per second that GET /bets returns to one client that reads all pages. */
export async function reading(): Promise<void> {
  const { folder, env, done } = workbench('read')
  const slips = isQuick ? 10_000 : 100_000
  const world = await dealt({ slips, days: 60 }, folder, env)
  const key = JSON.parse(readFileSync(world.readyFile, 'utf8')).casino.live as { apiKey: string; secret: string }
  const sign = tenantSigner({ ...key, now: Date.now, random: (size) => crypto.getRandomValues(new Uint8Array(size)) })
  const walk = async () => {
    const begun = performance.now()
    let rows = 0
    for (let next = `from=${new Date(Date.now() - 70 * 86_400_000).toISOString()}`; ; ) {
      const path = `/api/tenant/v1/bets?limit=1000&${next}`
      const { statusCode, body } = await request(world.baseUrl + path, {
        headers: await sign({ method: 'GET', path, headers: {} }),
      })
      const text = await body.text()
      if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 300)}`)
      rows += text.split('"slipId"').length - 1
      const [, cursor, hasMore] = /"nextCursor":"([0-9.]+)","hasMore":(true|false)/.exec(text.slice(-200)) ?? []
      if (hasMore !== 'true') return rows / ((performance.now() - begun) / 1000)
      next = `cursor=${cursor}`
    }
  }
  await walk()
  const rates: number[] = []
  for (let turn = 0; turn < (isQuick ? 3 : 7); turn++) rates.push(await walk())
  await world.stop()
  const rate = median(rates)
  figure({
    what: 'records served by GET /bets, one client after another page',
    measured: `${count(rate)}/s`,
    baseline: 'none',
    goal: 'at least 150,000/s',
    isMet: rate >= 150_000,
  })
  done()
}

/** A whole `reconcile daily` of a day of 100,000 slips, from the start of the process to its end. */
export async function reconciling(): Promise<void> {
  const { folder, env, done } = workbench('reconcile')
  const slips = isQuick ? 10_000 : 100_000
  // A minute before midnight in the demo tenant's zone, so that the past day is one of its days.
  const world = await dealt({ slips, days: 1, clock: '2026-03-10T15:59:00Z' }, folder, env)
  countroom(['console', 'clock', 'advance', '2h'], env)
  const book = join(folder, 'book.db')
  const place = ['--out', join(folder, 'bets'), '--book', book]
  countroom(['bets', 'sync', ...place, '--from', '2026-03-01T00:00:00Z', '--rate-share', '100'], env)
  const args = ['reconcile', 'daily', '2026-03-10', '--book', book]
  const { days } = countroom(args, env) as { days?: { verdict: string }[]; verdict?: string }
  const verdicts = JSON.stringify(days ?? '')
  if (verdicts.includes('differences')) throw new Error(`the day does not add up: ${verdicts}`)
  const times: number[] = []
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++) {
    const run = await measured([program, ...args, '--profile', `p${slips}`, '--quiet'], env)
    if (turn >= 0) times.push(run.ms)
  }
  await world.stop()
  const own = median(times)
  figure({
    what: `\`reconcile daily\` over a day of ${count(slips)} slips`,
    measured: ms(own),
    baseline: 'none',
    goal: 'at most 2,000 ms',
    isMet: own <= 2000,
  })
  done()
}
