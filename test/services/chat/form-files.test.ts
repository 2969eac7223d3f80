import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { fieldTypes } from '../../../src/domain/tickets/form.ts'
import { statusCategories } from '../../../src/domain/tickets/workflow.ts'
import { isProblem } from '../../../src/kit/problem.ts'
import { generalForm, saveForm } from '../../../src/services/chat/admin.ts'
import { repairForms } from '../../../src/services/chat/tickets/form-repair.ts'
import { dryRunStore } from '../../../src/world/dry-run-store.ts'
import { keepingEngines } from '../../support/databases/engines.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant, refuses } from './helpdesk.ts'

/** The form of chat-shapes 1.6, without every optional part. */
const bare = {
  fields: [{ fieldCode: 'txnId', label: 'Transfer', type: 'text' }],
  workflow: {
    initialStatus: 'open',
    statuses: [
      { code: 'open', label: 'Open', category: 'open' },
      { code: 'done', label: 'Done', category: 'resolved' },
    ],
  },
}
type Bare = typeof bare
const changed = (change: (form: Bare & Record<string, unknown>) => unknown): unknown => {
  const form = structuredClone(bare) as Bare & Record<string, unknown>
  return change(form) ?? form
}
const withField = (field: object) => ({ ...bare, fields: [{ ...bare.fields[0], ...field }] })
const withFlow = (flow: object) => ({ ...bare, workflow: { ...bare.workflow, ...flow } })

const versionsOf = (helpdesk: Helpdesk) =>
  helpdesk.app.store.read(
    async ({ q }) => (await q.selectFrom('chat_forms').select(['code', 'version']).execute()).length,
  )

async function faultsIn(form: unknown): Promise<string[]> {
  const helpdesk = await aHelpdesk()
  const { code } = await aMerchant(helpdesk)
  const before = await versionsOf(helpdesk)
  const refused = await refuses('CHAT_FORM_INVALID', saveForm(helpdesk.app, code, 'f', form))
  expect(await versionsOf(helpdesk)).toBe(before)
  const problems = refused.detail['problems'] as { path: string; message: string }[]
  for (const { path, message } of problems) expect(refused.message).toContain(`${path} ${message}`)
  return problems.map(({ path }) => path)
}

test('a form may omit every optional part, and is shown complete', async () => {
  const helpdesk = await aHelpdesk()
  const { code, bot } = await aMerchant(helpdesk)
  await saveForm(helpdesk.app, code, 'refund', bare)
  expect(await bot.form({ params: { formCode: 'refund' } })).toEqual({
    formCode: 'refund',
    title: 'refund',
    description: '',
    active: true,
    version: 1,
    fields: [
      {
        fieldCode: 'txnId',
        label: 'Transfer',
        type: 'text',
        required: false,
        visibleToCustomer: true,
        default: null,
        validation: { minLength: null, maxLength: null, pattern: null, min: null, max: null, maxSelections: null },
        options: null,
        requiredOnStatus: [],
      },
    ],
    workflow: {
      initialStatus: 'open',
      statuses: [
        { code: 'open', label: 'Open', category: 'open', active: true },
        { code: 'done', label: 'Done', category: 'resolved', active: true },
      ],
      transitions: null,
    },
  })
  // The API's output is saved again.
  const shown = await bot.form({ params: { formCode: 'refund' } })
  expect(await saveForm(helpdesk.app, code, 'refund', shown)).toEqual({ formCode: 'refund', version: 2 })
  expect(await bot.form({ params: { formCode: 'refund' } })).toEqual({ ...shown, version: 2 })
  await bot.createTicket({ body: { formCode: 'refund', title: 't' } })
})

