import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { signTenantRequest } from '../../src/domain/signing.ts'
import { seededBytes } from '../../src/kit/ambient.ts'
import type { BetRecord } from '../../src/services/casino/api/schemas/index.ts'
import { freePort } from '../support/program/free-port.ts'
import { ended, program, type Served, served, workbench } from '../support/program/processes.ts'

/**
 * A night of an operator over HTTP. A world is dealt and served, and every bet is pulled while client and server are
 * killed at random times. The files are compared byte for byte with those of an undisturbed run, and row by row with an
 * independent reader of the API. Every day is reconciled, and a tampered slip is found and named.
 */
export interface Size {
  readonly rounds: number
  readonly players: number
  readonly days: number
  readonly clientKills: number
  readonly serverKills: number
  /** Maximum life of a client before it is killed. */
  readonly killWithinMs: number
}

export const full: Size = { rounds: 3750, players: 40, days: 60, clientKills: 25, serverKills: 3, killWithinMs: 900 }
export const small: Size = { rounds: 60, players: 10, days: 3, clientKills: 4, serverKills: 1, killWithinMs: 450 }

export interface Outcome {
  readonly rows: number
  readonly slips: number
  /** Number of slips that were corrected or voided. */
  readonly changed: number
  readonly days: number
  readonly clientKills: number
  readonly serverKills: number
  readonly detections: readonly string[]
}

type Run = { code: number; out: string; complaint: string }

