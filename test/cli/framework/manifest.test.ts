import { expect, test } from 'vitest'
import { commandsAmong, compactManifest, loadProgram } from '../../../src/cli/framework/manifest.ts'
import { root } from '../../support/program/cli.ts'
import { commands } from '../../support/program/command-line.ts'

test('the descriptions that every run reads are the manifest, with each flag once', async () => {
  const { commands: loaded } = await loadProgram(root, false)
  expect(loaded.ids).toEqual(commands.map(({ id }) => id).sort())
  expect(loaded.all()).toHaveLength(commands.length)
  for (const entry of commands) expect(loaded.get(entry.id), entry.id).toEqual(entry)
  expect(loaded.get('no:such')).toBeUndefined()
  const lines = compactManifest(commandsAmong(commands)).split('\n')
  const flags = lines.slice(1 + commands.length)
  expect(flags.length).toBeGreaterThan(100)
  expect(new Set(flags).size).toBe(flags.length)
})
