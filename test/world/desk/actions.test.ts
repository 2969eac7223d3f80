import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isProblem } from '../../../src/kit/problem.ts'
import { ensureDemoWorld } from '../../../src/world/demo-data.ts'
import { type CommandForm, commandText } from '../../../src/world/desk/actions/command-form.ts'
import { type ActionName, actionCatalog, deskActions, runAction } from '../../../src/world/desk/actions/index.ts'
import { deskRoutes } from '../../../src/world/desk/routes.ts'
import { openWorld } from '../../../src/world/world.ts'
import { run } from '../../support/program/cli.ts'
import { mistakesIn } from '../../support/program/command-line.ts'
import { root } from '../../support/program/processes.ts'
import { servedBeside } from '../../support/worlds/served.ts'

/** The table of the desk's actions: its commands exist, and have the same effect. */

const sources = join(root, 'src/world')
/** Sources of the pages for people. */
const pageFiles = [
  ...globSync(`${sources}/desk/browser/**/*.tsx`),
  ...['home/page.ts', 'desk/page/html.ts'].map((path) => join(sources, path)),
]

/** Splits a command of the desk into words. It quotes with single quotes only. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(([, quoted, plain]) => plain ?? quoted ?? '')
}

/** Returns values for the fields of an action that its command requires. */
function sampleOf(input: { properties: object }): Record<string, unknown> {
  const fields = Object.entries(input.properties as Record<string, { type?: string; enum?: string[] }>)
  return Object.fromEntries(
    fields.map(([name, { type, enum: values }]) => [
      name,
      values ? values[0] : type === 'integer' ? 1 : type === 'boolean' ? true : (samples[name] ?? '1'),
    ]),
  )
}

const samples: Readonly<Record<string, string>> = {
  tenant: 'DEMO',
  by: '1h',
  to: '2026-03-01T00:00:00Z',
  chance: '0.5',
  until: '1h',
  for: '1s',
  age: '1h',
  url: 'http://127.0.0.1:8790/',
}

describe('the table of actions', () => {
  const commands = actionCatalog().flatMap(({ name, input, commands: forms }) =>
    forms.map((form) => ({ name, form, values: sampleOf(input) })),
  )

  test.each(commands)('$name has a command that exists, with its arguments and flags', ({ form, values }) => {
    const [, ...words] = wordsOf(commandText(form, values).replace(/^printf %s .* \| /, ''))
    expect(mistakesIn(words, true)).toEqual([])
  })

  test('is not the only place with commands: those in the texts of the pages exist too', () => {
    const commands = pageFiles.flatMap((file) => {
      const text = readFileSync(file, 'utf8').replace(/\$?\{[^{}]*\}/g, 'X')
      const written = [...text.matchAll(/(?:<code>|text="|\n)countroom ([a-z][^<"\n]*)/g)].map(([, command]) => command)
      const forms = [...readFileSync(file, 'utf8').matchAll(/words: '([^']+)'/g)].map(([, words]) => words)
      return [...written, ...forms].filter((command) => command !== undefined)
    })
    expect(commands.length).toBeGreaterThan(10)
    expect(commands.flatMap((command) => mistakesIn(command.trim().split(' '), false))).toEqual([])
  })

  test('names each field of an input in its commands, so that none is lost on the way', () => {
    const lost = actionCatalog().flatMap(({ name, input, commands: forms }) => {
      const named = new Set(forms.flatMap(fieldsOf))
      return Object.keys(input.properties).flatMap((field) => (named.has(field) ? [] : [`${name}: ${field}`]))
    })
    // The merchant and the key of these commands are those of the profile.
    expect(lost).toEqual(['payment.create: merchant', 'payout.create: merchant', 'signature.check: key'])
  })

  test('quotes shell characters, and keeps a negative amount an argument', () => {
    const {
      commands: [adjust],
    } = deskActions['player.adjust']
    expect(commandText(adjust as CommandForm, { tenant: 'DEMO', user: 'amy', amount: '-12.5', txn: "it's" })).toBe(
      "countroom console adjust --txn 'it'\\''s' -- DEMO amy -12.5",
    )
    const {
      commands: [lock],
    } = deskActions['player.lock']
    expect(commandText(lock as CommandForm, { tenant: 'DEMO-SBX' })).toBe(
      'countroom players lock USER --profile local.demo-sbx',
    )
  })
})

