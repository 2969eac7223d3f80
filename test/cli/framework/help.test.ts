import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { candidates } from '../../../src/cli/framework/completion.ts'
import { commandHelp, proseHelp, rootHelp } from '../../../src/cli/framework/help.ts'
import { helpGroups } from '../../../src/cli/framework/help-groups.ts'
import { searchHelp } from '../../../src/cli/framework/help-search.ts'
import type { ProseTopic } from '../../../src/cli/framework/help-topics.ts'
import type { CommandEntry } from '../../../src/cli/framework/manifest.ts'
import { categories } from '../../../src/cli/outcome/exit-codes.ts'
import { pathsOf } from '../../../src/world/config/paths.ts'
import { envelopeOf, root, run } from '../../support/program/cli.ts'
import { programWith } from '../../support/program/command-line.ts'

const flag = (name: string, summary: string, more: object = {}) => ({ name, type: 'option' as const, summary, ...more })
const commands: readonly CommandEntry[] = [
  {
    id: 'wallet:deposit',
    summary: 'Deposit money to a player',
    args: { user: { name: 'user', description: 'Player username', required: true } },
    flags: { txn: flag('txn', 'Transfer ID') },
  },
  {
    id: 'payouts:create',
    summary: 'Create a payout',
    description:
      'Kinds:\n  now    paid out at once, with the fee that the network asks for at that moment\n  later  scheduled',
    args: {},
    flags: { key: flag('key', 'Idempotency key'), hiddenOne: flag('hidden-one', 'Deposit', { hidden: true }) },
  },
  { id: 'deposits:list', summary: 'List them', args: {}, flags: {} },
  { id: 'secret', summary: 'Deposit too', hidden: true, args: {}, flags: {} },
]
const program = programWith(commands, { wallet: 'Money' })
const page = { program, width: 60, paint: (_: unknown, text: string) => text }
const ids = (search: string) => searchHelp(program, search).commands.map(({ command }) => command.id)

describe('help topics with text', () => {
  const lines = (topic: ProseTopic, width: number) => proseHelp({ ...page, width }, topic).split('\n')

  test('list each exit code on a line of its own', () => {
    const codes = Object.values(categories).map(({ exit }) => String(exit))
    const listed = lines('exit-codes', 80).flatMap((line) => /^ {2}(\d+)(?:\/143)? +[a-z-]+ +\S/.exec(line)?.[1] ?? [])
    expect(listed).toEqual(codes)
  })

  test.each([40, 60, 80])('fit into %i columns and lose no word', (width) => {
    for (const topic of ['exit-codes', 'environment', 'files'] as const) {
      const narrow = lines(topic, width)
      expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(narrow.join(' ').split(/\s+/)).toEqual(lines(topic, 500).join(' ').split(/\s+/))
    }
  })
})

describe('a search of the help', () => {
  test('lists names first, then summaries, then flags, and no hidden ones', () => {
    expect(ids('DEPOSIT')).toEqual(['deposits:list', 'wallet:deposit'])
    expect(ids('player')).toEqual(['wallet:deposit'])
    expect(ids('network')).toEqual(['payouts:create'])
    expect(ids('')).toEqual([])
  })

  test('shows the matching flags; every word must match', () => {
    expect(searchHelp(program, 'idempotency').commands).toMatchObject([{ flags: [{ name: 'key' }] }])
    expect(ids('deposit money')).toEqual(['wallet:deposit'])
    expect(ids('deposit payout')).toEqual([])
    expect(searchHelp(program, 'exit-codes').topics).toEqual(['exit-codes'])
  })

  test('prints command lines and flags, and exits with 5 if nothing matches', async () => {
    expect((await run(['help', '--search', 'day boundary'])).stdout).toContain('countroom reconcile daily')
    const { code, stdout } = await run(['help', '--search', 'confirm-total'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^countroom wallet deposit USER AMOUNT CURRENCY/m)
    expect(stdout).toMatch(/^ {4}--confirm-total AMOUNT:CURRENCY/m)
    expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true)
    const none = await run(['help', '--search', 'nosuchword', '--json'])
    expect(none.code).toBe(5)
    expect(envelopeOf(none).error).toMatchObject({ code: 'NOT_FOUND', category: 'not-found' })
    expect((await run(['help', '--search'])).code).toBe(2)
  })

  test('returns commands with their usage and flags with --json', async () => {
    const result = await run(['help', '--search=confirm-total', '--json'])
    expect(result.code).toBe(0)
    const { search, commands: matches } = envelopeOf(result).data as { search: string; commands: { command: string }[] }
    expect(search).toBe('confirm-total')
    expect(matches.find(({ command }) => command === 'wallet deposit')).toMatchObject({
      usage: expect.stringContaining('countroom wallet deposit USER AMOUNT CURRENCY'),
      flags: [{ flag: '--confirm-total AMOUNT:CURRENCY', summary: expect.any(String) }],
    })
  })

  test('is completed after help', async () => {
    const words = async (...line: string[]) =>
      (await candidates(program, pathsOf({}), line, async () => [])).map(({ word }) => word)
    expect(await words('help', '--')).toEqual(['--search'])
    expect(await words('help', '--search', '')).toEqual([])
    expect(await words('help', 'wal')).toEqual(['wallet'])
  })
})

