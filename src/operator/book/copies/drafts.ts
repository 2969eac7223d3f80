import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writing } from '../../../kit/disk-error.ts'
import { syncFolder } from '../../../kit/make-folder.ts'

/**
 * Drafts of database files and evidence packs: written under another name next to the target, and renamed when they are whole. A
 * killed run leaves at most a draft, which the next run removes.
 */

const sidecars = ['', '-wal', '-shm', '-journal'] as const

/** Returns the path of this process's draft, after removing those of processes that have ended. */
export function draftFor(path: string): string {
  removeStaleDrafts(path)
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.draft`)
  removeDraft(draft)
  return draft
}

export function removeDraft(draft: string): void {
  for (const suffix of sidecars) rmSync(`${draft}${suffix}`, { recursive: true, force: true })
}

/** Renames a whole draft to its final name, durably. With `keepAs`, the file it replaces stays under that name. */
export function publish(draft: string, path: string, keepAs?: string): void {
  writing(path, () => {
    for (const suffix of sidecars.slice(1)) rmSync(`${draft}${suffix}`, { force: true })
    if (keepAs !== undefined && existsSync(path)) linkSync(path, keepAs)
    renameSync(draft, path)
    syncFolder(dirname(path))
  })
}

function removeStaleDrafts(path: string): void {
  const start = `.${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start)) continue
    const [, pid] = /^(\d+)\.draft(?:-wal|-shm|-journal)?$/.exec(name.slice(start.length)) ?? []
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(dirname(path), name), { recursive: true, force: true })
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
