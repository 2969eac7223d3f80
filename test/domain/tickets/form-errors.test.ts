import { describe, expect, test } from 'vitest'
import type { FormDefinition, FormField } from '../../../src/domain/tickets/form.ts'
import { faultsOfForm, isUsable } from '../../../src/domain/tickets/form-errors.ts'
import type { Workflow } from '../../../src/domain/tickets/workflow.ts'

const flow: Workflow = {
  initialStatus: 'a',
  statuses: [
    { code: 'a', label: '', category: 'open' },
    { code: 'b', label: '', category: 'closed' },
  ],
  transitions: null,
}
const aField = (more: Partial<FormField> = {}): FormField => ({
  fieldCode: 'f',
  label: '',
  type: 'text',
  required: false,
  visibleToCustomer: true,
  validation: {},
  requiredOnStatus: [],
  ...more,
})
const aForm = (fields: readonly FormField[], workflow: Partial<Workflow> = {}): FormDefinition => ({
  title: '',
  description: '',
  fields,
  workflow: { ...flow, ...workflow },
})
const faultTexts = (form: FormDefinition) => faultsOfForm(form).map(({ path, message }) => `${path} ${message}`)
const status = (code: string, active?: boolean): Workflow['statuses'][number] => ({
  code,
  label: '',
  category: 'open',
  ...(active === undefined ? {} : { active }),
})

test('a form without contradictions has no faults', () => {
  const transitions = [
    { from: '*', to: 'b' },
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ]
  expect(
    faultTexts(aForm([aField({ requiredOnStatus: ['a', 'b'] }), aField({ fieldCode: 'g' })], { transitions })),
  ).toEqual([])
})

describe('a workflow', () => {
  test.each<[Partial<Workflow>, string[]]>([
    [{ initialStatus: 'x' }, ['$.workflow.initialStatus "x" is not an active status of this workflow; active: a, b']],
    [
      { statuses: [status('a', false), status('b', true)] },
      ['$.workflow.initialStatus "a" is not an active status of this workflow; active: b'],
    ],
    [
      { statuses: [status('a', false)] },
      ['$.workflow.initialStatus "a" is not an active status of this workflow; active: none'],
    ],
    [{ statuses: [status('a', true)] }, []],
    [{ statuses: [status('a'), status('b'), status('a')] }, ['$.workflow.statuses[2].code "a" occurs more than once']],
    ...['*', 'b,c', ' b', 'b '].map((code): [Partial<Workflow>, string[]] => [
      { statuses: [status('a'), status(code)] },
      [`$.workflow.statuses[1].code "${code}" must not be "*", contain a comma, or begin or end with a space`],
    ]),
    [
      { transitions: [{ from: 'x', to: 'b' }] },
      ['$.workflow.transitions[0].from "x" is not a status of this workflow'],
    ],
    [{ transitions: [{ from: 'a', to: 'x' }] }, ['$.workflow.transitions[0].to "x" is not a status of this workflow']],
    [{ transitions: [{ from: 'a', to: '*' }] }, ['$.workflow.transitions[0].to "*" is not a status of this workflow']],
    [
      {
        transitions: [
          { from: 'a', to: 'b' },
          { from: 'a', to: 'b' },
        ],
      },
      ['$.workflow.transitions[1] "a → b" occurs more than once'],
    ],
  ])('%j: %j', (workflow, faults) => {
    expect(faultTexts(aForm([], workflow))).toEqual(faults)
  })
})

