/**
 * Loads a snapshot and dies at a given call to the database or the file system, as a killed server does: before an even one, and
 * while an odd one runs. Called with the URL of a world, the name of a snapshot, the number of the call, and the data folder. If
 * the load makes fewer calls, it prints their number.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import Database from 'better-sqlite3'
import pg from 'pg'
import { openWorld } from '../../../src/world/world.ts'

const [db = '', name = '', last = '', dataFolder] = process.argv.slice(2)
let calls = 0
let isLoading = false
const die = () => process.kill(process.pid, 'SIGKILL')

/** Counts the calls of methods. */
function count(owner: object, ...methods: readonly string[]): void {
  for (const method of methods) {
    const call = Reflect.get(owner, method)
    Reflect.set(owner, method, function (this: unknown, ...args: unknown[]) {
      const isLast = isLoading && ++calls === Number(last)
      if (isLast && Number(last) % 2 === 0) die()
      const value = Reflect.apply(call, this, args)
      // After the next turn, so that the request has been sent.
      if (isLast) setImmediate(die)
      return value
    })
  }
}

count(pg.Client.prototype, 'query')
count(Database.prototype, 'prepare', 'exec', 'pragma')
count(fs, 'copyFileSync', 'linkSync', 'renameSync', 'rmSync')
count(promises, 'copyFile', 'open')
syncBuiltinESMExports()
const backup = Database.prototype.backup
Database.prototype.backup = function (this: Database.Database, to, options) {
  const steps = { progress: (state: Database.BackupMetadata) => options?.progress?.(state) ?? 100 }
  count(steps, 'progress')
  return Reflect.apply(backup, this, [to, steps])
}

const world = await openWorld({ db, ...(dataFolder === undefined ? {} : { dataFolder }) })
isLoading = true
await world.snapshots.load({ name })
isLoading = false
await world.close()
process.stdout.write(`${calls}\n`)
