import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../kit/problem.ts'
import type { Envelope } from '../outcome/envelope.ts'

/** Runs this program as a child process. */
export interface Runner {
  /** Runs a command with `--json` and returns its envelope and exit code. */
  run(args: readonly string[], input?: string): Promise<{ exit: number; envelope: Envelope }>
  /** Starts `serve` and waits until its port answers. */
  serve(args: readonly string[], readyFile: string): Promise<Record<string, unknown>>
  /** Starts a listener that runs until `stop`, and returns its address. */
  listen(args: readonly string[]): Promise<string>
  /** Stops all running children and waits for them. */
  stop(): Promise<void>
}

/** Maximum time for a served world to start. */
const readyWithinMs = 20_000

export function openRunner(options: { program: string; env: Readonly<Record<string, string | undefined>> }): Runner {
  const running = new Set<ChildProcess>()
  const start = (args: readonly string[], stdio: 'pipe' | 'ignore') => {
    const child = spawn(process.execPath, [options.program, ...args], { env: options.env, stdio })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  }
  return {
    async run(args, input) {
      const child = start([...args, '--json'], 'pipe')
      let out = ''
      let complaint = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
      child.stdin?.end(input ?? '')
      const [exit] = await once(child, 'close')
      return { exit: Number(exit ?? 1), envelope: envelopeIn(out, args, complaint) }
    },
    async serve(args, readyFile) {
      const child = start(['serve', ...args, '--ready-file', readyFile], 'ignore')
      for (let waited = 0; waited < readyWithinMs; waited += 20) {
        if (existsSync(readyFile)) return JSON.parse(readFileSync(readyFile, 'utf8'))
        if (child.exitCode !== null) break
        await setTimeout(20)
      }
      throw new Problem('UNEXPECTED', `"countroom serve" did not start (exit code ${child.exitCode ?? 'none'})`)
    },
    async listen(args) {
      const child = start([...args, '--json'], 'pipe')
      child.stderr?.resume()
      const { stdout } = child
      if (stdout === null) throw new Error('A piped child has stdout')
      // A child that exits without a line closes stdout, which ends the loop.
      for await (const line of createInterface({ input: stdout })) {
        stdout.resume()
        const event = JSON.parse(line)
        if (event.type === 'listening') return String(event.url)
        throw new Problem(
          'UNEXPECTED',
          `"countroom ${args.join(' ')}" did not start to listen: ${event.error?.message ?? line}`,
        )
      }
      throw new Problem('UNEXPECTED', `"countroom ${args.join(' ')}" did not start to listen`)
    },
    async stop() {
      await Promise.all(
        [...running].map(async (child) => {
          const exit = once(child, 'exit')
          child.kill('SIGTERM')
          await exit
        }),
      )
    },
  }
}

function envelopeIn(out: string, args: readonly string[], complaint: string): Envelope {
  // A streaming command prints rows before its envelope, which is the last line.
  const last = out.trim().split('\n').at(-1) ?? ''
  try {
    return JSON.parse(last)
  } catch {
    throw new Problem(
      'UNEXPECTED',
      `"countroom ${args.join(' ')}" printed no result: ${complaint.trim().slice(0, 500)}`,
    )
  }
}