describe('a form file is refused with the position of the error, and nothing is saved:', () => {
  const options = [{ value: 'a', label: 'A' }]
  test.each<[string, unknown, string[]]>([
    ['no object', [], ['$']],
    ['an empty object', {}, ['$.fields', '$.workflow']],
    ['an unknown field type', withField({ type: 'colour' }), ['$.fields[0].type']],
    ['required as text', withField({ required: 'yes' }), ['$.fields[0].required']],
    ['options as text', withField({ type: 'select', options: 'a,b' }), ['$.fields[0].options']],
    ['a numeric title', { ...bare, title: 7 }, ['$.title']],
    ['an unknown key', withField({ requried: true }), ['$.fields[0].requried']],
    [
      'an unknown status category',
      withFlow({ statuses: [{ code: 'open', label: 'Open', category: 'begun' }] }),
      ['$.workflow.statuses[0].category'],
    ],
    ['no status', withFlow({ statuses: [] }), ['$.workflow.statuses']],
    ['an unknown initial status', withFlow({ initialStatus: 'nowhere' }), ['$.workflow.initialStatus']],
    [
      'an inactive initial status',
      withFlow({ statuses: [{ ...bare.workflow.statuses[0], active: false }, bare.workflow.statuses[1]] }),
      ['$.workflow.initialStatus'],
    ],
    [
      'transitions with unknown codes',
      withFlow({ transitions: [{ from: 'opne', to: 'dnoe' }] }),
      ['$.workflow.transitions[0].from', '$.workflow.transitions[0].to'],
    ],
    ['a transition to *', withFlow({ transitions: [{ from: '*', to: '*' }] }), ['$.workflow.transitions[0].to']],
    [
      'a duplicate status',
      withFlow({ statuses: [...bare.workflow.statuses, bare.workflow.statuses[0]] }),
      ['$.workflow.statuses[2].code'],
    ],
    [
      'a status code that no filter can name',
      withFlow({ statuses: [...bare.workflow.statuses, { code: 'a,b', label: 'x', category: 'open' }] }),
      ['$.workflow.statuses[2].code'],
    ],
    ['a duplicate field', { ...bare, fields: [bare.fields[0], bare.fields[0]] }, ['$.fields[1].fieldCode']],
    ['a select without options', withField({ type: 'select' }), ['$.fields[0].options']],
    [
      'a select with inactive options only',
      withField({ type: 'multiselect', options: [{ ...options[0], active: false }] }),
      ['$.fields[0].options'],
    ],
    [
      'a duplicate option',
      withField({ type: 'select', options: [...options, ...options] }),
      ['$.fields[0].options[1].value'],
    ],
    ['options of a text', withField({ options }), ['$.fields[0].options']],
    [
      'a pattern that does not compile',
      withField({ validation: { pattern: '[' } }),
      ['$.fields[0].validation.pattern'],
    ],
    ['a slow pattern', withField({ validation: { pattern: '(a+)+b' } }), ['$.fields[0].validation.pattern']],
    [
      'a bound that is no number',
      withField({ type: 'integer', validation: { min: 'x' } }),
      ['$.fields[0].validation.min'],
    ],
    [
      'a fraction of an integer',
      withField({ type: 'integer', validation: { max: '1.5' } }),
      ['$.fields[0].validation.max'],
    ],
    [
      'min above max',
      withField({ type: 'decimal', validation: { min: '2', max: '1.9' } }),
      ['$.fields[0].validation.min'],
    ],
    [
      'minLength above maxLength',
      withField({ validation: { minLength: 3, maxLength: 2 } }),
      ['$.fields[0].validation.minLength'],
    ],
    ['a validation of another type', withField({ validation: { min: '1' } }), ['$.fields[0].validation.min']],
    [
      'a default against its validation',
      withField({ default: 'abc', validation: { maxLength: 2 } }),
      ['$.fields[0].default'],
    ],
    ['a default that is no option', withField({ type: 'select', options, default: 'b' }), ['$.fields[0].default']],
    ['a default of another type', withField({ type: 'boolean', default: 'true' }), ['$.fields[0].default']],
    ['required on an unknown status', withField({ requiredOnStatus: ['won'] }), ['$.fields[0].requiredOnStatus[0]']],
    [
      'several errors at once',
      changed((form) => {
        form['title'] = 7
        return {
          ...form,
          fields: [
            { ...form.fields[0], type: 'x', required: 'yes' },
            { label: 'y', type: 'text' },
          ],
        }
      }),
      ['$.title', '$.fields[0].type', '$.fields[0].required', '$.fields[1].fieldCode'],
    ],
    [
      'wrong types and contradictions in other parts',
      changed((form) => ({
        ...form,
        title: 7,
        fields: [
          { ...form.fields[0], validation: { minLength: 3, maxLength: 2 }, requiredOnStatus: ['won'] },
          { fieldCode: 'method', label: 'Method', type: 'select', default: 'b', options: 'a' },
          { fieldCode: 'kind', label: 'Kind', type: 'select', default: 'b', options, required: 'yes' },
        ],
      })),
      [
        '$.title',
        '$.fields[0].validation.minLength',
        '$.fields[0].requiredOnStatus[0]',
        '$.fields[1].options',
        '$.fields[2].required',
        '$.fields[2].default',
      ],
    ],
    [
      'contradictions inside parts with wrong types',
      changed((form) => ({
        ...form,
        fields: [
          {
            ...form.fields[0],
            type: 'telepathy',
            validation: { minLength: 9, maxLength: 2, pattern: '([', maxSelections: 1 },
            requiredOnStatus: ['won', 7],
          },
          {
            fieldCode: 'kind',
            label: 'Kind',
            type: 'select',
            default: 'b',
            options: [...options, { value: 1, label: 'One' }, ...options],
          },
        ],
        workflow: {
          initialStatus: 'nix',
          statuses: [
            { code: 'open', label: 'Open', category: 'limbo' },
            { code: 'closed', category: 'closed' },
            { code: 'closed', label: 'Closed', category: 'closed' },
          ],
          transitions: [
            { from: 'open', to: 'void' },
            { from: '*', to: 'closed', requiresComment: 'no' },
          ],
        },
      })),
      [
        '$.fields[0].type',
        '$.fields[0].validation.minLength',
        '$.fields[0].validation.pattern',
        '$.fields[0].requiredOnStatus[0]',
        '$.fields[0].requiredOnStatus[1]',
        '$.fields[1].options[1].value',
        '$.fields[1].options[2].value',
        '$.workflow.initialStatus',
        '$.workflow.statuses[0].category',
        '$.workflow.statuses[1].label',
        '$.workflow.statuses[2].code',
        '$.workflow.transitions[0].to',
        '$.workflow.transitions[1].requiresComment',
      ],
    ],
    [
      'a name that may be that of a broken status',
      changed((form) => ({
        ...form,
        fields: [{ ...form.fields[0], requiredOnStatus: ['won'] }],
        workflow: {
          ...form.workflow,
          statuses: [...form.workflow.statuses, { code: 7, label: 'x', category: 'open' }],
        },
      })),
      ['$.workflow.statuses[2].code'],
    ],
    [
      'no statuses to compare with, in a broken workflow',
      changed((form) => ({
        ...form,
        fields: [{ ...form.fields[0], requiredOnStatus: ['won'], validation: { min: '1' } }],
        workflow: { ...form.workflow, statuses: 'open' },
      })),
      ['$.fields[0].validation.min', '$.workflow.statuses'],
    ],
  ])('%s', async (_, form, paths) => {
    expect((await faultsIn(form)).sort()).toEqual([...paths].sort())
  })
})

