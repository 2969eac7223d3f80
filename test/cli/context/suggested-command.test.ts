import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  commandCompleter,
  confirmingCommand,
  suggestionsFor,
  withListCommand,
} from '../../../src/cli/context/suggested-command.ts'
import { loadProgram, wordsOf } from '../../../src/cli/framework/manifest.ts'
import { Problem } from '../../../src/kit/problem.ts'
import type { Config } from '../../../src/world/config/config.ts'
import { root, run, runJson } from '../../support/program/cli.ts'
import { mistakesIn } from '../../support/program/command-line.ts'
import { placeholders } from '../../support/program/printed-commands.ts'
import { localHome } from '../../support/worlds/served.ts'

const { commands } = await loadProgram(root, false)
const house = { profile: 'house', book: '/books/my book.db' }
const completed = (text: string, running = 'bets:show', target: Parameters<typeof commandCompleter>[2] = house) =>
  commandCompleter(commands, running, target)(text)

describe('a suggested command', () => {
  test('gets the profile and the book of the run, if it has these flags', () => {
    expect(completed('Not there. Run first: countroom bets sync --out bets')).toBe(
      "Not there. Run first: countroom bets sync --profile house --book '/books/my book.db' --out bets",
    )
    expect(completed('It is locked: countroom players unlock amy')).toBe(
      'It is locked: countroom players unlock --profile house amy',
    )
    expect(completed('To list them: "countroom wallet plans".')).toBe(
      `To list them: "countroom wallet plans --profile house --book '/books/my book.db'".`,
    )
  })

  test('keeps the flags that it has', () => {
    const own = 'countroom bets sync --out bets --book NEW --profile other'
    expect(completed(own)).toBe(own)
    expect(completed('countroom bets sync --book NEW --out bets, then run: countroom reconcile daily 2026-03-01')).toBe(
      "countroom bets sync --profile house --book NEW --out bets, then run: countroom reconcile daily --profile house --book '/books/my book.db' 2026-03-01",
    )
  })

  test('is unchanged without a named profile, and for commands that take no profile', () => {
    const text = 'countroom bets sync --out bets'
    expect(completed(text, 'bets:show', { profile: undefined, book: undefined })).toBe(text)
    for (const other of ['countroom profiles list', 'countroom serve', 'countroom 0.1.0', 'countroom nonsense here'])
      expect(completed(other)).toBe(other)
  })

  test('of the world gets a profile only from a command of the world, because it must be local', () => {
    const text = 'countroom console webhooks show DEMO'
    expect(completed(text, 'webhooks:list')).toBe(text)
    expect(completed(text, 'console:webhooks:enable')).toBe('countroom console webhooks show --profile house DEMO')
  })
})

test('a book whose address has a password is named by its variable, so that the command can be pasted and prints no secret', async () => {
  const home = await localHome()
  const address = 'postgres://ops:hunter2@127.0.0.1:1/book'
  for (const [args, env] of [
    [['--book', address], {}],
    [[], { COUNTROOM_BOOK: address }],
  ] as const) {
    const { stderr } = await run(['bets', 'status', ...args], { home, env })
    const { error } = await runJson(['audit', 'verify', ...args], { home, env })
    expect(`${stderr}${JSON.stringify(error)}`).not.toContain('hunter2')
  }
  const target = { profile: 'house', book: '"$COUNTROOM_BOOK"' }
  expect(completed('To list them: countroom wallet plans', 'bets:show', target)).toBe(
    'To list them: countroom wallet plans --profile house --book "$COUNTROOM_BOOK"',
  )
  const settings = { sources: { profile: { from: 'default' }, book: { from: 'flag' } }, settings: { book: address } }
  const { complete, notes } = suggestionsFor(commands, 'bets:show', settings as unknown as Config)
  expect(notes()).toEqual([])
  expect(complete('Run: countroom wallet plans')).toBe('Run: countroom wallet plans --book "$COUNTROOM_BOOK"')
  expect(notes()).toEqual([expect.stringContaining('export the address as COUNTROOM_BOOK')])
  for (const argv of [['--book', address], [`--book=${address}`]])
    expect(confirmingCommand('wallet apply', argv, '--yes')).toMatch(
      /^countroom wallet apply --book[ =]"\$COUNTROOM_BOOK" --yes$/,
    )
})