export async function accept(size: Size, log: (text: string) => void = () => {}): Promise<Outcome> {
  const { folder, env, done } = workbench('acceptance')
  const port = await freePort()
  const db = join(folder, 'world.db')
  const serveAgain = () =>
    served(folder, env, ['--db', db, '--port', String(port), '--seed', '7', '--no-rate-limit', '--quiet'])
  let world: Served = await serveAgain()
  const chance = seededBytes('acceptance')
  const below = (limit: number) => ((chance(2)[0] ?? 0) * 256 + (chance(1)[0] ?? 0)) % limit
  try {
    log(`dealing ${size.rounds} rounds with ${size.players} players over ${size.days} days`)
    await ok(['sim', 'play', ...dealing(size)])
    await ok(['profiles', 'add', 'house', '--environment', 'live', '--from', world.readyFile])
    const { casino } = JSON.parse(readFileSync(world.readyFile, 'utf8'))

    log('an undisturbed run')
    await ok(sync('calm'))
    log(`a run with ${size.clientKills} kills of the client and ${size.serverKills} of the server`)
    let serverKills = 0
    for (let kill = 0; kill < size.clientKills; kill++) {
      const child = start(sync('storm'))
      await setTimeout(150 + below(size.killWithinMs))
      if (kill % Math.ceil(size.clientKills / size.serverKills) === 1 && serverKills < size.serverKills) {
        await world.kill()
        serverKills += 1
        await setTimeout(below(200))
        world = await serveAgain()
        await setTimeout(below(300))
      }
      await ended(child.process, 'SIGKILL')
      await child.end
    }
    await ok(sync('storm'))
    assert.equal(serverKills, size.serverKills, 'the server was killed as often as asked')
    sameFiles(join(folder, 'calm'), join(folder, 'storm'))

    log('an independent walk of the API')
    const walked = await walk(world.baseUrl, casino.live)
    sameRows(walked, rowsOf(join(folder, 'calm')))
    const changed = new Set(walked.filter(({ rev }) => rev > 1).map(({ slipId }) => slipId)).size
    assert(changed >= walked.length / 200, `enough slips were corrected or voided, not only ${changed}`)

    log('every day is reconciled')
    const days = daysOf(walked, casino.timezone)
    for (const day of days) {
      const { code, out } = await run([
        'reconcile',
        'daily',
        day,
        '--book',
        bookOf('calm'),
        '--profile',
        'house',
        '--json',
      ])
      assert.equal(code, 0, `${day}: ${out.slice(0, 2000)}`)
      assert.equal(JSON.parse(out).data.verdict, 'balanced', day)
    }

    log('what was tampered with is found and named')
    const detections = []
    for (const fault of faults) detections.push(await findTampered(fault, walked, days))
    return {
      rows: walked.length,
      slips: new Set(walked.map(({ slipId }) => slipId)).size,
      changed,
      days: days.length,
      clientKills: size.clientKills,
      serverKills,
      detections,
    }
  } finally {
    await world.kill()
    done()
  }

  function bookOf(name: string): string {
    return join(folder, `${name}.book`)
  }

  function sync(name: string, profile = 'house'): string[] {
    return ['bets', 'sync', '--out', join(folder, name), '--book', bookOf(name), '--profile', profile, '--quiet']
  }

  function start(args: readonly string[]): { process: ReturnType<typeof spawn>; end: Promise<Run> } {
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let complaint = ''
    child.stdout.on('data', (text) => {
      out += text
    })
    child.stderr.on('data', (text) => {
      complaint += text
    })
    const end = new Promise<Run>((done) => child.once('close', (code) => done({ code: code ?? -1, out, complaint })))
    return { process: child, end }
  }

  function run(args: readonly string[]): Promise<Run> {
    return start(args).end
  }

  async function ok(args: readonly string[]): Promise<void> {
    const { code, complaint } = await run(args)
    assert.equal(code, 0, `countroom ${args.join(' ')}: ${complaint}`)
  }

  /** Syncs an empty book through a proxy that changes one slip, and reconciles its day with the unchanged platform. */
  async function findTampered(fault: Fault, walked: readonly BetRecord[], days: readonly string[]): Promise<string> {
    const day = days.at(-2) ?? days[0] ?? ''
    const victim = walked.find(
      (record) => record.rev === 1 && dayOf(record.settledAt, 'Asia/Taipei') === day && isAlone(record),
    )
    assert(victim, 'there is a slip to tamper with')
    const proxy = await tampering(world.baseUrl, (items) => fault.change(items, victim))
    try {
      const ready = JSON.parse(readFileSync(world.readyFile, 'utf8'))
      const document = join(folder, `${fault.name}.json`)
      writeFileSync(document, JSON.stringify({ ...ready, baseUrl: proxy.url }))
      await ok(['profiles', 'add', fault.name, '--environment', 'live', '--from', document])
      await ok(sync(fault.name, fault.name))
      const args = ['reconcile', 'daily', day, '--book', bookOf(fault.name), '--profile', 'house', '--json']
      const { code, out } = await run(args)
      assert.equal(code, 9, `${fault.name}: ${out.slice(0, 2000)}`)
      const named = fault.names(victim)
      for (const name of [victim.username, named])
        assert(
          JSON.stringify(JSON.parse(out).data).includes(name),
          `${fault.name} names ${name}: ${out.slice(0, 3000)}`,
        )
      return `${fault.name}: ${named}`
    } finally {
      await proxy.close()
    }
    function isAlone(record: BetRecord): boolean {
      return walked.filter((other) => other.slipId === record.slipId).length === 1
    }
  }
}

function dealing({ rounds, players, days }: Size): string[] {
  // About 120 of 10,000 rounds are changed later: of 3,750 rounds 45, which is about 1,200 slips.
  const shares = rounds >= 1000 ? ['--corrected', '70', '--voided', '50'] : ['--corrected', '600', '--voided', '600']
  return ['--rounds', String(rounds), '--players', String(players), '--days', String(days), ...shares]
}

