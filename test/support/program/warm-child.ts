/**
 * Runs the built program many times in one process. Does what `bin/run.js` does, without loading the program again for
 * each command. Each run has its own environment, folder, input, output, exit code and listeners.
 */
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface Order {
  /** Script of another program, in the program's root folder. */
  readonly script?: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly input: string
}

const ownRoot = fileURLToPath(new URL('../../..', import.meta.url))
const built = new URL('../../../dist/src/cli/framework/main.js', import.meta.url)
const { main } = (await import(built.href)) as typeof import('../../../src/cli/framework/main.ts')

process.on('message', (order: Order) => void carryOut(order).then((result) => process.send?.(result)))
// The parent process has ended.
process.on('disconnect', leave)
const reallyExit = process.exit.bind(process)
function leave(): never {
  return reallyExit(0)
}

async function carryOut({ script, args, env, cwd, input }: Order) {
  const root = script === undefined ? ownRoot : dirname(script)
  const listeners = new Map(process.eventNames().map((name) => [name, new Set(process.rawListeners(name))]))
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = undefined
  process.argv.splice(1, Infinity, script ?? join(ownRoot, 'bin/run.js'), ...args)
  const stdout = aSink()
  const stderr = aSink()
  put('stdin', Readable.from([Buffer.from(input)]))
  put('stdout', stdout.stream)
  put('stderr', stderr.stream)
  const code = await new Promise<number>((resolve) => {
    process.exit = ((given) => resolve(Number(given ?? process.exitCode ?? 0))) as typeof process.exit
    void main(args, { root })
  })
  for (const name of process.eventNames()) {
    const before = listeners.get(name)
    for (const listener of process.rawListeners(name)) {
      if (before?.has(listener)) continue
      if (name === 'exit') listener.call(process, code)
      process.removeListener(name, listener as () => void)
    }
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function put(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): void {
  Object.defineProperty(process, name, { value: stream, configurable: true })
}

function aSink() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
