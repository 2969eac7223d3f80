import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { countroom, type Measured, measured, median, program, root, workbench } from '../support/program/processes.ts'
import { count, dealt, figure, isQuick, ms } from './bench.ts'

/** Measures the records per second that GET /bets returns to one client that reads all pages. */
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

/**
 * Measures a whole `reconcile daily` of a day of 100,000 slips, from start to exit of the process, next to DuckDB on
 * the CSV files of the same bets (`baselines/duckdb-day.ts`). The two alternate, so that both have the same machine.
 */
export async function reconciling(): Promise<void> {
  const { folder, env, done } = workbench('reconcile')
  const slips = isQuick ? 10_000 : 100_000
  // One minute before midnight in the demo tenant's zone, so that the past day is one of its days.
  const world = await dealt({ slips, days: 1, clock: '2026-03-10T15:59:00Z' }, folder, env)
  countroom(['console', 'clock', 'advance', '2h'], env)
  const [book, out] = [join(folder, 'book.db'), join(folder, 'bets')]
  countroom(
    ['bets', 'sync', '--out', out, '--book', book, '--from', '2026-03-01T00:00:00Z', '--rate-share', '100'],
    env,
  )
  const args = ['reconcile', 'daily', '2026-03-10', '--book', book]
  const { days } = countroom(args, env) as { days?: { verdict: string }[]; verdict?: string }
  const verdicts = JSON.stringify(days ?? '')
  if (verdicts.includes('differences')) throw new Error(`the day does not add up: ${verdicts}`)
  const turns: { own: Measured; duckdb: Measured }[] = []
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++) {
    const duckdb = await measured([join(root, 'test/bench/baselines/duckdb-day.ts'), out, '2026-03-10'], env)
    const own = await measured([program, ...args, '--profile', `p${slips}`, '--quiet'], env)
    if (turn >= 0) turns.push({ own, duckdb })
  }
  await world.stop()
  const medianOf = (value: (turn: { own: Measured; duckdb: Measured }) => number) => median(turns.map(value))
  const ratio = medianOf(({ own, duckdb }) => own.cpuMs / duckdb.cpuMs)
  const peakMb = medianOf(({ own }) => own.peakMb)
  figure({
    what: `\`reconcile daily\` over a day of ${count(slips)} slips`,
    measured: `${ms(medianOf(({ own }) => own.cpuMs))} CPU, ${ms(medianOf(({ own }) => own.ms))}`,
    baseline: `DuckDB on the CSV files ${ms(medianOf(({ duckdb }) => duckdb.cpuMs))} CPU, ${ms(medianOf(({ duckdb }) => duckdb.ms))}`,
    ratio,
    goal: 'at most 2×',
    isMet: ratio <= 2,
  })
  figure({
    what: 'the same, memory',
    measured: `${peakMb.toFixed(0)} MB`,
    baseline: `DuckDB ${medianOf(({ duckdb }) => duckdb.peakMb).toFixed(0)} MB`,
    goal: 'at most 150 MB',
    isMet: peakMb <= 150,
  })
  done()
}

/** Measures `bets export` of a whole book as Parquet, alternating with CSV. */
export async function exporting(): Promise<void> {
  const { folder, env, done } = workbench('export')
  const slips = isQuick ? 10_000 : 100_000
  const world = await dealt({ slips, days: 60 }, folder, env)
  const book = join(folder, 'book.db')
  const from = new Date(Date.now() - 70 * 86_400_000).toISOString()
  countroom(['bets', 'sync', '--out', join(folder, 'bets'), '--book', book, '--from', from, '--rate-share', '100'], env)
  await world.stop()
  const turns: { csv: Measured; parquet: Measured }[] = []
  let bytes = { csv: 0, parquet: 0 }
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++) {
    const run = async (format: 'csv' | 'parquet') => {
      const out = join(folder, format)
      rmSync(out, { recursive: true, force: true })
      const args = ['bets', 'export', '--out', out, '--book', book, '--format', format, '--quiet']
      const result = await measured([program, ...args], env)
      const files = readdirSync(out).filter((name) => name.endsWith(format))
      bytes = { ...bytes, [format]: files.reduce((sum, name) => sum + statSync(join(out, name)).size, 0) }
      return result
    }
    const result = { csv: await run('csv'), parquet: await run('parquet') }
    if (turn >= 0) turns.push(result)
  }
  const medianOf = (value: (turn: { csv: Measured; parquet: Measured }) => number) => median(turns.map(value))
  const ratio = medianOf(({ csv, parquet }) => parquet.cpuMs / csv.cpuMs)
  const shown = (format: 'csv' | 'parquet') =>
    `${ms(medianOf((turn) => turn[format].cpuMs))} CPU, ${ms(medianOf((turn) => turn[format].ms))}, ${(bytes[format] / 1e6).toFixed(1)} MB`
  figure({
    what: `\`bets export --format parquet\` of ${count(slips)} slips`,
    measured: shown('parquet'),
    baseline: `the same as CSV ${shown('csv')}`,
    ratio,
    goal: 'at most 1.5×',
    isMet: ratio <= 1.5,
  })
  done()
}