function fieldsOf({ args = [], optionalArgs = [], flags = {}, stdin, profileOf }: CommandForm): string[] {
  return [
    ...args,
    ...optionalArgs,
    ...Object.values(flags),
    ...(stdin ? [stdin.field] : []),
    ...(profileOf ? [profileOf] : []),
  ]
}

/** Two subjects each, one for the action and one for its command, and the part of a view to compare. */
const pairs = [
  {
    action: 'player.adjust',
    one: { tenant: 'DEMO', user: 'amy', amount: '12.5', txn: 'desk-1' },
    two: { tenant: 'DEMO', user: 'bob', amount: '12.5', txn: 'desk-2' },
    view: 'casino.player',
    fields: ['balance', 'status'],
  },
  {
    action: 'player.lock',
    one: { tenant: 'DEMO', user: 'amy' },
    two: { tenant: 'DEMO', user: 'bob' },
    view: 'casino.player',
    fields: ['balance', 'status'],
  },
  {
    action: 'player.no-bet',
    one: { tenant: 'DEMO', user: 'cho' },
    two: { tenant: 'DEMO', user: 'dee' },
    view: 'casino.player',
    fields: ['status'],
  },
] as const

test('an action has the effect of its command, both on one served world', async () => {
  const { home, desk } = await servedBeside({ records: { requests: true, hasDesk: true, desk: deskRoutes } })
  for (const { action, one, two, view, fields } of pairs) {
    const [form] = deskActions[action].commands
    const [, ...words] = wordsOf(commandText(form as CommandForm, two))
    const command = await run([...words, '--json'], { home })
    expect(command.code, command.stderr).toBe(0)
    expect((await ask(desk, `actions/${action}`, one)).status).toBe(200)
    const shown = async (of: { tenant: string; user: string }) => {
      const query = new URLSearchParams({ tenant: of.tenant, user: of.user })
      const data = (await (await ask(desk, `views/${view}?${query}`)).json()) as Record<string, unknown>
      return Object.fromEntries(fields.map((field) => [field, data[field]]))
    }
    expect(await shown(one), action).toEqual(await shown(two))
  }
})

test('a round dealt by the desk equals that of its command, and bad input changes nothing', async () => {
  const { home, desk } = await servedBeside({ records: { requests: true, hasDesk: true, desk: deskRoutes } })
  const round = {
    tableId: 'BAC-01',
    variant: 'nocomm',
    cardInfo: 'QD3D4C3SAH--',
    slips: [{ username: 'amy', bets: { B: '100', S6: '10' } }],
  }
  const dealt = await ask(desk, 'actions/round.deal', { tenant: 'DEMO', round: JSON.stringify(round) })
  const { result } = (await dealt.json()) as { result: Parameters<typeof amounts>[0] }
  const command = await run(['sim', 'deal', '-', '--tenant', 'DEMO', '--json'], { home, input: JSON.stringify(round) })
  expect(amounts(result)).toEqual(amounts(JSON.parse(command.stdout).data))
  const { roundId: voided } = JSON.parse(command.stdout).data
  expect((await ask(desk, 'actions/round.void', { round: voided })).status).toBe(200)
  const refusals = [
    ['round.deal', { tenant: 'DEMO', round: '{"tableId"' }, 'INVALID_FILE'],
    ['round.deal', { tenant: 'DEMO', round: '{"tableId":1,"slips":[]}' }, 'INVALID_FILE'],
    [
      'round.deal',
      {
        tenant: 'DEMO',
        round: '{"tableId":"BAC-01","cardInfo":"QD3D4C3SAH--","slips":[{"username":"a\\u0000","bets":{}}]}',
      },
      'INVALID_FILE',
    ],
    ['round.void', { round: 'none' }, 'ROUND_NOT_FOUND'],
    // The first void is a change, the second is not.
    ['round.void', { round: voided }, 'CONFLICT'],
    ['player.launch', { tenant: 'DEMO', user: 'a\u001b[31m' }, 'INVALID_USAGE'],
    ['room.open', { tenant: 'DEMO', account: 'a\u001b[31m' }, 'INVALID_USAGE'],
    ['ticket.status', { tenant: 'DEMO', ticket: 'first', status: 'open' }, 'INVALID_USAGE'],
    ['ticket.comment', { tenant: 'DEMO', ticket: '9'.repeat(30), text: 'x' }, 'INVALID_USAGE'],
    ['snapshot.load', { name: '../world' }, 'NOT_FOUND'],
    ['snapshot.save', { name: '../world' }, 'INVALID_USAGE'],
    ['player.lock', { tenant: 'NONE', user: 'amy' }, 'NOT_FOUND'],
    ['player.adjust', { tenant: 'DEMO', user: 'amy' }, 'INVALID_USAGE'],
    ['clock.set', { to: 'tomorrow' }, 'INVALID_USAGE'],
    ['fault.add', { kind: 'unheard' }, 'INVALID_USAGE'],
    ['no.such', {}, 'NOT_FOUND'],
  ] as const
  for (const [action, input, code] of refusals) {
    const response = await ask(desk, `actions/${action}`, input)
    expect(response.status, action).toBeGreaterThanOrEqual(400)
    expect(response.status, action).toBeLessThan(500)
    expect(await response.json(), action).toMatchObject({ code })
  }
})

