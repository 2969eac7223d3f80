/**
 * A second process on a database, for behavior that needs two processes. Called with a command, a URL and the command's
 * arguments.
 */
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { nextOf } from '../../../src/db/counter.ts'
import { openStore, type Tx } from '../../../src/db/store.ts'
import { anAccount, insertRecord, probeOptions } from '../../db/probe.ts'

const [command, url = '', amount = '0'] = process.argv.slice(2)
const print = (line: string) => writeSync(1, `${line}\n`)
const open = () => openStore({ ...probeOptions, url })

/** Writes records until it is killed, eight at a time, and prints the number of each one when it is acknowledged. */
async function acknowledge(): Promise<void> {
  const store = await open()
  const one = async () => {
    for (;;) {
      const seq = await store.write(async (tx) => {
        const next = await nextOf(tx, 'records')
        await insertRecord(tx, next, 'a')
        return next
      })
      print(String(seq))
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
}

/** Writes that many records, one after another, and prints the number of each. */
async function count(): Promise<void> {
  const store = await open()
  for (let i = 0; i < Number(amount); i++) print(String(await store.write((tx) => nextOf(tx, 'records'))))
  await store.close()
}

/** Begins a write, in a write group if one is named, prints `held`, and commits after the next line of command. */
async function hold(): Promise<void> {
  const store = await open()
  const line = new Promise<void>((resolve) => createInterface(process.stdin).once('line', () => resolve()))
  const writeGroup = process.argv[4]
  const work = async (tx: Tx) => {
    await anAccount(tx, 'held')
    print('held')
    await line
  }
  await store.write(work, writeGroup === undefined ? {} : { writeGroup })
  await store.close()
  process.exit()
}

/** Opens the database and prints which drivers were loaded. */
async function drivers(): Promise<void> {
  const opened = await open().catch(() => undefined)
  const loaded = Object.keys(createRequire(import.meta.url).cache)
  print(['better-sqlite3', 'pg'].filter((name) => loaded.some((path) => path.includes(`node_modules/${name}/`))).join())
  await opened?.close()
}

const commands: Readonly<Record<string, () => Promise<void>>> = { acknowledge, count, hold, drivers }
await commands[command ?? '']?.()
