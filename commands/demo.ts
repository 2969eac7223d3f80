import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Flags } from '../src/cli/framework/flags.ts'
import type { Runner } from '../src/cli/framework/run-self.ts'
import { type DemoStep, type DemoWorld, demoSteps } from '../src/cli/topics/demo.ts'
import { makeFolder } from '../src/kit/make-folder.ts'
import { Problem } from '../src/kit/problem.ts'

/** How often a step that waits for something looks for it; each look is a run of its own, and takes its time. */
const mostRuns = 40

export default class Demo extends CountroomCommand {
  static override summary = 'See the main job done from end to end, on this machine, in half a minute'
  static override description =
    'Serves a seeded world on a free port, then does what a back office does every day, each step with the very command a person would type: launch a player, move money, one by one and by plan, pull every bet, prove that the day adds up, receive and replay callbacks, export the bill. Everything happens in one folder; nothing else is touched, and nothing is left running.'
  static override examples = ['countroom demo', 'countroom demo --out ./demo']
  static override files = ['the folder given by --out, or a new one among the temporary files']
  static override completes = { out: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'The folder to work in; a new temporary one when not given', helpValue: 'DIR' }),
  }
  static override data = async () => {
    const { Type } = await import('typebox')
    const step = Type.Object({
      title: Type.String(),
      command: Type.String(),
      exit: Type.Integer(),
      told: Type.String(),
    })
    return Type.Object({ folder: Type.String(), steps: Type.Array(step) })
  }

  override async run() {
    const { flags } = await this.parse(Demo)
    const { openRunner } = await import('../src/cli/framework/run-self.ts')
    const folder = flags.out === undefined ? mkdtempSync(join(tmpdir(), 'countroom-demo-')) : resolve(flags.out)
    makeFolder(folder)
    const home = (name: string) => join(folder, 'home', name)
    const runner = openRunner({
      program: process.argv[1] ?? '',
      env: {
        ...this.settings.env,
        COUNTROOM_PROFILE: undefined,
        COUNTROOM_DB: undefined,
        COUNTROOM_BOOK: undefined,
        XDG_CONFIG_HOME: home('config'),
        XDG_STATE_HOME: home('state'),
        XDG_DATA_HOME: home('data'),
        XDG_CACHE_HOME: this.settings.env['XDG_CACHE_HOME'],
      },
    })
    this.closeLater(() => runner.stop())
    this.note(`Working in ${folder}\n`)
    const done = await this.#play(runner, folder)
    this.#tellMore(folder)
    return { folder, steps: done }
  }

  async #play(runner: Runner, folder: string) {
    const ready = join(folder, 'ready.json')
    const started = Date.now()
    const document = await runner.serve(['--db', join(folder, 'world.db'), '--port', '0', '--seed', '7'], ready)
    this.log(`1. A world is served at ${document['baseUrl']}, in ${Date.now() - started} ms`)
    this.log('     $ countroom serve --seed 7')
    let world: DemoWorld = { folder, ready, receiver: undefined }
    const done: { title: string; command: string; exit: number; told: string }[] = []
    let before: unknown
    for (const [i, step] of demoSteps.entries()) {
      if (this.stop.aborted) throw new Problem('INTERRUPTED', 'The demo was stopped')
      const args = step.args(world, before as never)
      const { exit, data } = step.listens
        ? { exit: 0, data: { url: await runner.listen(args) } }
        : await this.#run(runner, step, args)
      if (step.listens) world = { ...world, receiver: String((data as { url: string }).url) }
      before = data
      const told = step.tell(data as never)
      const command = `countroom ${shown(args, folder)}`
      done.push({ title: step.title, command, exit, told })
      this.log(`\n${i + 2}. ${step.title}\n     $ ${command}\n     ${told}`)
    }
    return done
  }

  /** Runs a step to its end, again while what it waits for is on its way. */
  async #run(runner: Runner, step: DemoStep, args: readonly string[]): Promise<{ exit: number; data: unknown }> {
    for (let runs = 1; ; runs++) {
      const { exit, envelope } = await runner.run(args, step.input)
      const said = `"countroom ${args.join(' ')}" ended in ${exit}`
      if (!step.mayEnd.includes(exit)) throw new Problem('UNEXPECTED', `${said}: ${envelope.error?.message ?? ''}`)
      if (step.isThere?.(envelope.data as never) ?? true) return { exit, data: envelope.data }
      if (runs === mostRuns) throw new Problem('UNEXPECTED', `${said}, and what was to come did not`)
    }
  }

  #tellMore(folder: string): void {
    this.log(`
Look at
  ${join(folder, 'bets')}            the bets as CSV, one file a month, with a manifest
  ${join(folder, 'report.html')}     the reconciliation: open it in a browser
  ${join(folder, 'payday.csv')}      what became of each transfer of the plan
  ${join(folder, 'statements.csv')}  the month’s statement, with its proof

Try next
  countroom serve                        a world of your own, on port 8787
  countroom help                         everything there is`)
  }
}

/** The command as a person would type it in the folder. */
function shown(args: readonly string[], folder: string): string {
  return args
    .map((arg) => arg.replace(`${folder}/`, ''))
    .map((arg) => (/[\s"{]/.test(arg) ? `'${arg}'` : arg))
    .join(' ')
}