type Case = readonly [ActionName, Record<string, unknown>]

/** Values that no field of an action accepts, or that only look like one. */
const hostile = [
  ...[
    '',
    '\u0000',
    '\u001b[31m',
    '\ud800',
    '1e400',
    '-1',
    'NaN',
    '9'.repeat(60),
    '9'.repeat(30_000),
    '../x',
    "' or 1=1 --",
  ],
  ...['１２', '__proto__', 'http://[::1', '{"slips":[{}]}', '-999999999d', '0000-01-01T00:00:00Z', '275761-01-01'],
  ...[null, 1e308, 1.5, true, [], {}],
]

test('no value of any field breaks an action, and a refused action changes nothing', async () => {
  const world = await openWorld({ db: ':memory:', records: { requests: true, hasDesk: true } })
  onTestFinished(() => world.close())
  await ensureDemoWorld(world)
  // The work that becomes due is not that of the action.
  const dependencies = { world: { ...world, settle: async () => 0 } }
  const isRefused = ([name, given]: Case) =>
    runAction(dependencies, name, given).then(
      () => false,
      (error: unknown) => {
        if (isProblem(error)) return true
        throw new Error(`${name} ${JSON.stringify(given).slice(0, 300)}`, { cause: error })
      },
    )
  const cases = actionCatalog().flatMap(({ name, input }) =>
    Object.keys(input.properties).flatMap((field) =>
      hostile.map((value): Case => [name, { ...sampleOf(input), [field]: value }]),
    ),
  )
  const refused: Case[] = []
  for (const each of cases) if (await isRefused(each)) refused.push(each)
  // Some values are good ones of some fields, so actions do get to their work.
  expect(refused.length).toBeLessThan(cases.length)

  await world.snapshots.save('after')
  const accepted: Case[] = []
  for (const each of refused) if (!(await isRefused(each))) accepted.push(each)
  expect(accepted).toEqual([])
  expect(await world.snapshots.diff('after', undefined)).toMatchObject({ changes: [], balances: [] })
})

/** Amounts of the bet records of a dealt round, revision by revision. */
function amounts({ revisions }: { revisions: { bets: Record<string, string>[] }[] }) {
  return revisions.map(({ bets }) => bets.map(({ stake, payout, winLoss, rev }) => ({ stake, payout, winLoss, rev })))
}

/** Sends a request to the desk's interface as its page does. */
function ask(desk: { baseUrl: string; token: string } | undefined, path: string, input?: object): Promise<Response> {
  return fetch(`${desk?.baseUrl}/desk/api/${path}`, {
    method: input === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${desk?.token}`, 'content-type': 'application/json' },
    ...(input === undefined ? {} : { body: JSON.stringify(input) }),
  })
}
