import { expect, test } from 'vitest'
import { generalForm, saveForm } from '../../../src/services/chat/admin.ts'
import { run, runJson } from '../../support/program/cli.ts'
import { bareChat, bareHome, localHelpdesk, remoteHelpdesk, servedChat } from '../../support/worlds/chat-served.ts'

const words = (line: string) => line.split(' ')

const macros = `# answers of the house
internalWords: [chargeback]
macros:
  arrived:
    variables:
      field.amount: decimal(2)
    texts:
      default: |
        Dear {{customerDisplayName}},
        {{field.amount}} USD arrived on {{field.paidOn | date(DD.MM.YYYY)}} by {{field.method | label}}.
      zh: 您的存款 {{field.amount}} 已於 {{field.paidOn}} 到帳。
  late:
    default: &sorry Sorry, {{customerAccount}}.
    en: *sorry
`

/** A helpdesk whose form has fields of several types. */
async function aHelpdesk() {
  const served = await servedChat()
  const field = (fieldCode: string, type: 'decimal' | 'date' | 'select') => ({
    fieldCode,
    label: fieldCode,
    type,
    required: false,
    visibleToCustomer: true,
    default: null,
    validation: {},
    options: type === 'select' ? [{ value: 'card', label: 'bank card', active: true }] : null,
    requiredOnStatus: [],
  })
  const fields = [field('amount', 'decimal'), field('paidOn', 'date'), field('method', 'select')]
  await saveForm(served.world.chat, 'DEMO', 'money', { ...generalForm, title: 'Money', fields })
  const home = await remoteHelpdesk(served)
  home.write('config/countroom/macros.yaml', macros)
  return { served, home }
}

test('a macro in YAML uses the customer’s language and the types of the form’s fields', async () => {
  const { home } = await aHelpdesk()
  const made = [...words('tickets create Money --form money --account amy --field amount=5.5')]
  await run([...made, ...words('--field paidOn=2026-03-01 --field method=card --name Amy --language zh-TW')], { home })
  await run([...made, ...words('--field paidOn=2026-03-01 --field method=card --name Amy --language de')], { home })
  await run(made, { home })
  const preview = async (ticket: string) =>
    (await runJson(['tickets', 'comment', ticket, '@arrived', '--dry-run'], { home })).data['content']
  expect(await preview('1')).toBe('您的存款 5.50 已於 2026-03-01 到帳。')
  expect(await preview('2')).toBe('Dear Amy,\n5.50 USD arrived on 01.03.2026 by bank card.\n')
  const gap = await runJson(words('tickets comment 3 @arrived --public --yes'), { home })
  expect([gap.code, gap.error.details['missing']]).toEqual([2, ['customerDisplayName', 'field.paidOn', 'field.method']])
  expect(gap.error.message).toMatch(
    /^Cannot fill macro @arrived: .*\{\{field\.paidOn\}\} is empty \(.*macros\.yaml line 10\)/,
  )
  // Errors of many tickets are reported together, and no action is planned for any.
  const bulk = await runJson(words('tickets bulk --filter form=money --comment @arrived --public --yes --apply'), {
    home,
  })
  expect([bulk.code, bulk.error.details['ticketId']]).toEqual([2, expect.stringMatching(/^tkt_/)])
  expect((await runJson(words('tickets show 1'), { home })).data['comments']).toEqual([])
  const { data } = await runJson(words('tickets macros --ticket 2'), { home })
  expect(data['macros']).toMatchObject([
    { macro: 'arrived', language: 'default', used: true, text: expect.stringContaining('bank card'), guard: [] },
    { macro: 'arrived', language: 'zh', used: false },
    { macro: 'late', language: 'default', used: true, text: 'Sorry, amy.' },
    { macro: 'late', language: 'en', used: false, variables: ['customerAccount'] },
  ])
})

