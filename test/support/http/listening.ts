import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Home, programs } from '../program/cli.ts'
import { ended } from '../program/processes.ts'

/** A process that runs `webhooks listen` or `ipn listen`: its address, and its lines as they arrive. */
export async function listening(topic: 'webhooks' | 'ipn', home: Home, args: readonly string[] = [], input?: string) {
  const words = [programs.countroom, topic, 'listen', '--port', '0', '--json', ...args]
  const child = spawn(process.execPath, words, { env: { PATH: process.env['PATH'], ...home.env }, cwd: home.folder })
  onTestFinished(() => ended(child, 'SIGKILL'))
  if (input !== undefined) child.stdin.end(input)
  const lines: Record<string, unknown>[] = []
  let complaint = ''
  let wake = () => {}
  child.stderr.on('data', (text) => {
    complaint += text
  })
  createInterface(child.stdout).on('line', (line) => {
    lines.push(JSON.parse(line))
    wake()
  })
  let isOver = false
  // After `close` all of its output has been read.
  child.on('close', () => {
    isOver = true
    wake()
  })
  const waitForLines = async (count: number) => {
    while (lines.length < count) {
      if (isOver) throw new Error(`listen ended in ${child.exitCode}: ${complaint} ${JSON.stringify(lines)}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    return lines
  }
  const [{ url } = {}] = await waitForLines(1)
  return {
    url: String(url),
    waitForLines,
    async stop() {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      const [code] = await closed
      return { code, data: (lines.at(-1) as { data: unknown }).data, complaint }
    },
    kill: () => ended(child, 'SIGKILL'),
  }
}

export const post = (url: string, body: string, headers: Record<string, string>) =>
  fetch(url, { method: 'POST', body, headers })
