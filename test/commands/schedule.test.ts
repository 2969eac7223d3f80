import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { aHome, type Home, root, run, runJson } from '../support/program/cli.ts'
import { mistakesIn } from '../support/program/command-line.ts'
import { clearOfMidnight } from '../support/worlds/days.ts'
import { servedBeside } from '../support/worlds/served.ts'

beforeEach(() => clearOfMidnight('Asia/Taipei'))

/** A folder with characters that have a meaning in systemd, cron or a shell. */
const oddFolder = 'a %h $HOME "x" folder'

async function units(home: Home, more: readonly string[] = []) {
  mkdirSync(join(home.folder, 'units'), { recursive: true })
  const result = await runJson(['schedule', 'print', '--systemd', 'units', '--user', 'root', ...more], { home })
  expect(result.code).toBe(0)
  const folder = join(home.folder, 'units')
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, sectionsOf(readFileSync(join(folder, name), 'utf8'))]),
  )
}

/** Parses a unit strictly: sections, keys that systemd knows there, and no other line. */
function sectionsOf(text: string): Record<string, Record<string, string[]>> {
  const known: Readonly<Record<string, readonly string[]>> = {
    Unit: ['Description', 'Wants', 'After'],
    Service: [
      ...['Type', 'User', 'WorkingDirectory', 'Environment', 'ExecStart', 'SuccessExitStatus', 'TimeoutStartSec'],
      ...['NoNewPrivileges', 'PrivateTmp', 'ProtectSystem', 'ReadWritePaths'],
    ],
    Timer: ['OnCalendar', 'Persistent', 'Unit'],
    Install: ['WantedBy'],
  }
  const sections: Record<string, Record<string, string[]>> = {}
  let current = ''
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? []
    if (section !== undefined) {
      expect(Object.keys(known)).toContain(section)
      expect(sections[section]).toBeUndefined()
      current = section
      sections[section] = {}
      continue
    }
    const [, key = '', value = ''] = /^([A-Za-z]+)=(.+)$/.exec(line) ?? []
    expect(known[current], line).toContain(key)
    const values = sections[current] ?? {}
    values[key] = [...(values[key] ?? []), value]
  }
  return sections
}

/** Splits a command line as systemd does: quotes, escapes, and no specifier or variable left. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [, quoted, plain] of line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g))
    words.push(
      (quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1')).replaceAll(
        /%(.)|\$\$/g,
        (both, next) => {
          if (both === '$$') return '$'
          expect(next, `a specifier in ${line}`).toBe('%')
          return '%'
        },
      ),
    )
  return words
}

describe('schedule print --systemd', () => {
  test('writes a service and a timer for each job, with commands that exist', async () => {
    const { home } = await servedBeside()
    mkdirSync(join(home.folder, oddFolder))
    const all = await units(home, ['--folder', oddFolder])
    const services = Object.entries(all).filter(([name]) => name.endsWith('.service'))
    expect(services.length).toBeGreaterThan(4)
    for (const [name, { Unit, Service }] of services) {
      const timer = all[name.replace('.service', '.timer')]
      expect(timer?.['Timer']).toMatchObject({ Unit: [name], Persistent: ['true'] })
      expect(timer?.['Timer']?.['OnCalendar']?.[0]).toMatch(/^(Sun )?\*-\*-\* [0-2]\d:[0-5]\d:00$/)
      expect(timer?.['Install']).toEqual({ WantedBy: ['timers.target'] })
      for (const after of Unit?.['After']?.[0]?.split(' ') ?? [])
        if (after.endsWith('.service')) expect(Object.keys(all)).toContain(after)
      const [node = '', script = '', ...words] = wordsOf(Service?.['ExecStart']?.[0] ?? '')
      expect(statSync(node).isFile()).toBe(true)
      expect(script).toBe(join(root, 'bin', 'run.js'))
      expect(mistakesIn(words, true)).toEqual([])
      expect(words).toEqual(expect.arrayContaining(['--profile', 'local', '--quiet']))
      expect(Service?.['WorkingDirectory']).toEqual([join(home.folder, oddFolder).replaceAll('%', '%%')])
    }
  })

  test('is accepted by systemd-analyze verify', async ({ skip }) => {
    const { status, error } = spawnSync('systemd-analyze', ['--version'])
    if (error || status !== 0) skip('no systemd-analyze on this machine')
    const { home } = await servedBeside()
    await units(home)
    const folder = join(home.folder, 'units')
    const files = readdirSync(folder).map((name) => join(folder, name))
    const verified = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' })
    const ours = verified.stderr.split('\n').filter((line) => line.includes('countroom'))
    expect({ status: verified.status, ours }).toEqual({ status: 0, ours: [] })
  })

  test('overwrites units with --force only', async () => {
    const { home } = await servedBeside()
    await units(home)
    const again = ['schedule', 'print', '--systemd', 'units', '--user', 'root']
    expect((await run(again, { home })).code).toBe(6)
    expect((await run([...again, '--force'], { home })).code).toBe(0)
  })
})

describe('schedule print --cron', () => {
  test('sets the home folder of this shell', async () => {
    const { home } = await servedBeside()
    const mine = join(home.folder, 'one-home')
    const env = { COUNTROOM_HOME: mine, COUNTROOM_DB: join(home.folder, 'world.db') }
    const { stdout, stderr } = await run(['schedule', 'print', '--cron'], { home, env })
    expect(stdout, stderr).toContain(`COUNTROOM_HOME=${mine}`)
  })

  test('prints lines that work on the first night and on the second', async () => {
    const { home } = await servedBeside()
    for (const args of [['sim', 'play', '--rounds', '30', '--players', '3', '--days', '3']])
      expect((await run(args, { home })).code).toBe(0)
    mkdirSync(join(home.folder, oddFolder))
    const { stdout } = await run(['schedule', 'print', '--cron', '--folder', oddFolder], { home })
    const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines.length).toBeGreaterThan(4)
    for (let night = 0; night < 2; night++)
      for (const line of lines) {
        const [, fields, command = ''] = /^((?:\S+ ){5}) (.*)$/.exec(line) ?? []
        expect(fields).toMatch(/^[0-5]?\d ([01]?\d|2[0-3]) \* \* [*0] $/)
        expect(command.replaceAll('\\%', '')).not.toContain('%')
        const { status, stderr, stdout } = spawnSync('/bin/sh', ['-c', command.replaceAll('\\%', '%')], {
          env: { ...home.env, COUNTROOM_DB: join(home.folder, 'world.db'), PATH: '/usr/bin:/bin' },
          encoding: 'utf8',
        })
        expect({ line, status, text: status === 0 ? '' : stderr + stdout }).toEqual({ line, status: 0, text: '' })
      }
    const reports = readdirSync(join(home.folder, oddFolder, 'reports')).map((name) => name.replace(/.*-DEMO-/, ''))
    expect(reports.filter((name) => /^\d{4}-\d\d-\d\d\.html$/.test(name))).toHaveLength(1)
    expect(reports.filter((name) => /^\d{4}-\d\d-\d\d-2\.html$/.test(name))).toHaveLength(1)
    expect(readdirSync(join(home.folder, oddFolder, 'backups'))).toHaveLength(2)
  })

  test('refuses an invalid call', async () => {
    const home = aHome()
    for (const args of [
      [],
      ['--cron', '--systemd', '.'],
      ['--cron', '--at', '25:00'],
      ['--cron', '--folder', 'nowhere'],
    ])
      expect((await run(['schedule', 'print', ...args], { home })).code).toBe(2)
  })
})
