import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CountroomCommand } from '../../src/cli/command.ts'
import { categories } from '../../src/cli/exit.ts'
import { findCommand } from '../../src/cli/find.ts'
import type { CommandEntry } from '../../src/cli/manifest.ts'
import { aHome, classOf, commands, envelopeOf, type Home, run } from '../support/cli.ts'

/** Every command there is, against every wrong way to call it that needs no service: a new command is held to it by being there. */

/** A secret in every place a run could take one from. None of them may come out anywhere. */
const secret = 'ek_s_matrixSecret0123456789'

interface Wrong {
  readonly name: string
  readonly code: number
  /** The words after the command; nothing where the command cannot be called wrongly in this way. */
  words(command: CommandEntry): readonly string[] | undefined
  prepare?(home: Home): void
  readonly env?: Readonly<Record<string, string>>
}

const required = (command: CommandEntry) => Object.values(command.args).filter((arg) => arg.required)
const right = (command: CommandEntry) => [
  ...required(command).map(({ options }) => options?.[0] ?? 'x'),
  ...Object.values(command.flags).flatMap((flag) =>
    flag.required ? [`--${flag.name}`, ...(flag.type === 'option' ? [flag.options?.[0] ?? 'x'] : [])] : [],
  ),
]

/** What depends on the command's own arguments: every command is called in each of these ways. */
const ownWays: readonly Wrong[] = [
  { name: 'an unknown flag', code: 2, words: (command) => [...right(command), '--no-such-flag', secret] },
  { name: 'a key as a flag', code: 2, words: (command) => [...right(command), `--api-key=${secret}`] },
  { name: 'a missing argument', code: 2, words: (command) => (required(command).length === 0 ? undefined : []) },
  {
    name: 'an argument too many',
    code: 2,
    words: (command) =>
      Object.values(command.args).some(({ multiple }) => multiple)
        ? undefined
        : [...right(command), ...Array.from({ length: Object.keys(command.args).length + 1 }, () => 'extra')],
  },
]

/** What is decided before the command's own code, alike for all: each command is called in some of these, so that all of them are met. */
const sharedWays: readonly Wrong[] = [
  { name: 'a flag without its value', code: 2, words: (command) => [...right(command), '--profile'] },
  { name: 'a profile that is not there', code: 5, words: (command) => [...right(command), '--profile', 'nowhere'] },
  {
    name: 'a profile that others can read',
    code: 78,
    words: (command) => [...right(command), '--profile', 'open'],
    prepare: (home) => home.write('config/countroom/profiles/open.json', `{"kind":"local","db":"${secret}"}`, 0o644),
  },
  {
    name: 'a profile with an unknown key',
    code: 78,
    words: (command) => [...right(command), '--profile', 'odd'],
    prepare: (home) =>
      home.write('config/countroom/profiles/odd.json', `{"kind":"local","db":"x","sceret":"${secret}"}`),
  },
  {
    name: 'a settings file that is not JSON',
    code: 78,
    words: right,
    prepare: (home) => home.write('config/countroom/config.json', `{"profile": ${secret}`),
  },
  {
    name: 'a settings file with an unknown key',
    code: 78,
    words: right,
    prepare: (home) => home.write('config/countroom/config.json', `{"profil": "${secret}"}`),
  },
  {
    name: 'a settings file that cannot be read',
    code: 78,
    words: right,
    prepare: (home) => mkdirSync(join(home.config, 'config.json'), { recursive: true }),
  },
  {
    name: 'a project file with an unknown key',
    code: 78,
    words: right,
    prepare: (home) => home.write('countroom.json', '{"bokk":"x"}'),
  },
  { name: 'a variable with an impossible value', code: 78, words: right, env: { COUNTROOM_LOG_LEVEL: 'shout' } },
]

const each = 3
const waysOf = (index: number): readonly Wrong[] => [
  ...ownWays,
  ...Array.from({ length: each }, (_, i) => sharedWays[(index * each + i) % sharedWays.length]).filter(
    (way) => way !== undefined,
  ),
]

