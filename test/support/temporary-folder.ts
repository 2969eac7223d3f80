import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const tmpfsType = 0x01021994
/** Free memory that the folder must have. A run uses about a quarter of it. */
const neededBytes = 2 * 1024 ** 3
const prefix = 'countroom-tests-'

/**
 * Returns the folder of a run's temporary files. It is in memory if the system has such a file system, because tests
 * write databases through to the disk. It is removed when the process exits; folders of killed runs are removed at the
 * next start.
 */
export function temporaryFolder(): string {
  if (!isUsable()) return tmpdir()
  for (const name of readdirSync(memory)) {
    const [, owner] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // The folder of PostgreSQL, which may run as another user, is below this one.
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns whether the file system is in memory, has enough space, and allows programs to be run from it. */
function isUsable(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory)
    if (type !== tmpfsType || bavail * bsize < neededBytes) return false
    const probe = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
    try {
      writeFileSync(join(probe, 'program'), '#!/bin/sh\n', { mode: 0o755 })
      execFileSync(join(probe, 'program'))
    } finally {
      rmSync(probe, { recursive: true, force: true })
    }
    return true
  } catch {
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
