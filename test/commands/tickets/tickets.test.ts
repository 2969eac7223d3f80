import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { generalForm } from '../../../src/services/chat/admin.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { bareChat, bareHome, localHelpdesk, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

/** The same commands, through a socket and in this process. */
const places = [
  ['on the local database', localHelpdesk],
  ['at a remote address', async () => remoteHelpdesk(await servedChat())],
] as const

describe.each(places)('%s', (_name, place) => {
  test('a ticket is created, listed, commented on, moved and shown', async () => {
    const home = await place()
    const made = await runJson(
      [...words('tickets create --account amy --priority high --form general --field txnId=t-1'), 'Money is missing'],
      { home },
    )
    expect(made.data).toMatchObject({ ticket: { ticketNumber: 1, status: 'open', priority: 3, formCode: 'general' } })
    const listed = await runJson(words('tickets list --account amy'), { home })
    expect(listed.data).toMatchObject({ total: 1, tickets: [{ ticketNumber: 1, title: 'Money is missing' }] })
    const comment = await runJson([...words('tickets comment 1'), 'Asked the bank'], { home })
    expect(comment.data).toMatchObject({ content: 'Asked the bank', visibility: 'internal' })
    const moved = await runJson([...words('tickets status 1 resolved --comment'), 'Found it'], { home })
    expect(moved.data).toMatchObject({ previousStatus: 'open', status: 'resolved', changed: true })
    const { data } = await runJson(words('tickets show #1'), { home })
    expect(data).toMatchObject({
      status: 'resolved',
      fieldValues: [{ fieldCode: 'txnId', value: 't-1' }],
      comments: [
        { content: 'Asked the bank', authorDisplayName: 'Desk 1' },
        { content: 'Found it', visibility: 'internal', authorDisplayName: 'Desk 1' },
      ],
    })
    const history = data['history'] as { kind: string; actorDisplayName: string }[]
    expect(history.find(({ kind }) => kind === 'statusChanged')).toMatchObject({ actorDisplayName: 'Desk 1' })
    const stats = await runJson(words('tickets stats'), { home })
    expect(stats.data).toMatchObject({ open: 0, oldestMs: null })
  })

  test('an unknown status is rejected with the nearest one, and nothing changes', async () => {
    const home = await place()
    await run(words('tickets create Title'), { home })
    for (const line of ['tickets status 1 reslved', 'tickets list --status reslved']) {
      const { code, error } = await runJson(words(line), { home })
      expect([line, code, error.code, error.details['nearest']]).toEqual([line, 2, 'INVALID_STATUS', ['resolved']])
    }
    for (const line of ['tickets list --form generl', 'tickets create Second --form generl']) {
      const { code, error } = await runJson(words(line), { home })
      expect([line, code, error.details['nearest']]).toEqual([line, 2, ['general']])
    }
    const several = await runJson(words('tickets list --status open,clsed'), { home })
    expect([several.code, several.error.details['nearest']]).toEqual([2, ['closed']])
    // All errors in a form's fields are reported at once.
    const fields = await runJson(words('tickets create Second --field txnid=1 --field amuont=2'), { home })
    expect([fields.code, fields.error.code, fields.error.details['nearest']]).toEqual([
      2,
      'INVALID_FIELD_VALUES',
      ['txnId', 'amount'],
    ])
    const values = await runJson(words('tickets create Second --field amount=much --field txnId=%'), { home })
    expect([values.code, values.error.details['faults']]).toEqual([
      2,
      [
        { field: 'amount', code: 'wrong_type' },
        { field: 'txnId', code: 'pattern' },
      ],
    ])
    // Also with errors elsewhere in the request.
    const all = await runJson(
      [
        ...words('tickets create --priority soon --language zh/TW --field amount --field txnId=% --field amuont=2'),
        'x'.repeat(201),
      ],
      { home },
    )
    expect([all.code, all.error.code]).toEqual([2, 'INVALID_USAGE'])
    for (const message of [
      'The priority must be low, normal, high or urgent (1 to 4); received soon',
      '--field must have the form CODE=VALUE; received amount',
      'did you mean amount?',
      'txnId must be 1 to 64 characters: letters A to Z, digits and _ . : -',
      '--language must be written like zh-TW',
      'TITLE must be at most 200 characters long',
    ])
      expect(all.error.message).toContain(message)
    expect(all.error.details['faults']).toHaveLength(6)
    expect((await runJson(words('tickets list'), { home })).data['total']).toBe(1)
    expect((await runJson(words('tickets show 1'), { home })).data).toMatchObject({ status: 'open', version: 1 })
  })

  test('the same key creates one ticket and one comment', async () => {
    const home = await place()
    for (let i = 0; i < 2; i++) {
      await runJson(words('tickets create Title --key k-1'), { home })
      await runJson(words('tickets comment 1 Text --key k-2'), { home })
    }
    expect((await runJson(words('tickets list'), { home })).data).toMatchObject({
      total: 1,
      tickets: [{ commentCount: 1 }],
    })
  })
})