describe.each(commands.map((command, index) => [command.id.replaceAll(':', ' '), command, waysOf(index)] as const))(
  '%s',
  (words, command, ways) => {
    test.concurrent.each(ways.map((way) => [way.name, way] as const))(
      'called with %s ends alike with and without --json',
      async (_name, way) => {
        const rest = way.words(command)
        if (rest === undefined) return
        const args = [...words.split(' '), ...rest]
        const called = async (extra: string[]) => {
          const home = aHome()
          way.prepare?.(home)
          return run([...words.split(' '), ...extra, ...rest], { home, env: way.env ?? {} })
        }
        const [people, programs] = await Promise.all([called([]), called(['--json'])])
        expect([people.code, programs.code], args.join(' ')).toEqual([way.code, way.code])
        expect(people.stdout).toBe('')
        expect(people.stderr).toMatch(/^Error: /)
        const output = envelopeOf(programs)
        expect(Object.keys(output)).toEqual(['schemaVersion', 'command', 'status', 'data', 'warnings', 'error'])
        expect(output).toMatchObject({ schemaVersion: 1, command: words, status: 'error', data: null })
        expect(categories[output.error.category as keyof typeof categories].exit).toBe(way.code)
        for (const text of [people.stderr, programs.stdout, programs.stderr]) {
          expect(text).not.toContain('matrixSecret')
          expect(text).not.toMatch(/\n +at /)
        }
      },
    )

    test('describes itself: a summary, examples that name it, a schema, the ends it can come to', async () => {
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/)
      const examples = (command.examples ?? []).map((example) =>
        typeof example === 'string' ? example : example.command,
      )
      expect(examples.length).toBeGreaterThan(0)
      expect(examples.some((example) => example.includes(`countroom ${words}`))).toBe(true)
      for (const name of command.exits ?? []) expect(Object.keys(categories)).toContain(name)
      const loaded = await classOf(command.id)
      expect(loaded.prototype).toBeInstanceOf(CountroomCommand)
      expect(await loaded.data?.()).toBeDefined()
    })

    test('has --dry-run when it writes, and takes no secret as the value of a flag', () => {
      if (command.writes) expect(Object.keys(command.flags)).toContain('dry-run')
      const taking = Object.values(command.flags).filter(
        ({ type, name }) => type === 'option' && /secret|password|token|api-?key/i.test(name),
      )
      for (const { name } of taking) expect(name).toMatch(/-file$/)
    })

    test('has help by -h, --help and help, with its exit codes', async () => {
      const pages = await Promise.all([
        run([...words.split(' '), '-h']),
        run([...words.split(' '), '--help']),
        run(['help', ...words.split(' ')]),
      ])
      for (const page of pages) expect(page).toEqual({ ...pages[0], code: 0, stderr: '' })
      const text = pages[0]?.stdout ?? ''
      expect(text.indexOf('EXAMPLES')).toBeLessThan(text.indexOf('USAGE'))
      expect(text).toMatch(/EXIT CODES[\s\S]*ENVIRONMENT[\s\S]*FILES/)
    })
  },
)

test('every command line shown in an example is one the program knows', () => {
  const program = { root: '', version: '', topics: {}, commands }
  const lines = commands.flatMap(({ examples = [] }) =>
    examples.map((example) => (typeof example === 'string' ? example : example.command)),
  )
  for (const line of lines) {
    const [, call] = /countroom ([^|)>]*)/.exec(line) ?? []
    expect(findCommand(program, (call ?? '').trim().split(' ')), line).toMatchObject({ kind: 'command' })
  }
})

test.each([
  [['walet', 'depsit', 'amy', '100', 'USD'], 'walet depsit amy'],
  [['profiles', 'lst'], 'profiles lst'],
])('an unknown command runs nothing and ends in 127: %j', async (words) => {
  const home = aHome()
  const people = await run(words, { home })
  const programs = await run([...words, '--json'], { home })
  expect([people.code, programs.code, people.stdout]).toEqual([127, 127, ''])
  expect(envelopeOf(programs).error).toMatchObject({ code: 'UNKNOWN_COMMAND', category: 'unknown-command' })
  expect(existsSync(home.config)).toBe(false)
})
