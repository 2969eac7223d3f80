import { expect, test } from 'vitest'
import { commands, envelopeOf, run, runJson } from '../support/cli.ts'

test.each(commands.map(({ id }) => id.replaceAll(':', ' ')))(
  'the schema of "%s" is printed and names it',
  async (words) => {
    const { code, stdout } = await run(['schema', ...words.split(' ')])
    expect(code).toBe(0)
    const schema = JSON.parse(stdout)
    expect(schema.properties.command.const).toBe(words)
    expect(schema.required).toEqual(['schemaVersion', 'command', 'status', 'data', 'warnings', 'error'])
  },
)

test('the schema of schema holds of its own output', async () => {
  expect((await runJson(['schema', 'schema'])).code).toBe(0)
})

test('a command that is not there ends in 127 with the nearest', async () => {
  const result = await run(['schema', 'profiles', 'lits', '--json'])
  expect(result.code).toBe(127)
  expect(envelopeOf(result).error.details).toEqual({ nearest: ['profiles list'] })
})
