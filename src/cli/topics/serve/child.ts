import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Problem } from '../../../kit/problem.ts'
import type { Environment } from '../../../world/config/config.ts'

/** A child process that this run is for. */

export interface ChildOptions {
  readonly env: Environment
  /** Aborted with the name of a signal, which is passed on. */
  readonly stop: AbortSignal
  /** Target of the child's stdout. */
  readonly stdoutTo: 'stdout' | 'stderr'
}

export interface ChildEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Time that a child has after a signal before it is killed. */
const killAfterMs = 10_000

/** Runs a command with the streams of this process, passes signals on, and waits for its end. */
export async function runChild(
  [program = '', ...args]: readonly string[],
  { env, stop, stdoutTo }: ChildOptions,
): Promise<ChildEnd> {
  stop.throwIfAborted()
  const child = spawn(program, args, {
    env: { ...env },
    stdio: ['inherit', stdoutTo === 'stdout' ? 'inherit' : 2, 'inherit'],
  })
  const end = endOf(child, program)
  let timer: NodeJS.Timeout | undefined
  const pass = () => {
    const signal = stop.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM'
    // On a terminal Ctrl-C reaches every process in the foreground, this child too.
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal)
    timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  }
  stop.addEventListener('abort', pass, { once: true })
  try {
    return await end
  } finally {
    stop.removeEventListener('abort', pass)
    clearTimeout(timer)
  }
}

/** Returns the exit code of a child as a shell gives it: 128 and the number of the signal that killed it. */
export function exitOfChild({ code, signal }: ChildEnd): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

function endOf(child: ChildProcess, program: string): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        { ENOENT: 'there is no such program', EACCES: 'it is not executable' }[error.code ?? ''] ?? error.message
      reject(new Problem('UNKNOWN_COMMAND', `Cannot run ${program}: ${reason}`))
    })
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}
