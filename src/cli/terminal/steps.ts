/** End of a step that did not do its work; the next steps run. `failed` can carry a line to show below the title. */
export type StepOutcome = 'skipped' | 'failed' | { readonly failed: string }

/** One step of a run of several. */
export interface Step {
  readonly title: string
  /** Does the step. `report` shows a line below its title, such as a count. An error ends the run. */
  run(report: (text: string) => void): Promise<StepOutcome | undefined>
}

export interface StepsOptions {
  readonly stream: NodeJS.WriteStream
  /** Hides secrets. */
  readonly mask: (text: string) => string
}

/** Runs steps in order without a list. The first error ends the run. */
export async function runPlainSteps(
  steps: readonly Step[],
  update: (done: number, note: string) => void,
): Promise<void> {
  for (const [done, { title, run }] of steps.entries()) {
    update(done, title)
    await run((text) => update(done, text))
  }
}

/** Lines of the list that are not titles: the report of the running step, and the prompt of the shell. */
const otherLines = 3
const defaultRows = 24

/** Returns whether the list fits on the screen. A taller one cannot be drawn in place. */
export function fitsScreen(steps: readonly Step[], { rows = defaultRows }: { readonly rows?: number }): boolean {
  return steps.length + otherLines <= rows
}

/**
 * Runs steps in order, as a list on a terminal that shows which step is running, and that is removed at the end: the result
 * follows on stdout. `onReport` gets the function that shows a line below the running step: other output appears only after
 * the list.
 */
export async function runListedSteps(
  steps: readonly Step[],
  { stream, mask }: StepsOptions,
  onReport: (report: (text: string) => void) => void,
): Promise<void> {
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import('listr2')
  // Without this, listr2 prints plain lines to stdout, among the results, when stdout is not a terminal.
  class OnStream extends DefaultRenderer {
    static override readonly nonTTY: boolean = true
  }
  const thrown: unknown[] = []
  const list = new Listr(
    steps.map(({ title, run }) => ({
      title: mask(`${title.charAt(0).toUpperCase()}${title.slice(1)}`),
      skip: () => thrown.length > 0,
      task: async (_, task) => {
        const report = (text: string) => {
          task.output = mask(text)
        }
        onReport(report)
        const outcome = await run(report).catch((error: unknown): StepOutcome => {
          thrown.push(error)
          return 'failed'
        })
        if (outcome === 'skipped') task.skip()
        else if (outcome !== undefined) throw new Error(outcome === 'failed' ? '' : mask(outcome.failed))
      },
    })),
    {
      exitOnError: false,
      renderer: OnStream,
      // Signals are handled once, by the program.
      registerSignalListeners: false,
      rendererOptions: {
        clearOutput: true,
        collapseErrors: false,
        logger: new ListrLogger({ processOutput: new ProcessOutput(stream, stream, { leaveEmptyLine: false }) }),
      },
    },
  )
  await list.run()
  if (thrown.length > 0) throw thrown[0]
}