test('a dry run shows the request and sends only reads', async () => {
  const home = await localHelpdesk()
  expect((await runJson(words('tickets create Title --dry-run'), { home })).data).toMatchObject({
    ticket: null,
    request: { method: 'POST', path: '/api/public/v1/tickets', body: { title: 'Title' } },
  })
  await run(words('tickets create Title'), { home })
  await runJson(words('tickets comment 1 Text --dry-run'), { home })
  await runJson(words('tickets status 1 closed --dry-run'), { home })
  expect((await runJson(words('tickets show 1'), { home })).data).toMatchObject({ version: 1, comments: [] })
})

test('a public text needs a confirmation, and an internal one is blocked', async () => {
  const home = await localHelpdesk()
  await run(words('tickets create Title'), { home })
  const refusal = await runJson(words('tickets comment 1 Hello --public'), { home })
  expect([refusal.code, refusal.error.code]).toEqual([3, 'CONFIRMATION_NEEDED'])
  const guarded = await runJson([...words('tickets comment 1 --public --yes'), 'Dear {{name}}'], { home })
  expect([guarded.code, guarded.error.code, guarded.error.details['rules']]).toEqual([3, 'GUARDED', ['placeholder']])
  const override = await runJson(
    [...words('tickets comment 1 --public --yes --allow-guard placeholder'), 'Dear {{name}}'],
    { home },
  )
  expect(override.code).toBe(0)
})

test('a macro uses the customer’s language, and one with an empty variable is rejected', async () => {
  const home = await localHelpdesk()
  await run([...words('tickets create Title --language zh-TW --account amy')], { home })
  home.write(
    'config/countroom/macros.json',
    JSON.stringify({
      macros: {
        paid: { default: 'Paid, {{customerAccount}}.', zh: '已付款，{{customerAccount}}。' },
        gap: { default: 'Hello {{customerDisplayName}}' },
      },
      internalWords: ['chargeback'],
    }),
  )
  expect((await runJson(words('tickets comment 1 @paid --public --yes'), { home })).data['content']).toBe(
    '已付款，amy。',
  )
  const gap = await runJson(words('tickets comment 1 @gap --public --yes'), { home })
  expect([gap.code, gap.error.details['missing']]).toEqual([2, ['customerDisplayName']])
  const unknown = await runJson(words('tickets comment 1 @piad'), { home })
  expect([unknown.code, unknown.error.details['nearest']]).toEqual([2, 'paid'])
  const internal = await runJson([...words('tickets comment 1 --public --yes'), 'It was a Chargeback'], { home })
  expect(internal.error.details['rules']).toEqual(['internal-word'])
})

test('customer text cannot control the terminal', async () => {
  const home = await localHelpdesk()
  const hostile = 'red \u009b31m \u202e evil'
  const description = '\u001b]0;owned\u0007 \u001b[2J'
  await run(['tickets', 'create', 'plain', '--description', `${hostile}${description}`], { home })
  const { stdout } = await run(words('tickets show 1'), { home })
  expect(stdout).toContain('\\x1b')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none.
  expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
})

test('below Pro tickets are rejected', async () => {
  const served = await servedChat()
  const { chatDemoCredentials } = await import('../../../src/services/chat/server/demo-data.ts')
  const { homeOf } = await import('../../support/worlds/chat-served.ts')
  const keys = await chatDemoCredentials(served.world.chat)
  const home = await homeOf({ baseUrl: served.url, chat: { apiKey: keys?.freePlanApiKey } })
  const { code, error } = await runJson(words('tickets list'), { home })
  expect([code, error.code]).toEqual([4, 'PLAN_REQUIRED'])
})

test('exceeded limits exit with 9', async () => {
  const home = await localHelpdesk()
  await run(words('tickets create Title'), { home })
  expect((await runJson(words('tickets stats --fail-if open>1'), { home })).code).toBe(0)
  const passed = await runJson(words('tickets stats --fail-if open>0 --fail-if oldest>48h'), { home })
  expect([passed.code, passed.data['failed']]).toEqual([9, ['open>0']])
})

test('an instance with only the endpoints of the document is fully usable', async () => {
  const bare = await bareChat(120)
  const home = await bareHome(bare)
  const { data } = await runJson(words('tickets list --all'), { home })
  expect(data['total']).toBe(120)
  expect((data['tickets'] as object[])[0]).toMatchObject({ ticketId: 'T1', title: 'Matter 1', version: null })
  const wrong = await runJson(words('tickets status T1 reslved'), { home })
  expect([wrong.code, wrong.error.details['validCodes']]).toEqual([2, ['open', 'pending', 'resolved']])
  await runJson(words('tickets status T1 resolved --comment Done'), { home })
  expect(bare.tickets[0]).toMatchObject({ status: 'resolved', comments: [{ text: 'Done', visibility: 'internal' }] })
  expect((await runJson(words('tickets stats'), { home })).data).toMatchObject({ open: 119, oldestMs: null })
})