/**
 * Checks that every request of a merchant about its forms and tickets gets a response, and that a refused request
 * writes no ticket.
 */
async function everythingAnswers({ bot }: Merchant, formCode: string): Promise<void> {
  const { items } = await bot.forms({})
  expect(items.map((form) => form.formCode)).toContain(formCode)
  const before = (await bot.tickets({ query: {} })).total
  const made = await bot
    .createTicket({ body: { title: 't', formCode } })
    .then(() => 1)
    .catch((error: unknown) => {
      if (isProblem(error, 'INVALID_FIELD_VALUES')) return 0
      throw error
    })
  const { items: tickets, total } = await bot.tickets({ query: {} })
  expect(total).toBe(before + made)
  for (const { ticketId } of tickets.slice(0, 2)) await bot.ticket({ params: { ticketId } })
}

/** A form with a field of every type and all of its parts. */
const rich: unknown = {
  title: 'Title',
  description: '',
  active: true,
  fields: [
    ...fieldTypes.map((type) => ({ fieldCode: type, label: type, type })),
    {
      fieldCode: 't',
      label: 'Text',
      type: 'text',
      required: false,
      default: 'abc',
      validation: { minLength: 1, maxLength: 3, pattern: '[a-z]+' },
      requiredOnStatus: ['done'],
    },
    { fieldCode: 'n', label: 'Number', type: 'integer', default: 5, validation: { min: '0', max: '10' } },
    { fieldCode: 'd', label: 'Amount', type: 'decimal', default: '1.5', validation: { min: '-1.5', max: '2' } },
    {
      fieldCode: 'm',
      label: 'Many',
      type: 'multiselect',
      default: ['a'],
      validation: { maxSelections: 2 },
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B', active: false },
      ],
    },
  ].map((field) => (field.type.endsWith('select') ? { options: [{ value: 'a', label: 'A' }], ...field } : field)),
  workflow: {
    initialStatus: 'open',
    statuses: [
      ...statusCategories.map((category) => ({ code: category, label: category, category, active: true })),
      { code: 'done', label: 'Done', category: 'resolved', active: true },
    ],
    transitions: [
      { from: 'open', to: 'done', requiresComment: true },
      { from: '*', to: 'open' },
    ],
  },
}

