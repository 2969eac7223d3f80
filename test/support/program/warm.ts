import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Result } from './cli.ts'
import type { Order } from './warm-child.ts'

const script = fileURLToPath(new URL('warm-child.ts', import.meta.url))
/** Processes that wait for a command. They exit with the test file, when their channel is closed. */
const idle: ChildProcess[] = []

/** Runs the built program in a process that has loaded it, one run at a time per process. */
export async function runWarm(input: Order, longestMs: number): Promise<Result> {
  const child = idle.pop() ?? started(input.env['NODE_COMPILE_CACHE'])
  const late = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const controller = new AbortController()
  const exit = once(child, 'exit', controller).then(([code, signal]) => {
    throw new Error(`countroom ${input.args.join(' ')} ended its process: ${code ?? signal}`)
  })
  exit.catch(() => {})
  const answered: Promise<Result> = once(child, 'message', controller).then(([result]) => result)
  answered.catch(() => {})
  child.send(input)
  try {
    const result = await Promise.race([answered, exit])
    idle.push(child)
    return result
  } finally {
    clearTimeout(late)
    controller.abort()
  }
}

function started(compileCache: string | undefined): ChildProcess {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache }
  const child = fork(script, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  // An idle process does not keep the test file from ending.
  child.unref()
  child.channel?.unref()
  return child
}