test('messages for people and for programs suggest commands for the profile and book of the run', async () => {
  const home = await localHome()
  await run(['players', 'lock', 'amy', '--yes'], { home })
  const launch = ['launch', 'amy', '--profile', 'local']
  const unlock = 'amy is locked. Unlock first: countroom players unlock --profile local amy'
  expect((await run(launch, { home })).stderr).toContain(`${unlock} (PLAYER_LOCKED)`)
  expect((await runJson(launch, { home })).error.message).toBe(unlock)

  const book = `${home.folder}/of last year.db`
  const here = ['--profile', 'local', '--book', book]
  expect((await run(['bets', 'sync', '--out', `${home.folder}/bets`, ...here], { home })).code).toBe(0)
  const { data } = await runJson(['reconcile', 'daily', 'today', ...here], { home })
  const target = `--profile local --book '${book}'`
  expect(data['next']).toContain(
    `Wait for the end of the day, sync, then run: countroom reconcile daily ${target} ${data['date']}`,
  )
})

/** Returns the commands that the sources suggest, as far as their text is literal. */
function suggestions(): { file: string; words: string; rest: string }[] {
  const files = ['src', 'commands'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  return (
    files
      // Completion scripts name their shell in lower case.
      .filter((name) => name.endsWith('.ts') && !name.endsWith('/completion-scripts.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8')
        return [
          ...text.matchAll(/(?:: |[Rr]un |(?:[Rr]un|try) ")countroom ([a-z][a-z-]*(?: [a-z][a-z-]*)*)([^\n]*)/g),
        ].flatMap(([, words = '', rest = '']) => ({ file, words, rest }))
      })
  )
}

describe('the commands suggested in messages', () => {
  const suggestedCommands = suggestions()

  test('exist, and name their required arguments and flags', () => {
    expect(suggestedCommands.length).toBeGreaterThan(40)
    const wrong = suggestedCommands.flatMap(({ file, words, rest }) => {
      const parts = words.split(' ')
      const command = parts
        .map((_, i) => parts.slice(0, parts.length - i).join(' '))
        .map((typed) => commands.get(typed.replaceAll(' ', ':')))
        .find((entry) => entry !== undefined)
      if (parts[0] === 'help') return mistakesIn(parts, true).map((mistake) => `${file}: ${mistake}`)
      if (command === undefined) return [`${file}: no command "${words}"`]
      const flags = Object.values(command.flags).filter(({ required, name }) => required && !rest.includes(`--${name}`))
      const args = Object.values(command.args).filter(({ required }) => required)
      const typed = parts.slice(wordsOf(command.id).split(' ').length)
      const given = rest.split(/ --|['`]|"(?!\$)/)[0]?.match(/\$\{|\b[A-Z0-9]\w*|…/g) ?? []
      const missing = [
        ...flags.map(({ name }) => `--${name}`),
        ...args.slice(typed.length + given.length).map(({ name }) => name),
      ]
      return missing.length === 0 ? [] : [`${file}: countroom ${wordsOf(command.id)} lacks ${missing.join(', ')}`]
    })
    expect(wrong).toEqual([])
  })

  test('have no placeholder, except in help', () => {
    const wrong = suggestedCommands.filter(({ file, rest }) => {
      const command = rest.split(/["'`]/)[0] ?? ''
      return file.startsWith('src/') && (command.match(/[A-Z_]+/g) ?? []).some((word) => placeholders.has(word))
    })
    expect(wrong).toEqual([])
  })
})

describe('the command that confirms', () => {
  test('is the typed one, with the confirmation in place of an incomplete one', () => {
    const total = '--yes --confirm-total 10:USD'
    expect(confirmingCommand('wallet deposit', ['amy', '10', 'USD', '--yes', '--profile', 'house'], total)).toBe(
      `countroom wallet deposit amy 10 USD --profile house ${total}`,
    )
    expect(
      confirmingCommand('wallet approve', ['b 1', '--confirm-total', '9:USD', '--confirm-total=1:EUR'], total),
    ).toBe(`countroom wallet approve 'b 1' ${total}`)
    expect(confirmingCommand('tables disable', ['--', '-T'], '--yes')).toBe('countroom tables disable --yes -- -T')
  })
})

describe('an object that is not found', () => {
  const messageOf = (id: string, message: string) =>
    withListCommand(new Problem('NOT_FOUND', message), id, commands).message

  test('is reported with the command that lists its kind', () => {
    expect(messageOf('payments:show', 'There is no payment 123')).toBe(
      'There is no payment 123. To list payments: countroom payments list',
    )
    expect(messageOf('tickets:status', 'There is no ticket 99')).toContain('To list tickets: countroom tickets list')
  })

  test('is reported unchanged if no command lists its kind, or if the message names a command', () => {
    expect(messageOf('media:show', 'There is no file 1')).toBe('There is no file 1')
    expect(messageOf('payments:create', 'There is no coin x')).toBe('There is no coin x')
    const named = 'There is no payment 1. Run: countroom doctor'
    expect(messageOf('payments:show', named)).toBe(named)
  })
})