/** Every position in a document, as the container and the key in it. */
function placesIn(value: unknown): { container: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const container = value as Record<string, unknown>
  return Object.keys(container).flatMap((key) => [{ container, key }, ...placesIn(container[key])])
}

/** The document with one position replaced or removed. */
function mutated(
  document: unknown,
  { database, value, isGone }: { database: number; value: unknown; isGone: boolean },
) {
  const copy: unknown = structuredClone(document)
  const places = placesIn(copy)
  const at = places[database % Math.max(1, places.length)]
  if (!at) return value
  if (isGone) delete at.container[at.key]
  else at.container[at.key] = value
  return JSON.parse(JSON.stringify(copy)) as unknown
}

test('a file with any content is refused and nothing is saved, or all requests about it succeed', async () => {
  const helpdesk = await aHelpdesk()
  const code = fc.constantFrom('open', 'done', 'a', '', '*', 'a,b', ' x', '\u0000', '__proto__', 'é')
  const odd = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    code,
    fc.constantFrom(null, true, -1, 1.5, '1', '-0.5', '(a|a)*b', '[a-z]+', '[', '2026-02-30', 'x'.repeat(6_000)),
  )
  const mutation = fc.record({ database: fc.nat(), value: odd, isGone: fc.boolean() })
  const form = fc.array(mutation, { maxLength: 2 }).map((mutations) => mutations.reduce(mutated, rich))
  let saved = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(form, async (file) => {
      const formCode = 'f'
      const merchant = await aMerchant(helpdesk)
      const before = await versionsOf(helpdesk)
      const outcome = await saveForm(helpdesk.app, merchant.code, formCode, file).catch((error: unknown) => {
        if (isProblem(error, 'CHAT_FORM_INVALID')) return undefined
        throw error
      })
      if (outcome) {
        saved++
        await everythingAnswers(merchant, formCode)
      } else {
        refused++
        expect(await versionsOf(helpdesk)).toBe(before)
      }
    }),
    { seed: 20261123, numRuns: Number(process.env['FORM_RUNS'] ?? 300) },
  )
  expect(helpdesk.failures).toEqual([])
  // Neither case is so rare that it is not tested.
  expect(Math.min(saved, refused)).toBeGreaterThan(20)
})