describe('forms', () => {
  test('are listed and shown with their fields and transitions; a wrong code is rejected with the nearest one', async () => {
    const home = await localHelpdesk()
    const { data } = await runJson(words('forms list'), { home })
    expect(data['forms']).toMatchObject([{ formCode: 'general', active: true }])
    const shown = await runJson(words('forms show general'), { home })
    expect(shown.data).toMatchObject({ formCode: 'general', knownBy: 'form', form: { version: 1 } })
    expect((shown.data['statuses'] as object[])[0]).toMatchObject({ code: 'open', category: 'open' })
    const { stdout } = await run(words('forms show general'), { home })
    expect(stdout).toMatch(/^txnId +/m)
    expect(stdout).toMatch(/^open +Open +open +in_progress/m)
    const wrong = await runJson(words('forms show generl'), { home })
    expect([wrong.code, wrong.error.details['nearest']]).toEqual([5, 'general'])
  })

  test('on an instance without them cannot be listed, and the statuses are read from its refusal', async () => {
    const bare = await bareChat(1)
    const home = await bareHome(bare)
    expect((await runJson(words('forms list'), { home })).code).toBe(5)
    const { data } = await runJson(words('forms show general'), { home })
    expect(data).toMatchObject({ form: null, knownBy: 'refusal' })
    expect((data['statuses'] as { code: string }[]).map(({ code }) => code)).toEqual(['open', 'pending', 'resolved'])
    expect(bare.tickets[0]?.status).toBe('open')
  })
})

test('a busy instance is retried for --max-wait, and no longer', async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  let refusals = 2
  const busy = (request: string) => request.startsWith('GET') && refusals-- > 0
  bare.refuses = (request) => (busy(request) ? { status: 429, retryAfter: 1 } : undefined)
  const waited = await runJson(words('tickets list --max-wait 10s'), { home })
  expect([waited.code, bare.seen.length]).toEqual([0, 3])
  refusals = 5
  const given = await runJson(words('tickets list --max-wait 0s'), { home })
  expect([given.code, given.error.code, bare.seen.length]).toEqual([7, 'RATE_LIMITED', 4])
  expect((await runJson(words('tickets list --max-wait soon'), { home })).code).toBe(2)
})

describe('a form with a broken stored version', () => {
  const save = (home: Home, form: object) =>
    runJson([...words('console chat forms save DEMO'), 'refund', home.write('form.json', JSON.stringify(form))], {
      home,
    })
  /** Saves forms as an earlier release did, with any content. */
  const breakForm = (home: Home) => {
    const database = new Database(home.env['COUNTROOM_DB'])
    database.exec(`UPDATE chat_forms SET definition = '{"fields":' WHERE code = 'refund'`)
    database.close()
  }
  const setUp = async (home: Home) => {
    const { workflow } = generalForm
    const statuses = workflow.statuses.map((status) => ({ ...status, code: `refund_${status.code}` }))
    const own = { ...generalForm, workflow: { ...workflow, initialStatus: 'refund_open', statuses } }
    expect((await save(home, own)).code).toBe(0)
    await run(words('tickets create Refund --form refund --account amy'), { home })
    await run(words('tickets create Other --account amy'), { home })
    breakForm(home)
  }

  test('hides none of its tickets, is named in the list of forms, and its repair reports the remaining errors', async () => {
    const home = await localHelpdesk()
    await setUp(home)
    const stats = await runJson(words('tickets stats --fail-if open>1'), { home })
    expect([stats.code, stats.data['open']]).toEqual([9, 2])
    expect(stats.data['byStatus']).toContainEqual({ status: 'refund_open', count: 1, done: false })
    const plan = await runJson(words('tickets bulk --filter account=amy --priority high'), { home })
    expect(plan.data).toMatchObject({ counts: { tickets: 2 } })
    const forms = await runJson(words('forms list'), { home })
    expect(forms.data).toMatchObject({
      forms: [{ formCode: 'general' }],
      unreadable: [{ formCode: 'refund', version: 1 }],
    })
    expect(forms.warnings).toEqual([expect.stringContaining('refund is not listed')])
    const repair = await runJson(words('console chat forms repair DEMO'), { home })
    expect([repair.code, repair.error.code]).toEqual([8, 'BATCH_PARTLY'])
    expect(repair.data).toEqual({ repaired: [], left: [{ formCode: 'refund', version: 1, tickets: 1 }] })
    const shown = await run(words('console chat forms repair DEMO'), { home })
    expect(shown.stderr).toContain('No ticket was repaired.')
    expect(shown.stderr).toContain('countroom console chat forms save DEMO refund refund.json')
  })
})
