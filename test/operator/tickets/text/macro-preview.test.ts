import { expect, test } from 'vitest'
import { macroPreview } from '../../../../src/operator/tickets/text/macro-preview.ts'
import { variablesFor } from '../../../../src/operator/tickets/text/macro-variables.ts'
import { aTicket } from '../a-ticket.ts'
import { parseMacro } from '../bulk/parse-macro.ts'

const book = { macros: [], internalWords: ['fraud'], file: 'macros.yaml' }

test('without a ticket it has the variables only', async () => {
  const macro = await parseMacro('hello: { default: "Dear {{customerDisplayName}}", de: "Hallo" }')
  expect(macroPreview(macro, 'default', book, undefined)).toEqual({
    ...{ macro: 'hello', language: 'default', variables: ['customerDisplayName'] },
    ...{ used: null, text: null, fault: null, guard: [] },
  })
})

test('with a ticket each language is filled, and the one of the customer is marked', async () => {
  const macro = await parseMacro('hello: { default: "Dear {{customerDisplayName}}", de: "Hallo, fraud" }')
  const variables = variablesFor(aTicket(1), undefined)
  const [english, german] = ['default', 'de'].map((language) =>
    macroPreview(macro, language, book, { variables, language: 'de' }),
  )
  expect(german).toMatchObject({ used: true, text: 'Hallo, fraud', fault: null, guard: ['internal-word'] })
  expect(english).toMatchObject({ used: false, text: null, guard: [] })
  expect(english?.fault).toContain('{{customerDisplayName}}')
  expect(english?.fault).toContain('(macros.yaml line 2)')
})
