import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { bundled } from '../program/bundled.ts'

const script = await bundled(new URL('store-child.ts', import.meta.url))

/** Another process that uses a database. */
export interface Child {
  /** Lines printed so far. */
  readonly lines: readonly string[]
  /** Resolves after that many lines. */
  waitForLines(count: number): Promise<void>
  /** Sends a line to its standard input. */
  tell(): void
  /** Kills it in the middle of its work, and resolves when all of its output has been read. */
  kill(): Promise<void>
  /** Resolves when it exits 0; rejects when it fails. */
  done(): Promise<void>
}

/** Starts a process on a database with one of the orders of `store-child.ts`. It is killed at the end of the test. */
export function startChild(...input: string[]): Child {
  const child = spawn(process.execPath, [script, ...input])
  const lines: string[] = []
  let complaint = ''
  let wake = () => {}
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const output = createInterface(child.stdout).on('line', (line) => {
    lines.push(line)
    wake()
  })
  let isOver = false
  const exit = Promise.all([once(child, 'exit'), once(output, 'close')]).then(([[code]]) => {
    isOver = true
    wake()
    return code as number | null
  })
  onTestFinished(() => kill(child, exit))
  return {
    lines,
    async waitForLines(count) {
      while (lines.length < count) {
        // The lines of a process that has exited may not be read yet.
        if (isOver) throw new Error(`The process ended with ${child.exitCode}: ${complaint}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    tell: () => void child.stdin.write('\n'),
    kill: () => kill(child, exit),
    async done() {
      const code = await exit
      if (code !== 0) throw new Error(`The process ended with ${code}: ${complaint}`)
    },
  }
}

async function kill(child: ChildProcessWithoutNullStreams, exit: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL')
  await exit
}
