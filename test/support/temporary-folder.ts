import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const tmpfsType = 0x01021994
/** Free memory that a run must find there; it uses about a quarter of it. */
const neededBytes = 2 * 1024 ** 3
const prefix = 'countroom-tests-'

/**
 * Returns the folder of a run's temporary files: in memory where the system has a file system there, since tests write
 * databases through to the disk and would wait for it; otherwise the system's own. It is removed at the end of the process,
 * and those of runs that were killed at the next start.
 */
export function temporaryFolder(): string {
  if (!isUsable()) return tmpdir()
  for (const name of readdirSync(memory)) {
    const [, owner] = new RegExp(`^${prefix}(\\d+)-`).exec(name) ?? []
    if (owner !== undefined && !isRunning(Number(owner))) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  // PostgreSQL, which may run as another user, has its folder below this one.
  chmodSync(folder, 0o711)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns whether the file system is in memory, has enough space, and lets programs run that are written to it. */
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