describe.each(keepingEngines)('a broken form on $name', (engine) => {
  /** Saves forms as the first release did, with any content. */
  async function aBrokenForm(broken: unknown) {
    const database = await engine.database()
    const helpdesk = await aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
    const merchant = await aMerchant(helpdesk)
    const { code, bot } = merchant
    await saveForm(helpdesk.app, code, 'refund', bare)
    const made = await bot.createTicket({
      body: { title: 'held', formCode: 'refund', fieldValues: [{ fieldCode: 'txnId', value: 'T-9' }] },
    })
    await bot.createTicket({ body: { title: 'sound' } })
    await helpdesk.app.store.write(async ({ q, now }) => {
      const definition = typeof broken === 'string' ? broken : JSON.stringify(broken)
      await q
        .insertInto('chat_forms')
        .values({ tenant: code, code: 'refund', version: 2, is_active: 1, definition, created_at: now })
        .execute()
      await q
        .updateTable('chat_tickets')
        .set({
          form_version: 2,
          status: 'begun',
          // The first release accepted it.
          status_category: 'started' as never,
          field_values: JSON.stringify([
            { fieldCode: 'txnId', value: 'T-9' },
            { fieldCode: 'odd', value: { a: 1 } },
          ]),
        })
        .where('id', '=', made.ticketId)
        .execute()
    })
    return { helpdesk, merchant, ticketId: made.ticketId }
  }

  test.each<[string, unknown]>([
    ['unknown field type', withField({ type: 'colour' })],
    ['options as text', withField({ type: 'select', options: 'a,b' })],
    ['pattern that does not compile', withField({ validation: { pattern: '[' } })],
    ['no JSON', '{"fields":'],
  ])('affects only itself, and its tickets can be repaired: %s', async (_, broken) => {
    const { helpdesk, merchant, ticketId } = await aBrokenForm(broken)
    const { bot, agent, code } = merchant
    expect(await bot.forms({})).toMatchObject({
      items: [{ formCode: 'general' }],
      unreadable: [{ formCode: 'refund', version: 2 }],
    })
    await refuses('FORM_UNREADABLE', bot.form({ params: { formCode: 'refund' } }))
    const list = await bot.tickets({ query: { sort: 'createdAt' } })
    expect(list.items).toMatchObject([
      { title: 'held', formUnreadable: true, statusLabel: 'begun', allowedTransitions: [] },
      { title: 'sound', statusLabel: 'Open' },
    ])
    expect(list.items[1]).not.toHaveProperty('formUnreadable')
    expect((await bot.ticket({ params: { ticketId } })).fieldValues).toEqual([{ fieldCode: 'txnId', value: 'T-9' }])
    await refuses('FORM_UNREADABLE', bot.createTicket({ body: { title: 'x', formCode: 'refund' } }))
    expect((await bot.tickets({ query: {} })).total).toBe(2)
    await refuses('FORM_UNREADABLE', bot.setStatus({ params: { ticketId }, body: { status: 'done' } }))
    await bot.comment({ params: { ticketId }, body: { content: 'still works' } })
    await agent.changeTicket({ params: { ticketId }, body: { priority: 4 } })

    const moved = [
      { ticketNumber: 1, formCode: 'refund', fromVersion: 2, toVersion: 1, status: 'open', removedFields: ['odd'] },
    ]
    expect(await repairForms({ ...helpdesk.app, store: dryRunStore(helpdesk.app.store) }, code)).toEqual({
      repaired: moved,
      left: [],
    })
    expect(await bot.ticket({ params: { ticketId } })).toMatchObject({ formVersion: 2, formUnreadable: true })
    expect(await repairForms(helpdesk.app, code)).toEqual({ repaired: moved, left: [] })
    const after = await bot.ticket({ params: { ticketId } })
    expect(after).toMatchObject({ formVersion: 1, status: 'open', statusCategory: 'open', priority: 4 })
    expect(after).not.toHaveProperty('formUnreadable')
    expect(after.history.slice(-3)).toMatchObject([
      { kind: 'formChanged', from: '2', to: '1', actorType: 'system' },
      { kind: 'statusChanged', from: 'begun', to: 'open' },
      { kind: 'fieldChanged', from: '{"a":1}', to: null, note: 'odd' },
    ])
    expect(await repairForms(helpdesk.app, code)).toEqual({ repaired: [], left: [] })
    // Saved again, the form is available for new tickets.
    expect(await saveForm(helpdesk.app, code, 'refund', bare)).toEqual({ formCode: 'refund', version: 3 })
    await bot.createTicket({ body: { title: 'x', formCode: 'refund' } })
    expect((await bot.forms({})).unreadable).toEqual([])
  })
})

test('a form without any readable version keeps its tickets, and they are counted', async () => {
  const helpdesk = await aHelpdesk()
  const { code, bot } = await aMerchant(helpdesk)
  await saveForm(helpdesk.app, code, 'only', { ...generalForm, title: 'Only' })
  await bot.createTicket({ body: { title: 'x', formCode: 'only' } })
  await helpdesk.app.store.write(({ q }) =>
    q.updateTable('chat_forms').set({ definition: '{}' }).where('code', '=', 'only').execute(),
  )
  expect(await repairForms(helpdesk.app, code)).toEqual({
    repaired: [],
    left: [{ formCode: 'only', version: 1, tickets: 1 }],
  })
  expect((await bot.tickets({ query: {} })).total).toBe(1)
})
