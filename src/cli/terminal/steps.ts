/** One step of a run of several. */
export interface Step {
  readonly title: string
  /** Does the step. `report` shows a line below its title, such as a count. */
  run(report: (text: string) => void): Promise<void>
}

export interface StepsOptions {
  /** True on a terminal. Elsewhere the steps run without a list. */
  readonly isLive: boolean
  readonly stream: NodeJS.WriteStream
  /** Hides secrets. */
  readonly mask: (text: string) => string
}

/**
 * Runs steps in order; the first error ends the run. On a terminal they are a list on stderr that shows which step is under
 * way, and that is removed at the end: the result follows on stdout.
 */
export async function runSteps(steps: readonly Step[], { isLive, stream, mask }: StepsOptions): Promise<void> {
  if (!isLive) {
    for (const step of steps) await step.run(() => {})
    return
  }
  const { Listr, ListrLogger, ProcessOutput } = await import('listr2')
  const list = new Listr(
    steps.map(({ title, run }) => ({
      title: mask(title),
      task: (_, task) =>
        run((text) => {
          task.output = mask(text)
        }),
    })),
    {
      // Signals are handled once, by the program.
      registerSignalListeners: false,
      rendererOptions: {
        clearOutput: true,
        logger: new ListrLogger({ processOutput: new ProcessOutput(stream, stream) }),
      },
    },
  )
  await list.run()
}
