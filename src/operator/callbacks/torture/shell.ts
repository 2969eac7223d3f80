import { spawn } from 'node:child_process'
import { Problem } from '../../../kit/problem.ts'

/** Maximum time of a command, and maximum size of what it prints. */
const withinMs = 60_000
const longestOutput = 10_000_000

/** Runs a command line in the shell and returns what it prints on stdout. Throws COMMAND_FAILED when it fails. */
export function shellOutput(command: string, flag: string, stop: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const signal = AbortSignal.any([stop, AbortSignal.timeout(withinMs)])
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'], signal })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length > longestOutput) child.kill()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-500)
  })
  const failed = (reason: string) =>
    reject(new Problem('COMMAND_FAILED', `${flag} failed: ${reason}${stderr === '' ? '' : `: ${stderr.trim()}`}`))
  child.once('error', (error) =>
    failed(signal.aborted && !stop.aborted ? `no end within ${withinMs / 1000} s` : error.message),
  )
  child.once('close', (code, killed) => {
    if (code === 0) resolve(stdout)
    else failed(code === null ? `killed by ${killed}` : `exit code ${code}`)
  })
  return promise
}