describe('a field', () => {
  const option = { value: 'x', label: '' }
  const off = { value: 'y', label: '', active: false }
  const texts = ['text', 'textarea', 'email', 'phone', 'url', 'decimal', 'date', 'datetime'] as const

  test.each<[Partial<FormField>, string[]]>([
    [{ requiredOnStatus: ['a', 'x'] }, ['requiredOnStatus[1] "x" is not a status of this workflow']],
    ...texts.map((type): [Partial<FormField>, string[]] => [
      { type, validation: { minLength: 1, maxLength: 9, pattern: 'a' } },
      [],
    ]),
    [
      { type: 'integer', validation: { minLength: 1, maxLength: 9, pattern: 'a' } },
      ['minLength', 'maxLength', 'pattern'].map(
        (name) => `validation.${name} does not apply to a field of type integer`,
      ),
    ],
    [{ type: 'integer', validation: { minLength: null, min: '1', max: '9', maxSelections: null } }, []],
    [{ type: 'decimal', validation: { min: '1', max: '9' } }, []],
    [
      { type: 'date', validation: { min: '1', max: '9' } },
      ['min', 'max'].map((name) => `validation.${name} does not apply to a field of type date`),
    ],
    [{ type: 'multiselect', options: [option], validation: { maxSelections: 1 } }, []],
    [
      { type: 'select', options: [option], validation: { maxSelections: 1 } },
      ['validation.maxSelections does not apply to a field of type select'],
    ],
    [{ validation: { minLength: 5, maxLength: 5 } }, []],
    [{ validation: { minLength: 5 } }, []],
    [{ validation: { maxLength: 5 } }, []],
    [{ validation: { minLength: 6, maxLength: 5 } }, ['validation.minLength 6 is greater than maxLength, 5']],
    [{ type: 'integer', validation: { min: '1.5' } }, ['validation.min "1.5" is not a whole number']],
    [{ type: 'decimal', validation: { min: '1.5' } }, []],
    [{ type: 'decimal', validation: { min: 'x' } }, ['validation.min "x" is not a decimal number']],
    [{ type: 'decimal', validation: { max: '1e3', min: '5' } }, ['validation.max "1e3" is not a decimal number']],
    [{ type: 'decimal', validation: { max: '1', min: 'x' } }, ['validation.min "x" is not a decimal number']],
    [{ type: 'decimal', validation: { min: '2', max: '2' } }, []],
    [{ type: 'decimal', validation: { min: '2.1', max: '2' } }, ['validation.min 2.1 is greater than max, 2']],
    [{ type: 'decimal', validation: { min: '-2', max: '-1.5' } }, []],
    [{ options: [option] }, ['options do not apply to a field of type text']],
    [{ options: [] }, []],
    [{ options: null }, []],
    [{ type: 'select', options: [option] }, []],
    [{ type: 'multiselect', options: [option, off] }, []],
    [{ type: 'select', options: [off] }, ['options a field of type select needs at least one active option']],
    [{ type: 'multiselect', options: [] }, ['options a field of type multiselect needs at least one active option']],
    [{ type: 'select', options: [option, off, option] }, ['options[2].value "x" occurs more than once']],
    [{ type: 'integer', default: 5 }, []],
    [{ type: 'integer', default: null }, []],
    [{ type: 'integer', default: 'x' }, ['default is not a valid value of the field (wrong_type)']],
    [
      { type: 'integer', default: 0, validation: { min: '1' } },
      ['default is not a valid value of the field (out_of_range)'],
    ],
    // With an invalid bound the default cannot be checked.
    [{ type: 'decimal', default: '5', validation: { min: 'x' } }, ['validation.min "x" is not a decimal number']],
  ])('%j: %j', (field, faults) => {
    expect(faultTexts(aForm([aField(field)]))).toEqual(faults.map((fault) => `$.fields[0].${fault}`))
  })

  test('a pattern that does not compile, or can take too long, is reported as such', () => {
    const messages = ['[', '(a+)+'].map((pattern) => faultTexts(aForm([aField({ validation: { pattern } })])))
    expect(messages).toEqual([
      [expect.stringMatching(/^\$\.fields\[0\]\.validation\.pattern does not compile: /)],
      [expect.stringMatching(/^\$\.fields\[0\]\.validation\.pattern can take too long to match/)],
    ])
  })

  test('a duplicate code is reported at the second', () => {
    expect(faultTexts(aForm([aField(), aField()]))).toEqual(['$.fields[1].fieldCode "f" occurs more than once'])
  })
})

test.each<[Partial<FormField>, Partial<Workflow>, boolean]>([
  [{}, {}, true],
  [{}, { initialStatus: 'b' }, true],
  [{}, { initialStatus: 'x' }, false],
  [{ validation: { pattern: 'a' } }, {}, true],
  [{ validation: { pattern: '(a+)+' } }, {}, false],
  [{ validation: { pattern: '(a+)+', min: '1' } }, {}, false],
  [{ validation: { min: '1', max: null } }, {}, true],
  [{ validation: { min: 'x', max: '1' } }, {}, false],
  [{ validation: { min: '1', max: 'x' } }, {}, false],
])('a stored form with %j and %j can be used: %s', (field, workflow, expected) => {
  expect(isUsable(aForm([aField({ fieldCode: 'g' }), aField(field)], workflow))).toBe(expected)
})