test('the top-level help has every topic and command in exactly one group', () => {
  // A command and a topic may have the same name: `serve` and `serve exec`.
  const names = [...new Set(readdirSync(join(root, 'commands')).map((name) => name.replace(/\.ts$/, '')))]
  expect(helpGroups.flatMap(({ words }) => words).toSorted()).toEqual(names.toSorted())
})

test('the top-level help lists groups in their order, and words without a group under OTHER', () => {
  const text = rootHelp(page)
  expect([...text.matchAll(/^([A-Z ]+)$/gm)].map(([, title]) => title)).toEqual([
    'USAGE',
    'MONEY',
    'CRYPTO',
    'OTHER',
    'MORE HELP',
  ])
  expect(text).toMatch(/^OTHER\n {2}deposits$/m)
  expect(text).not.toContain('secret')
})

test('a list in a description keeps its columns', () => {
  const text = commandHelp(page, commands[1] as CommandEntry)
  expect(text).toContain(
    '  Kinds:\n    now    paid out at once, with the fee that the network\n           asks for at that moment\n    later  scheduled\n',
  )
})

test('flags have their limits and default in one pair of brackets, required ones first and shared ones last', () => {
  const entry: CommandEntry = {
    id: 'payouts:list',
    args: {},
    flags: {
      'dry-run': { name: 'dry-run', type: 'boolean', summary: 'Validate only' },
      csv: { name: 'csv', type: 'boolean', summary: 'Print the table as CSV' },
      book: flag('book', 'Book', { helpValue: 'PATH' }),
      limit: flag('limit', 'Maximum number of results', { helpValue: 'N', default: 100, min: 1, max: 10_000 }),
      attempts: flag('attempts', 'Maximum number of attempts (default: 5)', { helpValue: 'N', min: 1, max: 99 }),
      to: flag('to', 'Address to pay to', { required: true }),
    },
  }
  const text = commandHelp({ ...page, width: 100 }, entry)
  expect(text).toContain(
    '$ countroom payouts list --to TO [--limit N] [--attempts N] [--book PATH] [--dry-run] [--csv]\n',
  )
  expect(text).toContain(
    [
      '  --to TO       Address to pay to (required)',
      '  --limit N     Maximum number of results (default 100; 1 to 10,000)',
      '  --attempts N  Maximum number of attempts (default: 5; 1 to 99)',
      '  --book PATH   Book',
      '  --dry-run     Validate only',
      '  --csv         Print the table as CSV\n',
    ].join('\n'),
  )
  // The --csv of a reconciliation names a file.
  const toFile = { ...entry, flags: { ...entry.flags, csv: flag('csv', 'CSV file to write', { helpValue: 'FILE' }) } }
  expect(commandHelp({ ...page, width: 100 }, toFile)).toContain('--to TO [--csv FILE] [--limit N]')
})

test('a usage line breaks between its parts, values are named where the form does not, and examples stay apart', () => {
  const text = commandHelp(page, {
    id: 'coins:set',
    summary: 'Enable or disable a coin',
    examples: [{ command: 'countroom coins set btc off', description: 'Disable a coin' }, 'countroom coins set eth on'],
    args: {
      coin: { name: 'coin', description: 'Coin code', required: true },
      state: { name: 'state', description: 'New state', required: true, options: ['on', 'off'] },
    },
    flags: {
      since: flag('since', 'Start', { helpValue: 'ISO|DURATION' }),
      scope: flag('scope', 'Scope', { options: ['live', 'sandbox'] }),
      kind: flag('kind', 'Kind', { helpValue: 'KIND', options: ['a', 'b', 'c'] }),
    },
  })
  expect(text).toContain(
    '  $ countroom coins set COIN STATE [--since ISO|DURATION]\n     [--scope live|sandbox] [--kind KIND]\n',
  )
  expect(text).toMatch(/ STATE +New state \(on or off; required\)\n/)
  expect(text).toMatch(/ --scope live[|]sandbox +Scope\n/)
  expect(text).toMatch(/ --kind KIND +Kind \(a, b or c\)\n/)
  expect(text).toContain('  Disable a coin\n    $ countroom coins set btc off\n\n    $ countroom coins set eth on\n')
})

test('limits of whole numbers are in the manifest', () => {
  const { commands: all } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, CommandEntry>
  }
  expect(all['wallet:apply']?.flags['concurrency']).toMatchObject({ min: 1, max: 64 })
  expect(all['serve']?.flags['port']).toMatchObject({ min: 0, max: 65_535 })
})

test('summaries fit a line of 80 columns with their command, and no help line but an example is wider', () => {
  const { commands: all } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, CommandEntry>
  }
  const entries = Object.values(all)
  const wide = { program: programWith(entries), width: 80, paint: (_: unknown, text: string) => text }
  for (const entry of entries) {
    expect(entry.summary?.length, entry.id).toBeLessThanOrEqual(80)
    const tooWide = commandHelp(wide, entry)
      .split('\n')
      .filter((line) => line.length > 80 && !/^ {4}\$ /.test(line))
    expect(tooWide, entry.id).toEqual([])
  }
})

test('the top-level help lists each word once, also one that is a command and a topic', async () => {
  const { stdout } = await run(['--help'])
  const words = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, word]) => word)
  expect(words).toContain('serve')
  expect(words).toEqual([...new Set(words)])
})
