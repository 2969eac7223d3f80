import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longestMs, type Result } from './cli.ts'
import { freePort } from './free-port.ts'
import { expectPasteable } from './printed-commands.ts'
import { ended, program, root, type Served, served, workbench } from './processes.ts'
import { runWarm } from './warm.ts'

/**
 * Runs the commands of a guide. Blocks of a guide, by the first word after the fence:
 *
 * | block | meaning |
 * |---|---|
 * | `sh` | commands, run in order; each must exit 0, or N where its line ends with `# exit N` or `# exit N: reason` |
 * | `sh runs-on` | commands that run until they are stopped: started, waited for, and stopped at the end of the guide |
 * | `crontab` | the commands of its lines are run, without the schedule |
 * | any with a file name | written to the working folder first |
 */
export interface Block {
  readonly kind: string
  readonly name: string
  readonly text: string
}

export interface GuideOptions {
  /** Flags for `serve`. */
  readonly serve?: readonly string[]
  /** Commands that prepare the world before the guide begins. */
  readonly before?: readonly string[]
  /** Texts of the guide that have another value in the test; `ready` is the ready file. */
  readonly values?: (ready: ReadyFile) => Promise<Readonly<Record<string, string>>>
  /** Ids in the guide, each with the place of its replacement in the output of an earlier command. */
  readonly captures?: Readonly<Record<string, RegExp>>
}

export interface ReadyFile {
  readonly gateway: { readonly sandbox: { readonly whitelisted: { readonly usdttrc20: string } } }
}

export const readDocument = (path: string): string => readFileSync(join(root, path), 'utf8')

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+) ?(\S*)[^\n]*\n([\s\S]*?)^```$/gm)].map(
    ([, kind = '', name = '', text = '']) => ({
      kind,
      name,
      text,
    }),
  )
}

/** Returns the lines of a shell block without comments, with continued lines joined. */
export function linesOf(text: string): string[] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

const exitMark = / +# exit (\d+)(?:: .*)?$/

/**
 * Declares the tests of a guide: every command it shows, in order, in one empty folder and against one served world.
 */
export function testGuide(path: string, options: GuideOptions = {}): void {
  const blocks = blocksOf(readDocument(path))
  describe(path, () => {
    const bench = workbench('guide')
    const running: { line: string; stop(): Promise<string> }[] = []
    let world: Served | undefined
    let values: Record<string, string> = {}
    const env = () => ({ ...bench.env, PATH: `${join(bench.folder, 'bin')}:${bench.env['PATH']}` })
    const inTest = (text: string) =>
      Object.entries(values).reduce((done, [shown, real]) => done.replaceAll(shown, real), text)
    const runLine = async (line: string) => {
      const result = await runExample(inTest(line), bench.folder, env())
      for (const [shown, pattern] of Object.entries(options.captures ?? {})) {
        const [, value] = pattern.exec(result.stdout) ?? []
        if (value !== undefined) values[shown] ??= value
      }
      return result
    }

    beforeAll(async () => {
      const ports = ['8790', '8791']
      const free = await Promise.all(ports.map(() => freePort()))
      shim(join(bench.folder, 'bin'))
      world = await served(bench.folder, env(), [
        '--ready-file',
        join(bench.folder, 'ready.json'),
        ...(options.serve ?? []),
      ])
      values = {
        'http://127.0.0.1:8787': world.baseUrl,
        ...Object.fromEntries(ports.map((port, i) => [port, String(free[i])])),
        '/srv/house': bench.folder,
        ...(await options.values?.(JSON.parse(readFileSync(join(bench.folder, 'ready.json'), 'utf8')))),
      }
      for (const { name, text, kind } of blocks)
        if (name !== '' && kind !== 'sh') writeFileSync(join(bench.folder, name), inTest(text))
      for (const line of options.before ?? []) {
        const { code, stderr } = await runLine(line)
        if (code !== 0) throw new Error(`${line}: exit ${code}: ${stderr}`)
      }
    })
    afterAll(async () => {
      for (const each of running) await each.stop()
      await world?.stop()
      bench.done()
    })

    for (const { kind, name, text } of blocks) {
      if (kind === 'sh' && name === 'runs-on') {
        for (const line of linesOf(text))
          test(`$ ${line} (until it is stopped)`, async () => {
            running.push(await startExample(inTest(line), bench.folder, env()))
          })
        continue
      }
      const lines = kind === 'sh' ? linesOf(text) : kind === 'crontab' ? cronCommands(text) : []
      for (const line of lines)
        test(`$ ${line}`, async () => {
          const [, mark = '0'] = exitMark.exec(line) ?? []
          const { code, stdout, stderr } = await runLine(line.replace(exitMark, ''))
          const expected = Number(mark)
          expect({ code, complaint: code === expected ? '' : stderr + stdout }).toEqual({
            code: expected,
            complaint: '',
          })
        })
    }

    test('commands that run until they are stopped exit on their signal', async () => {
      for (const { line, stop } of running.splice(0)) expect(await stop(), line).toBe('143')
    })
  })
}

/** Returns the commands of a crontab, each without its schedule. */
export function cronCommands(text: string): string[] {
  return linesOf(text)
    .filter((line) => /^(\S+ +){5}/.test(line))
    .map((line) => line.replace(/^(\S+ +){5}/, ''))
}

/** Writes a `countroom` script into a folder for the path of a shell. Returns the folder. */
export function shim(folder: string): string {
  mkdirSync(folder)
  writeFileSync(join(folder, 'countroom'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(join(folder, 'countroom'), 0o755)
  return folder
}

/** Runs a line: a single command in a process that has loaded the program, any other line in a shell. */
async function runExample(line: string, folder: string, env: NodeJS.ProcessEnv): Promise<Result> {
  const args = plainWords(line)
  if (args === undefined) return inShell(line, folder, env)
  const given = Object.fromEntries(Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined))
  return expectPasteable(args, await runWarm({ args, env: given, cwd: folder, input: '' }, longestMs))
}

/** Returns the words after `countroom`, or `undefined` if the line needs a shell. */
export function plainWords(line: string): string[] | undefined {
  if (!line.startsWith('countroom ')) return undefined
  const unquoted = line.replaceAll(/"[^"$`\\]*"|'[^']*'/g, '')
  if (/[|&;<>$`"'()*]/.test(unquoted)) return undefined
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ''))
  return words.slice(1)
}

function inShell(line: string, folder: string, env: NodeJS.ProcessEnv): Promise<Result> {
  const child = spawn('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => {
      stdout += text
    })
    child.stderr.on('data', (text) => {
      stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }))
  })
}

const begun = /listening|following|watching|reading|http:\/\/|^\{/i

/** Starts a command that runs until it is stopped, and waits for its first output. */
async function startExample(line: string, folder: string, env: NodeJS.ProcessEnv) {
  const args = plainWords(line)
  if (args === undefined) throw new Error(`not one plain command: ${line}`)
  const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer) => {
      printed += text
      // The target of the run comes first, and can have an address.
      if (begun.test(printed.replaceAll(/^Profile .*$/gm, ''))) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => reject(new Error(`${line}: exit ${code}: ${printed}`)))
  })
  return {
    line,
    async stop() {
      if (child.exitCode !== null) throw new Error(`${line} ended by itself with ${child.exitCode}: ${printed}`)
      await ended(child, 'SIGTERM')
      return String(child.exitCode ?? child.signalCode)
    },
  }
}
