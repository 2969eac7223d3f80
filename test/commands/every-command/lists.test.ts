import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { resultSchema } from '../../../src/cli/outcome/result-schema.ts'
import { fieldsOfList } from '../../../src/cli/terminal/jsonl.ts'
import { classOf, envelopeOf, type Home, run, runJson, runOnTerminal } from '../../support/program/cli.ts'
import { commands } from '../../support/program/command-line.ts'
import { bareChat, bareHome, localHelpdesk } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')
const rowsIn = (text: string) => text.split('\n').length - 1
const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('every list has the same output formats, and a list in its schema that --jsonl prints by row', async () => {
  const lists = commands.filter(({ flags }) => Object.hasOwn(flags, 'csv') && flags['csv']?.type === 'boolean')
  expect(lists.length).toBeGreaterThan(30)
  for (const { id, flags } of lists) {
    expect([id, Object.keys(flags)]).toEqual([id, expect.arrayContaining(['columns', 'bom', 'jsonl', 'no-header'])])
    const command = await classOf(id)
    const schema = await resultSchema(command)
    const properties = (schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {}
    // The first list of the result, or the one that the command names.
    const name = command.list ?? Object.entries(properties).find(([, { type }]) => type === 'array')?.[0]
    expect([id, name === undefined ? undefined : properties[name]?.type]).toEqual([id, 'array'])
    if (id !== 'rooms:messages') expect([id, fieldsOfList(schema, command.list)?.length]).not.toEqual([id, undefined])
  }
})

test('with --jsonl each row is printed as it arrives, and the last line is the outcome', async () => {
  const bare = await bareChat(250)
  const home = await bareHome(bare)
  let printed = ''
  let more = () => {}
  const seenBefore: number[] = []
  // The next page is not sent before the rows of the previous one are printed.
  bare.beforePage = async (page) => {
    while (rowsIn(printed) < (page - 1) * 100)
      await new Promise<void>((resolve) => {
        more = resolve
      })
    seenBefore.push(rowsIn(printed))
  }
  const { code, stdout, stderr } = await run(words('tickets list --all --jsonl --fields ticketId,status'), {
    home,
    input: '',
    watch: (_process, text) => {
      printed = text
      more()
    },
  })
  expect([code, stderr, seenBefore]).toEqual([0, 'Showing 250 of 250 tickets\n', [0, 100, 200]])
  const lines = linesOf(stdout)
  expect(lines).toHaveLength(251)
  expect(lines[0]).toEqual({ ticketId: 'T1', status: 'open' })
  expect(new Set(lines.slice(0, 250).map(({ ticketId }) => ticketId)).size).toBe(250)
  expect(lines[250]).toEqual({
    schemaVersion: 1,
    command: 'tickets list',
    status: 'ok',
    data: { total: 250, rows: 250 },
    warnings: [],
    error: null,
  })
  const few = linesOf((await run(words('tickets list --limit 2 --jsonl'), { home })).stdout)
  expect(few.map((line) => line.ticketId ?? line.data.rows)).toEqual(['T1', 'T2', 2])
})

test('an unknown field is refused before any request, and a failure is the only line', async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  const wrong = await run(words('tickets list --jsonl --fields ticketId,statsu'), { home })
  expect([wrong.code, envelopeOf(wrong).error.details['nearest'], bare.seen]).toEqual([2, 'status', []])
  const deep = await run(words('tickets list --jsonl --columns assignee.displayName,ticketId'), { home })
  expect(linesOf(deep.stdout)[0]).toEqual({ 'assignee.displayName': null, ticketId: 'T1' })
  for (const line of ['tickets list --jsonl --csv', 'tickets list --jsonl --json', 'tickets list --bom']) {
    const { code, stdout } = await run(words(line), { home })
    expect([line, code, stdout === '' || stdout.startsWith('{')]).toEqual([line, 2, true])
  }
})