test('a variable of another type is refused with macro, variable and line', async () => {
  const { home } = await aHelpdesk()
  await run(words('tickets create Money --form money --account amy --field method=card --field amount=1.005'), { home })
  const file = home.write(
    'typed.yaml',
    'macros:\n  a: { default: "{{field.method | decimal}}" }\n  b:\n    default: |\n      For\n      {{field.amount | decimal(2)}}\n',
  )
  const wrong = await runJson(['tickets', 'comment', '1', '@a', '--macros', file], { home })
  expect([wrong.code, wrong.error.message]).toEqual([
    2,
    expect.stringMatching(
      /^Cannot fill macro @a: \{\{field\.method\}\} is "card" \(text\), not a decimal \(.*typed\.yaml line 2/,
    ),
  ])
  // Rounding to two decimals would show the customer another amount.
  const other = await runJson(['tickets', 'comment', '1', '@b', '--macros', file], { home })
  expect([other.code, other.error.message]).toEqual([2, expect.stringContaining('typed.yaml line 6')])
})

test('every error of the file is reported together, with its line, before any request', async () => {
  const bare = await bareChat(1)
  const home = await bareHome(bare)
  const faults = async (text: string) => {
    const file = home.write('m.yaml', text)
    const { code, error } = await runJson(['tickets', 'comment', 'T1', 'Text', '--macros', file], { home })
    expect([code, error.code]).toEqual([2, 'INVALID_FILE'])
    return (error.details['faults'] as { line: number; text: string }[]).map(({ line, text }) => `${line} ${text}`)
  }
  expect(
    await faults(
      'macros:\n  arrived:\n    variables:\n      field.x: money\n    texts:\n      default: |\n        Dear\n        {{customerNam}}, {{title | date}}\n      de/AT: x\n      fr: 7\n  "a b": { default: x }\ninternalWord: []\n',
    ),
  ).toEqual([
    expect.stringMatching(/^4 .*unknown type "money"/),
    expect.stringMatching(/^8 .*unknown variable \{\{customerNam\}\}; available: ticketId, /),
    expect.stringMatching(/^8 .*\{\{title\}\} is of type text, not date/),
    '9 "de/AT" of macro "arrived" is not a language tag or "default"',
    expect.stringMatching(/^10 .*must have a text in fr/),
    expect.stringMatching(/^11 "a b" is not a valid macro name/),
    expect.stringMatching(/^12 .*did you mean "internalWords"/),
  ])
  expect(await faults('macros:\n  a:\n    default: {{title}} x\n')).toEqual([expect.stringMatching(/^3 .*in quotes/)])
  expect(await faults('macros: { a: { default: x }, a: { default: y } }')).toEqual([expect.stringMatching(/^1 /)])
  expect(await faults('- a\n')).toEqual([expect.stringMatching(/^1 the file must have "macros"/)])
  expect(bare.seen).toEqual([])
})

test('JSON is read as before, including tabs; a second file of macros is refused', async () => {
  const home = await localHelpdesk()
  await run(words('tickets create Title --account amy'), { home })
  home.write(
    'config/countroom/macros.json',
    '{\n\t"macros": {\n\t\t"hi": { "default": "Hello {{customerAccount}}\\u0021" }\n\t}\n}\n',
  )
  expect((await runJson(words('tickets comment 1 @hi --dry-run'), { home })).data['content']).toBe('Hello amy!')
  home.write('config/countroom/macros.yaml', 'macros: {}\n')
  const two = await runJson(words('tickets macros'), { home })
  expect([two.code, two.error.message]).toEqual([2, expect.stringContaining('Only one of these files may exist')])
})

test('without a readable form, a field has the type of its value', async () => {
  const home = await bareHome(await bareChat(1))
  home.write('config/countroom/macros.yaml', 'macros: { hi: { default: "About {{title}}, {{ticketId}}" } }\n')
  expect((await runJson(words('tickets comment T1 @hi --dry-run'), { home })).data['content']).toBe(
    'About Matter 1, T1',
  )
  const none = home.write('none.yaml', 'macros: { hi: { default: "{{field.x | decimal}}" } }\n')
  const { code, error } = await runJson(['tickets', 'comment', 'T1', '@hi', '--macros', none], { home })
  expect([code, error.details['missing']]).toEqual([2, ['field.x']])
})
