import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { bundled } from '../program/bundled.ts'

const script = await bundled(new URL('dealing-child.ts', import.meta.url))

/** A process that deals and pays on a database until it is killed. */
export interface DealingProcess {
  /** Resolves after that many acknowledgements; rejects if the process exits before. */
  waitForLines(lines: number): Promise<void>
  /** Kills it in the middle of its work, and returns its acknowledgements. */
  kill(): Promise<{ slips: number; txnIds: string[] }>
}

/** Starts one; it is killed at the end of the test. */
export function startDealing(db: string): DealingProcess {
  const child = spawn(process.execPath, [script, db], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: { slips?: number; txnId?: string }[] = []
  let rest = ''
  let complaint = ''
  let wake = () => {}
  child.stderr.on('data', (text) => {
    complaint += text
  })
  child.stdout.on('data', (text) => {
    const [last = '', ...whole] = (rest + text).split('\n').toReversed()
    rest = last
    for (const line of whole.toReversed()) lines.push(JSON.parse(line))
    wake()
  })
  let isOver = false
  const exit = once(child, 'close').finally(() => {
    isOver = true
    wake()
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  return {
    async waitForLines(count) {
      while (lines.length < count) {
        if (isOver) throw new Error(`the process ended by itself: ${complaint}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
      return {
        slips: lines.reduce((slips, line) => slips + (line.slips ?? 0), 0),
        txnIds: lines.flatMap((line) => line.txnId ?? []),
      }
    },
  }
}
