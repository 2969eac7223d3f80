import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CountroomCommand } from '../src/cli/framework/command.ts'
import { Flags } from '../src/cli/framework/flags.ts'
import type { Runner } from '../src/cli/framework/run-self.ts'
import type { Shapes } from '../src/cli/outcome/result-schema.ts'
import { hasTerminal } from '../src/cli/terminal/has-terminal.ts'
import { outFolder } from '../src/cli/terminal/out-file.ts'
import { type DemoStep, type DemoWorld, demoSteps } from '../src/cli/topics/demo.ts'
import { makeFolder } from '../src/kit/make-folder.ts'
import { Problem } from '../src/kit/problem.ts'
import { quoted } from '../src/kit/shell-quote.ts'

/** The start of the demo's world: an evening in its tenant's time zone, so that the next morning is 16 hours away. */
const clock = '2026-03-05T12:00:00Z'
/** Runs of a step that waits for a result; each run takes its own time, so there is no delay between them. */
const maxRuns = 40

export default class Demo extends CountroomCommand {
  static override summary = 'Run a tour of the daily work in a temporary local world'
  static override description =
    'Takes about 30 seconds. Serves a seeded world on a free port and does the daily work of a back office with the commands you would type: launches a player, moves money, syncs bets, reconciles the day, receives and replays callbacks, and exports the statement. Works in one folder and leaves nothing running.'
  static override examples = ['countroom demo', 'countroom demo --out ./demo']
  static override files = ['the folder of --out, or a new temporary folder']
  static override completes = { out: 'files' }
  static override flags = {
    out: Flags.string({ summary: 'Folder to work in (default: a new temporary folder)', helpValue: 'DIR' }),
  }
  static override data = ({ Type }: Shapes) => {
    const step = Type.Object({
      title: Type.String(),
      command: Type.String(),
      exit: Type.Integer(),
      told: Type.String(),
    })
    const next = Type.Array(Type.String(), {
      description: 'Commands to continue with in the world of the demo, for a shell',
    })
    return Type.Object({ folder: Type.String(), steps: Type.Array(step), next })
  }

  override async run() {
    const { flags } = await this.parse(Demo)
    const { openRunner } = await import('../src/cli/framework/run-self.ts')
    const folder =
      flags.out === undefined ? mkdtempSync(join(tmpdir(), 'countroom-demo-')) : resolve(outFolder(flags.out))
    makeFolder(folder)
    // Settings of the outer environment, such as a book or an address for notifications, are for real work.
    const others = Object.entries(this.settings.env).filter(([name]) => !name.startsWith('COUNTROOM_'))
    const runner = openRunner({
      program: process.argv[1] ?? '',
      env: { ...Object.fromEntries(others), ...environmentIn(folder) },
    })
    this.closeLater(() => runner.stop())
    this.note(`Working in ${folder}\n`)
    const { steps, breakId } = await this.#play(runner, folder)
    const next = this.#nextCommands(folder, breakId)
    this.#tellMore(folder, next)
    return { folder, steps, next }
  }

  async #play(runner: Runner, folder: string) {
    const ready = join(folder, 'ready.json')
    const started = Date.now()
    const document = await runner.serve(
      ['--db', join(folder, 'world.db'), '--port', '0', '--seed', '7', '--clock', clock],
      ready,
    )
    this.log(`1. Serve a world at ${document['baseUrl']} (ready in ${Date.now() - started} ms)`)
    this.log(`     $ countroom serve --seed 7 --clock ${clock}`)
    let world: DemoWorld = { folder, ready, receiver: undefined }
    const done: { title: string; command: string; exit: number; told: string }[] = []
    let before: unknown
    const progress = hasTerminal() ? this.progress('Running') : undefined
    this.closeLater(() => progress?.stop())
    for (const [i, step] of demoSteps.entries()) {
      if (this.stop.aborted) throw new Problem('INTERRUPTED', 'The demo was stopped')
      // Each result is shown as soon as it is there: the whole run takes half a minute.
      await this.flush()
      progress?.update(0, `${i + 2} of ${demoSteps.length + 1}: ${step.title}`)
      const args = step.args(world, before as never)
      const { exit, data } = step.listens
        ? { exit: 0, data: { url: await runner.listen(args) } }
        : await this.#run(runner, step, args)
      if (step.listens) world = { ...world, receiver: String((data as { url: string }).url) }
      if (step.isRight?.(data as never) === false)
        throw new Problem('UNEXPECTED', `"countroom ${args.join(' ')}" has another result: ${step.tell(data as never)}`)
      if (step.keep) world = { ...world, ...step.keep(data as never) }
      before = data
      const summary = step.tell(data as never)
      const command = `countroom ${shown(args, folder)}`
      done.push({ title: step.title, command, exit, told: summary })
      this.log(`\n${i + 2}. ${step.title}\n     $ ${command}\n     ${summary}`)
    }
    progress?.stop()
    return { steps: done, breakId: world.breakId ?? '' }
  }

  /** Runs a step until it has its result, at most `maxRuns` times. */
  async #run(runner: Runner, step: DemoStep, args: readonly string[]): Promise<{ exit: number; data: unknown }> {
    for (let runs = 1; ; runs++) {
      const { exit, envelope } = await runner.run(args, step.input)
      const message = `"countroom ${args.join(' ')}" exited with ${exit}`
      if (!step.mayEnd.includes(exit)) throw new Problem('UNEXPECTED', `${message}: ${envelope.error?.message ?? ''}`)
      if (step.isThere?.(envelope.data as never) ?? true) return { exit, data: envelope.data }
      if (runs === maxRuns)
        throw new Problem('UNEXPECTED', `${message}, and the expected result did not arrive after ${maxRuns} runs`)
    }
  }

  /** Returns commands that work after the demo when they are pasted into a shell: its world and its book are kept. */
  #nextCommands(folder: string, breakId: string): string[] {
    const variables = Object.entries(environmentIn(folder)).map(([name, path]) => `${name}=${quoted(path)}`)
    // In a clone nothing is installed: `npm run demo` runs there.
    const program = this.settings.env['npm_lifecycle_event'] === 'demo' ? 'npx countroom' : 'countroom'
    return [
      `export ${variables.join(' ')}`,
      `${program} reconcile explain ${breakId} --offline --profile house`,
      `${program} wallet journal --profile house`,
      `${program} bets status --profile house`,
      `${program} serve --db ${quoted(join(folder, 'world.db'))}`,
    ]
  }

  #tellMore(folder: string, next: readonly string[]): void {
    this.log(`
Results
  ${join(folder, 'bets')}             bets as CSV, one file per month, with a manifest
  ${join(folder, 'report.html')}      the balanced day: open it in a browser
  ${join(folder, 'difference.html')}  the same day after the correction
  ${join(folder, 'payday.csv')}       outcome of each transfer of the batch
  ${join(folder, 'statements.csv')}   statement of the month

Next steps (paste these lines; the last one serves the demo's world until Ctrl-C)
${next.map((line) => `  ${line}`).join('\n')}`)
  }
}

/** Returns the variables of the demo's own home and book. The book is set against a project file, which can name another. */
const environmentIn = (folder: string) => ({
  COUNTROOM_HOME: join(folder, 'home'),
  COUNTROOM_BOOK: join(folder, 'book.db'),
})

/** Returns the command as a person would type it in the folder. */
function shown(args: readonly string[], folder: string): string {
  return args
    .map((arg) => arg.replace(`${folder}/`, ''))
    .map((arg) => (/[\s"{]/.test(arg) ? `'${arg}'` : arg))
    .join(' ')
}
