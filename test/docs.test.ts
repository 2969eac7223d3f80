import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { program, root, type Served, served, workbench } from './support/processes.ts'

/** What the documents show is tried: every command of the README, in its order, in one empty folder. */

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, kind, name, text]) => ({
  kind,
  name: name ?? '',
  text: text ?? '',
}))
const shown = blocks.filter(({ kind }) => kind === 'sh').flatMap(({ text }) => text.trim().split('\n'))

describe('the README', () => {
  const { folder, env, done } = workbench('readme')
  let world: Served | undefined

  beforeAll(async () => {
    for (const { name, text } of blocks) if (name !== '') writeFileSync(join(folder, name), text)
    // The one command that goes on: shown with its usual port, tried on a free one.
    world = await served(folder, env, ['--ready-file', join(folder, 'ready.json')])
  })
  afterAll(async () => {
    await world?.stop()
    done()
  })

  test('shows serve first, and what else it shows is countroom', () => {
    expect(shown[0]).toBe('countroom serve --ready-file ready.json')
    expect(shown.length).toBeGreaterThan(10)
    for (const line of shown) expect(line).toMatch(/^countroom /)
  })

  for (const line of shown.slice(1)) {
    test(`$ ${line}`, () => {
      // As a shell takes it apart: what is in double quotes is one word.
      const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, bare]) => quoted ?? bare ?? '')
      const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...args], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      expect({ status, complaint: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, complaint: '' })
    })
  }
})

test('every topic says what it is about', () => {
  const { oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folders = readdirSync(join(root, 'commands'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => relative(join(root, 'commands'), join(each.parentPath, each.name)).replaceAll(sep, ':'))
  expect(folders.filter((topic) => !oclif.topics[topic]?.description)).toEqual([])
  expect(Object.keys(oclif.topics).filter((topic) => !folders.includes(topic))).toEqual([])
})

test('the example of the library runs as it stands, and prints what its comments say', () => {
  const { folder, env, done } = workbench('library')
  try {
    const example = blocks.find(({ kind }) => kind === 'js')
    const text = example?.text ?? ''
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/countroom'))
    writeFileSync(join(folder, 'world.mjs'), text)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['world.mjs'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const promised = [...text.matchAll(/console[.]log\(.*\) \/\/ (.*)$/gm)].map(([, words]) => words)
    expect(promised.length).toBeGreaterThan(1)
    expect(stdout.trim().split('\n')).toEqual(promised)
  } finally {
    done()
  }
})

test('links in the documents lead somewhere', () => {
  const documents = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)
  for (const file of ['README.md', 'ARCHITECTURE.md', ...documents]) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g))
      expect(existsSync(join(root, file, '..', target)), `${file} → ${target}`).toBe(true)
  }
})

test('the demo ends well, leaves its files and nothing running', () => {
  const { folder, env, done } = workbench('demo')
  try {
    const args = [program, 'demo', '--out', join(folder, 'demo'), '--json']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
    expect({ status, complaint: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, complaint: '' })
    const { data } = JSON.parse(stdout)
    const shown = data.steps.map(({ command }: { command: string }) => command)
    const promised = [
      ...['launch', 'wallet deposit', 'sim play', 'bets sync', 'reconcile daily', 'payments create', 'ipn replay'],
      ...['tickets triage', 'statements export', 'wallet plan', 'wallet approve', 'wallet apply'],
    ]
    for (const part of promised) expect(shown).toContainEqual(expect.stringContaining(`countroom ${part} `))
    expect(readFileSync(join(folder, 'demo/statements.csv'), 'utf8')).toContain('TOTAL')
    expect(readFileSync(join(folder, 'demo/payday.csv'), 'utf8').match(/,done,/g)).toHaveLength(3)
    expect(existsSync(join(folder, 'demo/bets/manifest.json'))).toBe(true)
    expect(readFileSync(join(folder, 'demo/report.html'), 'utf8')).toContain('<svg')
    // The ready file goes with the served world.
    expect(existsSync(join(folder, 'demo/ready.json'))).toBe(false)
  } finally {
    done()
  }
})
