import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeReadyFile, writeReadyFile } from '../../src/world/ready-file.ts'

test('a process that stops leaves the ready file of the one that replaced it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-ready-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'ready.json')
  const [old, current] = [{ pid: 1 }, { pid: 2 }]
  writeReadyFile(file, old)
  writeReadyFile(file, current)
  removeReadyFile(file, old)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(current)
  removeReadyFile(file, current)
  expect(existsSync(file)).toBe(false)
  // Another process may have removed it already.
  removeReadyFile(file, current)
})