test('a spreadsheet detects the text as UTF-8, and gets only the table', async () => {
  const home = await localHelpdesk()
  await run([...words('tickets create --account'), '存款', '=1+1'], { home })
  await run(words('rooms open amy --message Hello'), { home })
  const { stdout } = await run(words('tickets list --csv --bom --columns title,customerAccount,roomId'), { home })
  expect(stdout).toBe("\u{FEFF}title,customerAccount,roomId\n'=1+1,存款,\n")
  const { data } = await runJson(words('rooms list'), { home })
  const [{ roomId }] = data['rooms'] as [{ roomId: string }]
  const room = await run(['rooms', 'show', roomId, '--csv', '--columns', 'seq,text'], { home })
  expect(room.stdout).toBe('seq,text\n1,Hello\n')
  const lines = linesOf((await run(['rooms', 'show', roomId, '--jsonl', '--fields', 'seq,text'], { home })).stdout)
  expect(lines).toMatchObject([{ seq: 1, text: 'Hello' }, { data: { room: { roomId }, rows: 1 } }])
})

test("a customer's text controls no terminal, in any format of the list", async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  const hostile = 'a \u009b31m \u202e \u001b]0;owned\u0007 b'
  const [ticket] = bare.tickets
  if (ticket) ticket.subject = hostile
  for (const flag of ['--json', '--jsonl', '--csv', '--quiet']) {
    const { screen } = await runOnTerminal(['tickets', 'list', '--no-color', flag], [], { home })
    expect(screen, flag).toContain('owned')
    for (const sign of ['\u009b', '\u202e', '\u0007', '\u001b]']) expect(screen, flag).not.toContain(sign)
  }
  // Programs read the unchanged text.
  const { data } = await runJson(words('tickets list'), { home })
  expect((data['tickets'] as { title: string }[])[0]?.title).toBe(hostile)
  const csv = await run(words('tickets list --csv --columns title --no-header'), { home })
  expect(csv.stdout).toBe(`${hostile}\n`)
})

test('the schema of a list is the same in two places', async () => {
  const one = await runJson(words('tickets schema'))
  const other = await runJson(words('schema tickets list'))
  expect(one.data['schema']).toEqual(other.data['schema'])
  expect((await runJson(words('tickets schema shwo'))).code).toBe(127)
})

test('a list of tickets loads no code of other services, in process or over a socket', async () => {
  const loadedBy = async (home: Home) => {
    const list = join(home.folder, 'loaded.txt')
    const hook = home.write(
      'hook.mjs',
      `import { registerHooks } from 'node:module'
import { writeFileSync } from 'node:fs'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
process.on('exit', () => writeFileSync(${JSON.stringify(list)}, loaded.join('\\n')))
`,
    )
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(hook)}` }
    const { code, stdout } = await run(words('tickets list --quiet'), { home, env })
    expect([code, stdout]).toEqual([0, expect.stringContaining('Title')])
    return readFileSync(list, 'utf8').split('\n')
  }
  const others = (urls: readonly string[]) => urls.filter((url) => /dist\/src\/world-/.test(url))
  const here = await localHelpdesk()
  await run(words('tickets create Title'), { home: here })
  expect(others(await loadedBy(here))).toEqual([])
  const bare = await bareChat(1)
  const [ticket] = bare.tickets
  if (ticket) ticket.subject = 'Title'
  const remote = await loadedBy(await bareHome(bare))
  expect(others(remote)).toEqual([])
  expect(remote.filter((url) => url.includes('/undici/')).length).toBeLessThan(40)
})

test('commands for this machine use the configuration of the whole world, including faults', async () => {
  const home = await localHelpdesk()
  await run(words('tickets create Title'), { home })
  let closing: Promise<unknown> | undefined
  const events = await run(words('tickets watch --jsonl --count 1'), {
    home,
    input: '',
    watch: (_process, printed) => {
      if (printed.includes('Listening')) closing ??= run(words('tickets status 1 closed'), { home })
    },
  })
  expect(linesOf(events.stdout)[0]).toMatchObject({ event: 'ticket.updated', data: { status: 'closed' } })
  await closing
  await run(words('sim faults add status --service chat --status 500 --times 20'), { home })
  const failed = await runJson(words('tickets list'), { home, env: { COUNTROOM_ATTEMPTS: '1' } })
  expect(failed.code).toBe(7)
})
