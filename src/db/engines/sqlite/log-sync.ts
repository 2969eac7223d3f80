import { type FileHandle, open } from 'node:fs/promises'

/** Syncs SQLite's write-ahead log to the disk without blocking this thread. */
export interface LogSync {
  /** Resolves when everything that was written to the log before the call is on the disk. */
  sync(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the log of a database with its first sync; it exists from the first write until the last connection closes. One sync runs
 * at a time. Calls during a sync share the next one, because the running one may have begun before their writes. After a failure
 * every later call fails, because the system may have discarded what it could not write.
 */
export function logSyncOf(path: string): LogSync {
  let log: Promise<FileHandle> | undefined
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  const start = async () => {
    // Write access, which Windows requires for a sync.
    log ??= open(`${path}-wal`, 'r+')
    await (await log).sync()
  }
  return {
    sync() {
      next ??= running.then(() => {
        next = undefined
        running = start()
        return running
      })
      return next
    },
    async close() {
      await (next ?? running).catch(() => {})
      await (await log?.catch(() => undefined))?.close()
    },
  }
}