function sameFiles(calm: string, storm: string): void {
  const names = readdirSync(calm).filter((name) => name.endsWith('.csv'))
  assert.deepEqual(
    readdirSync(storm).filter((name) => name.endsWith('.csv')),
    names,
  )
  assert(names.length > 0, 'there are files')
  const hash = (folder: string, name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  for (const name of names) assert.equal(hash(storm, name), hash(calm, name), `${name} is byte for byte the same`)
}

function rowsOf(folder: string): Record<string, string>[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.csv'))
    .sort()
    .flatMap((name) => parse(readFileSync(join(folder, name)), { columns: true }) as Record<string, string>[])
}

function sameRows(walked: readonly BetRecord[], rows: readonly Record<string, string>[]): void {
  assert.equal(rows.length, walked.length)
  for (const [i, record] of walked.entries()) {
    const row = rows[i] ?? {}
    for (const field of [
      'slipId',
      'username',
      'stake',
      'validStake',
      'payout',
      'winLoss',
      'delta',
      'settledAt',
    ] as const)
      assert.equal(row[field], record[field], `${field} of row ${i + 1}`)
    assert.equal(Number(row['recSeq']), record.recSeq)
    assert.equal(Number(row['rev']), record.rev)
    assert.deepEqual(JSON.parse(row['bets'] ?? ''), record.bets)
  }
}

/** Returns every record, read with only fetch and the document's rules. */
async function walk(baseUrl: string, key: { apiKey: string; secret: string }): Promise<BetRecord[]> {
  const all: BetRecord[] = []
  let query = `from=${encodeURIComponent(new Date(Date.now() - 100 * 86_400_000).toISOString())}`
  for (;;) {
    const url = `/api/tenant/v1/bets?limit=777&${query}`
    const timestamp = String(Math.floor(Date.now() / 1000))
    const nonce = crypto.randomUUID().replaceAll('-', '')
    const signature = signTenantRequest(key.secret, { method: 'GET', url, timestamp, nonce, body: '' })
    const headers = { 'x-api-key': key.apiKey, 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature }
    const { data } = (await (await fetch(baseUrl + url, { headers })).json()) as {
      data: { items: BetRecord[]; nextCursor: string; hasMore: boolean }
    }
    all.push(...data.items)
    if (!data.hasMore) return all
    query = `cursor=${data.nextCursor}`
  }
}

function dayOf(moment: string, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(moment))
}

/** The days on which slips were first settled, without the current day. */
function daysOf(walked: readonly BetRecord[], zone: string): string[] {
  const today = dayOf(new Date().toISOString(), zone)
  const days = new Set(walked.filter((record) => record.rev === 1).map((record) => dayOf(record.settledAt, zone)))
  return [...days].filter((day) => day < today).sort()
}

interface Fault {
  readonly name: string
  readonly change: (items: BetRecord[], victim: BetRecord) => BetRecord[]
  /** The slip that the report must name. */
  readonly names: (victim: BetRecord) => string
}

const extraSlip = '01JZZZZZZZZZZZZZZZZZZZZZZZ'
const isOf = (record: BetRecord, victim: BetRecord) => record.slipId === victim.slipId

const faults: readonly Fault[] = [
  {
    name: 'changed',
    change: (items, victim) =>
      items.map((item) => (isOf(item, victim) ? { ...item, winLoss: '987654.3', payout: '987754.3' } : item)),
    names: (victim) => victim.slipId,
  },
  {
    name: 'missing',
    change: (items, victim) => items.filter((item) => !isOf(item, victim)),
    names: (victim) => victim.slipId,
  },
  {
    name: 'extra',
    change: (items, victim) =>
      items.flatMap((item) => (isOf(item, victim) ? [item, { ...item, slipId: extraSlip }] : [item])),
    names: () => extraSlip,
  },
]

/** A proxy that forwards everything unchanged except the bets. */
async function tampering(target: string, change: (items: BetRecord[]) => BetRecord[]) {
  const server = createServer((request, response) => {
    void relay(request).then(
      ({ status, text }) => response.writeHead(status, { 'content-type': 'application/json' }).end(text),
      () => response.writeHead(502).end(),
    )
  })
  async function relay(request: IncomingMessage) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host, connection, 'transfer-encoding': encoding, 'content-length': length, ...headers } = request.headers
    const body = Buffer.concat(chunks)
    const reply = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    })
    const text = await reply.text()
    if (!request.url?.startsWith('/api/tenant/v1/bets?')) return { status: reply.status, text }
    const page = JSON.parse(text)
    if (page.ok) page.data.items = change(page.data.items)
    return { status: reply.status, text: JSON.stringify(page) }
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

if (process.argv[1] === import.meta.filename) {
  const begun = performance.now()
  const outcome = await accept(process.argv.includes('small') ? small : full, (text) =>
    process.stderr.write(`${text}\n`),
  )
  process.stdout.write(`${JSON.stringify(outcome, null, 2)}\n`)
  process.stderr.write(`accepted in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
}
