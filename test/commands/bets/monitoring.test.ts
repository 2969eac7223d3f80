import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { receiverTimeoutMs } from '../../../src/operator/monitoring/receiver.ts'
import { aHome, envelopeOf, type Home, run, runJson } from '../../support/program/cli.ts'
import { clearOfMidnight } from '../../support/worlds/days.ts'
import { servedBeside } from '../../support/worlds/served.ts'

beforeEach(() => clearOfMidnight('Asia/Taipei'))

interface Got {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** A real receiver. It responds with 200, with another status, or not at all. */
async function aReceiver(answer: number | 'hang' = 200) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ method: request.method ?? '', path: request.url ?? '', body })
      if (answer !== 'hang') response.writeHead(answer).end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/p/a1`, got }
}

/** A home with a world of three days of bets, and a book with them. */
async function aHomeWithBook(): Promise<Home> {
  const { home } = await servedBeside()
  for (const args of [
    ['sim', 'play', '--rounds', '30', '--players', '3', '--days', '3'],
    ['bets', 'sync', '--out', 'bets'],
  ]) {
    const { code, stderr } = await run(args, { home })
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  }
  return home
}

describe('--ping', () => {
  test('reports the start and the success, or the exit code', async () => {
    const home = await aHomeWithBook()
    const { url, got } = await aReceiver()
    await run(['bets', 'sync', '--out', 'bets', '--ping', url], { home })
    expect(got).toEqual([
      { method: 'GET', path: '/p/a1/start', body: '' },
      { method: 'GET', path: '/p/a1', body: '' },
    ])
    got.length = 0
    expect((await run(['bets', 'status', '--max-lag', '0s', '--ping', url], { home })).code).toBe(9)
    expect(got.map(({ path, body }) => [path, body])).toEqual([
      ['/p/a1/start', ''],
      ['/p/a1/fail', '9'],
    ])
  })

  test("that fails is a warning, and the URL's secret is not shown", async () => {
    const home = await aHomeWithBook()
    const { url } = await aReceiver(500)
    const result = await run(['bets', 'status', '--ping', url, '--json'], { home })
    expect(result.code).toBe(0)
    expect(envelopeOf(result).warnings).toEqual([
      expect.stringContaining('it responded with 500'),
      expect.stringContaining('it responded with 500'),
    ])
    expect(result.stdout).not.toContain('/p/a1')
    for (const bad of ['nowhere', 'ftp://a/b', 'http://example.com/x', 'https://u:p@example.com/x'])
      expect((await run(['bets', 'status', '--ping', bad], { home })).code).toBe(2)
  })

  // test/cli/context/monitor.test.ts covers the limit of the wait.
  test('to a receiver that hangs ends with a warning for each request', async () => {
    const home = await aHomeWithBook()
    const hanging = await aReceiver('hang')
    const args = ['bets', 'status', '--ping', hanging.url]
    const result = await run(args, { home, env: { COUNTROOM_NOTIFY: hanging.url } })
    expect(result.code).toBe(0)
    const failure = `no response within ${receiverTimeoutMs / 1000} s`
    expect(result.stderr.split(failure)).toHaveLength(3)
    expect(hanging.got.map(({ path }) => path)).toEqual(['/p/a1/start', '/p/a1'])
  })
})

describe('--metrics', () => {
  const metricsOf = (home: Home) =>
    Object.fromEntries(
      readFileSync(join(home.folder, 'm.prom'), 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    )

  test('has the figures of each job, and keeps the last success after a failure', async () => {
    const home = await aHomeWithBook()
    const metrics = ['--metrics', 'm.prom']
    await run(['bets', 'sync', '--out', 'bets', ...metrics], { home })
    const labels = '{profile="local",job="bets sync"}'
    const first = metricsOf(home)
    expect(Object.keys(first).sort()).toEqual(
      [
        'countroom_breaks_open',
        'countroom_lag_seconds',
        'countroom_last_run_exit_code',
        'countroom_last_success_timestamp_seconds',
        'countroom_rows_total',
      ].map((name) => `${name}${labels}`),
    )
    const { data } = await runJson(['bets', 'status'], { home })
    expect(first[`countroom_rows_total${labels}`]).toBe(data['rows'])
    expect(
      Math.abs((first[`countroom_last_success_timestamp_seconds${labels}`] ?? 0) * 1000 - Date.now()),
    ).toBeLessThan(600_000)
    await run(['bets', 'status', '--max-lag', '0s', ...metrics], { home })
    const failed = await run(['bets', 'sync', '--out', 'bets', '--from', '2020-01-01', ...metrics], { home })
    expect(failed.code).toBe(6)
    const after = metricsOf(home)
    expect(after[`countroom_last_run_exit_code${labels}`]).toBe(6)
    const success = `countroom_last_success_timestamp_seconds${labels}`
    expect(after[success]).toBe(first[success])
    const other = '{profile="local",job="bets status"}'
    expect(after[`countroom_last_run_exit_code${other}`]).toBe(9)
    expect(after[`countroom_last_success_timestamp_seconds${other}`]).toBeUndefined()
    expect(readdirSync(home.folder).filter((name) => name.includes('draft'))).toEqual([])
  })

  test('is refused before any work if its folder does not exist', async () => {
    const home = await aHomeWithBook()
    const { code } = await run(['bets', 'sync', '--out', 'new', '--metrics', 'nowhere/m.prom'], { home })
    expect([code, existsSync(join(home.folder, 'new'))]).toEqual([2, false])
  })
})

describe('notify', () => {
  /** Changes the latest revision of a slip in the book, so that yesterday's figures differ. */
  async function spoil(home: Home, payout: string): Promise<void> {
    const { data } = await runJson(['reconcile', 'daily', '--no-keep'], { home })
    const { default: Database } = await import('better-sqlite3')
    const { data: status } = await runJson(['book', 'show'], { home })
    const db = new Database(String(status['book']))
    const rows = db
      .prepare('select place, rev, record from book_revisions where settled_at >= ? and settled_at < ? order by place')
      .all(Date.parse(String(data['start'])), Date.parse(String(data['end']))) as { place: number; record: string }[]
    // A place on site, and a revision with a later one, do not count.
    const counted = rows.map((row) => ({ ...row, bet: JSON.parse(row.record) }))
    const row = counted.find(
      ({ bet }) =>
        !bet.onsite &&
        bet.status === 'settled' &&
        counted.every((each) => each.bet.slipId !== bet.slipId || each.bet === bet),
    )
    if (!row) throw new Error('the day has no slip that counts')
    const record = JSON.stringify({ ...row.bet, payout, winLoss: payout })
    db.prepare('update book_revisions set record = ? where place = ?').run(record, row.place)
    db.close()
  }

  test('reports new breaks once, and breaks that appear again', async () => {
    const home = await aHomeWithBook()
    const { url, got } = await aReceiver()
    const env = { COUNTROOM_NOTIFY: url }
    await spoil(home, '77777')
    expect((await run(['reconcile', 'daily'], { home, env })).code).toBe(9)
    expect(got).toHaveLength(1)
    const message = JSON.parse(got[0]?.body ?? '')
    expect(message).toMatchObject({ event: 'breaks.found', profile: 'local' })
    expect(Object.keys(message).sort()).toEqual(['event', 'items', 'profile', 'text'])
    expect(message.text).toMatch(/^countroom reconcile daily \(local\): 1 new break/)
    expect(message.items).toEqual([expect.objectContaining({ kind: 'daily', message: expect.any(String) })])
    await run(['reconcile', 'daily'], { home, env })
    expect(got).toHaveLength(1)
    const [{ id }] = message.items
    const closed = await run(['reconcile', 'breaks', 'close', id, '--reason', 'timing'], { home })
    expect(closed.code).toBe(0)
    await spoil(home, '88888')
    await run(['reconcile', 'daily'], { home, env })
    expect(got.map(({ body }) => JSON.parse(body).event)).toEqual(['breaks.found', 'break.reopened'])
  })

  test('does not show its URL, which is a secret, and refuses a bad one', async () => {
    const home = aHome()
    const env = { COUNTROOM_NOTIFY: 'https://hooks.example.com/T000/secretpart' }
    const { stdout } = await run(['config', 'show', '--json'], { home, env })
    expect(stdout).toContain('https://hooks.example.com/…')
    expect(stdout).not.toContain('secretpart')
    const bad = await run(['config', 'show'], { home, env: { COUNTROOM_NOTIFY: 'http://example.com/x' } })
    expect(bad.code).toBe(78)
  })
})

test('bets status --max-lag passes for a recent book, and fails for one that was never complete', async () => {
  const home = await aHomeWithBook()
  expect((await run(['bets', 'status', '--max-lag', '10m'], { home })).code).toBe(0)
  const stale = await run(['bets', 'status', '--max-lag', '0s'], { home })
  expect([stale.code, stale.stderr]).toEqual([9, expect.stringMatching(/was last complete at .*the limit is 0s/)])
  expect((await run(['bets', 'status', '--max-lag', 'soon'], { home })).code).toBe(2)
})

describe('reports', () => {
  test('get a name per day in a folder, so that the second night does not fail', async () => {
    const home = await aHomeWithBook()
    const { data } = await runJson(['reconcile', 'daily', '--no-keep'], { home })
    const date = String(data['date'])
    for (let night = 0; night < 2; night++) {
      const { code, stderr } = await run(['reconcile', 'daily', '--report', 'reports/', '--csv', 'csv-{date}.csv'], {
        home,
      })
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    }
    expect(readdirSync(join(home.folder, 'reports')).sort()).toEqual([
      `reconcile-daily-DEMO-${date}-2.html`,
      `reconcile-daily-DEMO-${date}.html`,
    ])
    expect(existsSync(join(home.folder, `csv-${date}.csv`))).toBe(true)
    const range = ['reconcile', 'daily', '--from', date, '--to', date, '--csv', 'reports']
    expect((await run(range, { home })).code).toBe(0)
    expect(existsSync(join(home.folder, 'reports', `reconcile-daily-DEMO-${date}.csv`))).toBe(true)
    const fixed = ['reconcile', 'daily', '--csv', `csv-${date}.csv`]
    expect((await run(fixed, { home })).code).toBe(6)
    for (const bad of [
      ['--csv', 'a-{day}.csv'],
      ['--csv', 'nowhere/a-{date}.csv'],
      ['--csv', 'a-{date}', '--report', 'a-{date}'],
    ])
      expect((await run(['reconcile', 'daily', ...bad], { home })).code).toBe(2)
  })
})
