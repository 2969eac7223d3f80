import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { outputFailed } from '../../../src/kit/disk-error.ts'
import { standIn } from '../../support/http/stand-in.ts'
import { type Home, run, runJson } from '../../support/program/cli.ts'
import { localHome } from '../../support/worlds/served.ts'

/** A file system without free space. */
function aFullDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-full-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder])
  if (mounted.status !== 0) throw new Error(String(mounted.stderr))
  onTestFinished(() => {
    spawnSync('umount', ['-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  fill(join(folder, 'ballast'))
  return folder
}

function fill(path: string): void {
  try {
    writeFileSync(path, Buffer.alloc(1024 * 1024))
  } catch {
    // It is full, as intended.
  }
}

/** Only root may mount. */
const mayMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-mount-'))
  const may = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0
  if (may) spawnSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
  return may
})()

const statement = { period: '2026-02', openingUsd: '0', chargesUsd: '-1', paymentsUsd: '1', closingUsd: '0' }

async function refusesFull(args: readonly string[], home: Home, file: string): Promise<void> {
  const { code, error } = await runJson(args, { home })
  expect([args[0], code, error.category]).toEqual([args[0], 7, 'temporary'])
  expect(error.message).toContain(`Cannot write ${file}: the disk is full`)
}

describe.skipIf(!mayMount)('on a full disk (skipped if no file system can be mounted)', () => {
  test('statements, reports and tables exit with 7 and a message, and leave no partial file', async () => {
    const full = aFullDisk()
    const before = readdirSync(full)
    const platform = await standIn({ '/account/statements': () => ({ data: { statements: [statement] } }) })
    const file = join(full, 'statements.csv')
    await refusesFull(['statements', 'export', '--out', file], platform, file)
    const text = await run(['statements', 'export', '--out', file], { home: platform })
    expect([text.code, text.stdout]).toEqual([7, ''])
    expect(text.stderr).toMatch(/Cannot write .*: the disk is full\. Nothing was written \(OUTPUT_FAILED\)\n$/)

    const home = await localHome()
    const bill = join(full, 'bill.csv')
    await refusesFull(['reconcile', 'billing', '--csv', bill], home, bill)
    expect(readdirSync(full)).toEqual(before)
  })

  test('settings and profiles exit with 7 too', async () => {
    const full = aFullDisk()
    const home = await localHome()
    const there = { ...home, env: { ...home.env, XDG_CONFIG_HOME: full } }
    const { code, error } = await runJson(['config', 'set', 'timeout', '20s'], { home: there })
    expect([code, error.category]).toEqual([7, 'temporary'])
    expect(error.message).toContain('the disk is full')
  })
})

test.each([
  ['ENOSPC', 'temporary', 'the disk is full'],
  ['EDQUOT', 'temporary', 'the disk quota of this user is used up'],
  ['EFBIG', 'temporary', 'the file would exceed the maximum file size'],
  ['EIO', 'temporary', 'the device reported an I/O error'],
  ['EBUSY', 'temporary', 'the system call failed with EBUSY'],
  ['ENOENT', 'temporary', 'the folder does not exist and cannot be created'],
  ['EROFS', 'configuration', 'the file system is read-only'],
  ['EACCES', 'configuration', 'permission denied'],
])('%s of a disk is %s, in words', (code, category, words) => {
  const error = Object.assign(new Error(code), { code, syscall: 'write' })
  expect(outputFailed('/a/b.csv', error)).toMatchObject({
    code: 'OUTPUT_FAILED',
    detail: { file: '/a/b.csv', category },
    message: `Cannot write /a/b.csv: ${words}. Nothing was written`,
  })
  const bug = new TypeError('a bug')
  expect(outputFailed('/a/b.csv', bug)).toBe(bug)
})
