import { expect, test } from 'vitest'
import { envelopeSchema } from '../../src/cli/outcome/envelope.ts'
import { resultSchema } from '../../src/cli/outcome/result-schema.ts'
import { classOf, envelopeOf, run, runJson } from '../support/program/cli.ts'
import { commands } from '../support/program/command-line.ts'

const wordsOf = (id: string) => id.replaceAll(':', ' ')

// All are printed by the same code: the printed output of some commands is compared.
test.each(commands.filter((_, index) => index % 12 === 0).map(({ id }) => [wordsOf(id), id]))(
  'the schema of "%s" is printed and names it',
  async (words, id) => {
    const { code, stdout } = await run(['schema', ...words.split(' ')])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(await schemaOf(id))
  },
)

test.each(commands.map(({ id }) => [wordsOf(id), id]))('"%s" has a schema that names it', async (words, id) => {
  const schema = await schemaOf(id)
  expect(schema.properties.command.const).toBe(words)
  expect(schema.required).toEqual(['schemaVersion', 'command', 'status', 'data', 'warnings', 'error'])
})

/** In the format that a program gets. */
async function schemaOf(id: string) {
  const data = await resultSchema(await classOf(id))
  return JSON.parse(JSON.stringify(await envelopeSchema(wordsOf(id), data)))
}

test('the schema of schema is valid for its own output', async () => {
  expect((await runJson(['schema', 'schema'])).code).toBe(0)
})

test('an unknown command exits with 127 and the nearest one', async () => {
  const result = await run(['schema', 'profiles', 'lits', '--json'])
  expect(result.code).toBe(127)
  expect(envelopeOf(result).error.details).toEqual({ nearest: ['profiles list'] })
  // A command is named by its words.
  expect((await runJson(['schema', 'profiles:list'])).error).toMatchObject({ code: 'UNKNOWN_COMMAND' })
})
