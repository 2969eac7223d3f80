import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL at which the tests of a run request their PostgreSQL. */
    postgresDoor: string
    /** A folder shared by all workers of a run. */
    runFolder: string
  }
}

/**
 * One PostgreSQL server for a whole test run, started on first use and stopped when the run ends or is killed.
 * `TEST_POSTGRES_URL` names a server to use instead. vitest calls this setup once, before all files.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const keeper = createKeeper()
  const server = createServer((_request, response) => {
    keeper.url().then(
      (text) => response.end(text),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  project.provide('postgresDoor', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const runFolder = mkdtempSync(join(tmpdir(), 'countroom-run-'))
  project.provide('runFolder', runFolder)
  return async () => {
    rmSync(runFolder, { recursive: true, force: true })
    server.close()
    await keeper.stop()
  }
}

/**
 * Returns the URL of the run's PostgreSQL, from the address that the setup provided. The first call starts the server.
 */
export async function postgresUrl(address: string): Promise<string> {
  // The server may have closed a connection that was kept from an earlier request.
  const response = await fetch(address, { headers: { connection: 'close' } })
  const text = await response.text()
  if (!response.ok) throw new Error(`PostgreSQL did not start: ${text}`)
  return text
}

function createKeeper(): { url(): Promise<string>; stop(): Promise<void> } {
  let started: { child: ChildProcess; url: Promise<string> } | undefined
  return {
    url() {
      const given = process.env['TEST_POSTGRES_URL']
      if (given) return Promise.resolve(given)
      started ??= startKeeper()
      return started.url
    },
    async stop() {
      if (!started || started.child.exitCode !== null) return
      const exit = once(started.child, 'exit')
      started.child.stdin?.end()
      await exit
    },
  }
}

/** Starts the keeper in a process of its own, which cleans up after a killed run and then exits. */
export function startKeeper(): { child: ChildProcess; url: Promise<string> } {
  const script = fileURLToPath(new URL('postgres-keeper.ts', import.meta.url))
  // Separate from the run's process group, so that an interrupt on the terminal does not reach the server before its
  // keeper.
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  const url = new Promise<string>((resolve, reject) => {
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    createInterface(child.stdout).on('line', (line) => resolve(JSON.parse(line).url))
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`its keeper ended with ${code}: ${complaint}`)))
  })
  url.catch(() => {})
  return { child, url }
}
