import { expect, test } from 'vitest'
import { compactManifest, loadProgram } from '../../../src/cli/framework/manifest.ts'
import { root } from '../../support/program/cli.ts'
import { commands } from '../../support/program/command-line.ts'

test('the descriptions that every run reads are the manifest, with each flag once', async () => {
  const { commands: loaded } = await loadProgram(root, false)
  const byId = new Map(loaded.map((entry) => [entry.id, entry]))
  expect(byId.size).toBe(commands.length)
  for (const entry of commands) expect(byId.get(entry.id), entry.id).toEqual(entry)
  const { flags } = JSON.parse(compactManifest(commands))
  expect(new Set(flags.map((flag: unknown) => JSON.stringify(flag))).size).toBe(flags.length)
})
