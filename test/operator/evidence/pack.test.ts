import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { factsPart, tablePart } from '../../../src/operator/evidence/case-page.ts'
import { type Case, EvidencePack, type PackOptions } from '../../../src/operator/evidence/pack.ts'
import { html } from '../../../src/operator/report/html.ts'
import { listPart, nextStepsPart } from '../../../src/operator/report/layout.ts'

const at = Date.parse('2026-03-10T12:00:00.000Z')
const hostile = '<script>alert(1)</script>'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-evidence-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const aPack = (folder: string, over: Partial<PackOptions> = {}) =>
  new EvidencePack({ folder, tool: 'countroom 0.0.0', now: () => at, ...over })

const aCase: Case = {
  subject: { kind: 'break', id: 'daily-1' },
  data: { figures: ['0.10'] },
  page: {
    title: 'Case',
    over: 'Evidence',
    heading: hostile,
    under: 'amy',
    content: [
      factsPart('Facts', { Player: hostile, Nothing: null }),
      listPart('None', []),
      tablePart('Rows', [{ title: 'A' }, { title: 'B', isFigure: true }], [[hostile, null]]),
    ],
  },
}

const exchange = { method: 'GET', path: '/bets?from=x&token=abcdef', outcome: '200', ms: 12, requestId: 'r-1' }
const content = {
  request: {
    method: 'GET',
    path: '/bets?from=x&token=abcdef',
    headers: { 'x-api-key': 'ek_l_AbCd1234', 'x-nonce': 'n1' },
  },
  reply: { status: 200, headers: { 'x-request-id': 'r-1' }, body: '{"ok":true,"amount":1.10,"secret":"s3cr3t"}' },
}

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

test('a pack has the case for people and programs, each request with its response, and the hash of every file', () => {
  const folder = join(aFolder(), 'a', 'case-1')
  const pack = aPack(folder)
  pack.record('casino', exchange, content)
  pack.record(
    'chat',
    { ...exchange, method: 'POST', path: '/a/../b', outcome: 'REMOTE_LOST' },
    {
      request: { method: 'POST', path: '/a/../b', headers: {}, body: Uint8Array.of(0xff) },
      reply: undefined,
    },
  )
  const added = pack.add('files/photo.bin', Uint8Array.of(1, 2, 3))
  expect(existsSync(folder)).toBe(false)
  const written = pack.finish(aCase)
  expect(written).toMatchObject({ folder, calls: 2 })
  expect(readdirSync(join(folder, 'calls')).sort()).toEqual(['0001-casino-GET-bets.json', '0002-chat-POST-a-b.json'])
  const manifest = JSON.parse(read(folder, 'manifest.json'))
  expect(manifest).toMatchObject({
    manifestVersion: 1,
    tool: 'countroom 0.0.0',
    madeAt: '2026-03-10T12:00:00.000Z',
    subject: aCase.subject,
    calls: 2,
  })
  expect(manifest.files.map(({ file }: { file: string }) => file)).toEqual([
    'calls/0001-casino-GET-bets.json',
    'calls/0002-chat-POST-a-b.json',
    'case.html',
    'case.json',
    'files/photo.bin',
  ])
  for (const { file, bytes, sha256 } of manifest.files) {
    const content = readFileSync(join(folder, file))
    expect([file, bytes, sha256]).toEqual([file, content.length, createHash('sha256').update(content).digest('hex')])
  }
  expect(manifest.files).toContainEqual(added)
  expect(JSON.parse(read(folder, 'case.json'))).toMatchObject({ subject: aCase.subject, figures: ['0.10'] })
  expect(JSON.parse(read(folder, 'calls/0001-casino-GET-bets.json'))).toEqual({
    number: 1,
    service: 'casino',
    at: '2026-03-10T12:00:00.000Z',
    ms: 12,
    request: {
      method: 'GET',
      path: '/bets?from=x&token=***',
      headers: { 'x-api-key': 'ek_l_***', 'x-nonce': 'n1' },
      body: null,
    },
    response: {
      status: 200,
      headers: { 'x-request-id': 'r-1' },
      body: '{"ok":true,"amount":1.10,"secret":"***"}',
    },
    failure: null,
  })
  expect(JSON.parse(read(folder, 'calls/0002-chat-POST-a-b.json'))).toMatchObject({
    request: { body: null },
    response: null,
    failure: 'REMOTE_LOST',
  })
  const page = read(folder, 'case.html')
  expect(page).toContain('href="calls/0001-casino-GET-bets.json"')
  expect(page).toContain('&lt;script&gt;')
  expect(page).not.toContain('<script>')
})

test('every text is masked further on request, and no file name has a masked text', () => {
  const folder = join(aFolder(), 'case')
  const pack = aPack(folder, { mask: (text) => text.replaceAll('amy', 'player-1') })
  const path = '/players/amy'
  pack.record(
    'casino',
    { ...exchange, path },
    {
      request: { method: 'PUT', path, headers: { 'x-player': 'amy' }, body: '{"username":"amy"}' },
      reply: { ...content.reply, body: 'amy' },
    },
  )
  const { files } = pack.finish({ ...aCase, data: { player: 'amy' } })
  for (const { file } of files) expect(`${file} ${read(folder, file)}`).not.toContain('amy')
  expect(read(folder, 'case.html')).toContain('player-1')
})

test('an existing folder is used only if it is empty, and a file is never replaced', () => {
  const folder = aFolder()
  const [empty, full, file] = ['empty', 'full', 'file'].map((name) => join(folder, name)) as [string, string, string]
  mkdirSync(empty)
  mkdirSync(full)
  writeFileSync(join(full, 'case.html'), 'mine')
  writeFileSync(file, 'mine')
  expect(() => aPack(full)).toThrow(/is not empty/)
  expect(() => aPack(file)).toThrow(/is a file/)
  expect(() => aPack('')).toThrow(/--out is empty/)
  aPack(empty).finish(aCase)
  expect(readdirSync(empty).sort()).toEqual(['calls', 'case.html', 'case.json', 'manifest.json'])
  expect(readdirSync(folder).sort()).toEqual(['empty', 'file', 'full'])
})

test('a pack that fails leaves no file, and one whose disk failed in the middle is marked as incomplete', () => {
  const folder = aFolder()
  const pack = aPack(join(folder, 'case'))
  pack.record('casino', exchange, content)
  pack.discard()
  expect(readdirSync(folder)).toEqual([])
  pack.record('casino', exchange, content)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  const broken = () => pack.finish(aCase)
  expect(broken).toThrow(/Cannot write/)
})

test('sentences of a page have true minus signs, and the commands of its next steps keep their hyphens', () => {
  const page = html`${listPart('Causes', ['amy has -5 USD'])}${nextStepsPart(['countroom console adjust DEMO amy -5'])}`
  expect(page.text).toContain('amy has \u22125 USD')
  expect(page.text).toContain('countroom console adjust DEMO amy -5')
})
