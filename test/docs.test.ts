import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { categories } from '../src/cli/outcome/exit-codes.ts'
import { commandOf, commands, isTopic, mistakesIn } from './support/program/command-line.ts'
import { blocksOf, cronCommands, linesOf, readDocument, shim } from './support/program/guide.ts'
import { program, root, served, workbench } from './support/program/processes.ts'

/** Checks the documents without running their commands; test/docs runs the commands of the README and of each guide. */

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress'))
    .map((name) => join('docs', name)),
].sort()
const isGenerated = (path: string) => path.startsWith(`docs${sep}reference${sep}`)
const guides = [
  'README.md',
  ...[
    'operators',
    'month-end',
    'cron',
    'money',
    'payments',
    'tickets-and-chat',
    'developers',
    'postgresql',
    'team',
  ].map((name) => `docs/${name}.md`),
]
const examplesOf = (path: string) => blocksOf(readDocument(path))

test('the README has at most 200 lines and links to every guide', () => {
  const readme = readDocument('README.md')
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200)
  for (const guide of guides.slice(1)) expect(readme).toContain(`(${guide})`)
})

describe.each(guides)('%s', (path) => {
  test('has a test that runs its commands', () => {
    const name = path === 'README.md' ? 'readme' : path.replace(/^docs\/|\.md$/g, '')
    expect(readFileSync(join(root, `test/docs/${name}.test.ts`), 'utf8')).toContain(`testGuide('${path}'`)
  })

  test('shows commands only in blocks that are run', () => {
    // In `ini` a unit has the commands of the crontab above it. `text` and `csv` contain no commands.
    const stray = examplesOf(path)
      .filter(({ kind }) => !['sh', 'crontab', 'console', 'ini'].includes(kind))
      .filter(({ text }) => /^(\$ )?(npx )?countroom /m.test(text))
    expect(stray).toEqual([])
  })

  test('shows existing commands, with flags that they have', () => {
    const lines = examplesOf(path).flatMap(({ kind, text }) => {
      if (kind === 'sh') return linesOf(text)
      if (kind === 'crontab') return cronCommands(text)
      if (kind === 'ini') return [...text.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = '']) => line)
      return []
    })
    const shown = lines.flatMap((line) => [...line.matchAll(/\bcountroom ((?:"[^"]*"|[^&|>#])+)/g)])
    expect(shown.flatMap(([, text = '']) => mistakesIn(wordsOf(text), true))).toEqual([])
  })
})

test('every command and flag in running text exists', () => {
  const prose = documents.filter((path) => !isGenerated(path))
  const mistakes = prose.flatMap((path) => {
    const text = readDocument(path).replaceAll(/^```[\s\S]*?^```$/gm, '')
    return [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => {
      const words = wordsOf(code.replace(/^(npx )?countroom /, ''))
      const isCommand = /^countroom [a-z]/.test(code) || (commandOf(words)?.id.includes(':') && words.length > 1)
      return isCommand && !isTopic(words) ? mistakesIn(words, false).map((mistake) => `${path}: ${mistake}`) : []
    })
  })
  expect(mistakes).toEqual([])
})

test('every example in the help of a command is complete', () => {
  const examples = commands.flatMap(({ examples = [] }) =>
    examples.map((example) => (typeof example === 'string' ? example : example.command)),
  )
  const shown = examples.flatMap((line) => [...line.matchAll(/\bcountroom ((?:"[^"]*"|'[^']*'|[^|<>])+)/g)])
  expect(shown.length).toBeGreaterThan(commands.length)
  expect(shown.flatMap(([, text = '']) => mistakesIn(wordsOf(text), true))).toEqual([])
})

/** Returns the words of a command line; quoted text is one word. */
function wordsOf(text: string): string[] {
  return [...text.trim().matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word)
}

test('the tables of exit codes are complete', () => {
  const codes = Object.values(categories).map(({ exit }) => (exit === 130 ? '130, 143' : String(exit)))
  for (const path of ['README.md', 'docs/cron.md']) {
    const listed = [...readDocument(path).matchAll(/^\| (\d+(?:, \d+)?) \|/gm)].map(([, code]) => code)
    expect(listed, path).toEqual(codes)
  }
})

test('every topic has a description', () => {
  const { oclif } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folders = readdirSync(join(root, 'commands'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => relative(join(root, 'commands'), join(each.parentPath, each.name)).replaceAll(sep, ':'))
  expect(folders.filter((topic) => !oclif.topics[topic]?.description)).toEqual([])
  expect(Object.keys(oclif.topics).filter((topic) => !folders.includes(topic))).toEqual([])
})

test('the example of the library runs unchanged, and prints what its comments say', () => {
  const { folder, env, done } = workbench('library')
  try {
    const example = examplesOf('docs/developers.md').find(({ kind }) => kind === 'js')
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

test('links in the documents lead to an existing file and heading', () => {
  const broken = documents.flatMap((path) => {
    // Text in code is no link.
    const text = readDocument(path).replaceAll(/^```[\s\S]*?^```$|`[^`\n]*`/gm, '')
    return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, target = '', anchor]) => {
      const file = target === '' ? path : relative(root, resolve(root, path, '..', target))
      if (!existsSync(join(root, file))) return [`${path} → ${target}: no such file`]
      if (anchor === undefined || !statSync(join(root, file)).isFile()) return []
      return anchorsOf(file).has(anchor) ? [] : [`${path} → ${target}#${anchor}: no such heading`]
    })
  })
  expect(broken).toEqual([])
})

const anchors = new Map<string, ReadonlySet<string>>()

/** Returns the anchors of a document's headings, in the format of GitHub and the site. */
function anchorsOf(path: string): ReadonlySet<string> {
  const kept = anchors.get(path)
  if (kept) return kept
  const text = readDocument(path).replaceAll(/^```[\s\S]*?^```$/gm, '')
  const made = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s+/g, '-'),
  )
  const set = new Set(made)
  anchors.set(path, set)
  return set
}

test('the demo shows the announced cases, and its last lines can be pasted', async () => {
  const { folder, env, done } = workbench('demo')
  const out = join(folder, 'demo')
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'demo', '--out', out, '--json'], {
      env,
      encoding: 'utf8',
    })
    expect({ status, complaint: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, complaint: '' })
    const { data } = JSON.parse(stdout)
    const steps: { command: string; exit: number; told: string }[] = data.steps
    const promised = [
      ...['launch', 'wallet deposit', 'sim play', 'bets sync', 'reconcile daily', 'payments create', 'ipn replay'],
      ...['tickets triage', 'statements export', 'wallet plan', 'wallet approve', 'wallet apply', 'sim scenario run'],
    ]
    for (const part of promised)
      expect(steps.map(({ command }) => command)).toContainEqual(expect.stringContaining(`countroom ${part} `))
    const ends = (part: string) =>
      steps.filter(({ command }) => command.startsWith(`countroom ${part} `)).map(({ exit, told }) => [exit, told])
    // A lost response that is resolved.
    expect(ends('wallet deposit')).toEqual([
      [0, 'demo-1 done after 2 attempts, balance 10250.5'],
      [0, 'duplicate true, balance 10250.5'],
    ])
    // A correction after a day was signed off, and the break explained to its slip.
    expect(ends('reconcile periods close')).toEqual([[0, expect.stringMatching(/^2026-03-05 is closed, by ./)]])
    expect(ends('reconcile periods approve')).toEqual([[0, '2026-03-05 is approved, by beth']])
    expect(ends('reconcile periods show')).toEqual([[9, '2026-03-05 is restated, 2 open breaks (exit 9)']])
    expect(ends('reconcile daily')).toEqual([
      [0, '2026-03-05 is balanced'],
      [9, expect.stringContaining('differences')],
    ])
    expect(ends('reconcile restated')).toEqual([
      [9, '2026-03-05: amy -140 (exit 9)'],
      [0, 'accepted'],
    ])
    expect(ends('reconcile explain')).toEqual([[0, expect.stringMatching(/^slip [0-9A-Z]{26}, revision 2: -140$/)]])
    // A lost callback that is delivered later.
    expect(ends('ipn list')).toEqual([[0, 'waiting, confirming, confirmed; "finished" is missing']])
    expect(ends('ipn heal')).toEqual([[0, 'finished healed']])
    expect(ends('reconcile payments')).toEqual([[0, 'balanced']])

    expect(readFileSync(join(out, 'statements.csv'), 'utf8')).toContain('TOTAL')
    expect(readFileSync(join(out, 'payday.csv'), 'utf8').match(/,done,/g)).toHaveLength(3)
    expect(existsSync(join(out, 'bets/manifest.json'))).toBe(true)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<svg')
    // The ready file is removed with the served world.
    expect(existsSync(join(out, 'ready.json'))).toBe(false)

    const next: string[] = data.next
    const pasted = spawnSync('sh', ['-e'], {
      input: next.slice(0, -1).join('\n'),
      env: { ...env, PATH: `${shim(join(folder, 'bin'))}:${env['PATH']}` },
      encoding: 'utf8',
    })
    expect([pasted.status, pasted.stdout]).toEqual([
      0,
      expect.stringMatching(/amy -140 USD[\s\S]*demo-1[\s\S]*bets-2026-03[.]csv/),
    ])
    expect(next.at(-1)).toBe(`countroom serve --db ${join(out, 'world.db')}`)
    const world = await served(folder, env, ['--db', join(out, 'world.db')])
    await world.stop()
  } finally {
    done()
  }
})
