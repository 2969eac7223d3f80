import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { runScenario } from '../../../world/scenarios/run.ts'
import { type Scenario, scenarioFrom } from '../../../world/scenarios/scenario-file.ts'
import { shippedScenarios } from '../../../world/scenarios/shipped.ts'
import type { CommandContext } from '../../context/context.ts'
import { readInput } from '../../terminal/read-input.ts'

export async function listScenarios(context: CommandContext) {
  const scenarios = []
  for (const [name, text] of Object.entries(shippedScenarios)) {
    const { summary, steps } = await scenarioFrom(text.trimStart(), name)
    const checks = steps.filter(({ action }) => action === 'check').length
    scenarios.push({ name, steps: steps.length, checks, summary })
  }
  const count = (key: string) => ({ key, kind: 'count' as const })
  context.table(scenarios, ['name', count('steps'), count('checks'), 'summary'])
  return { scenarios }
}

/** Plays a scenario; a failed check decides the exit code. */
export async function playScenario(context: CommandContext, source: string, flags: { readonly print: boolean }) {
  const text = await textOf(source)
  const scenario = await scenarioFrom(text, source)
  const notRun = { scenario: scenario.name, status: 'not-run' as const, steps: [] }
  if (flags.print) {
    context.text(() => text.trimEnd())
    return notRun
  }
  const world = await context.services.world()
  if (context.isDryRun) {
    const count = scenario.steps.length
    context.log(`${scenario.name}: ${countText(count, 'step')}, all valid`)
    return notRun
  }
  // A run that was killed leaves its own.
  const { length: faults } = await world.faults.list()
  if (faults > 0)
    context.warn(
      `The world has ${countText(faults, 'injected fault')} already, which also apply to this scenario. To remove them: countroom sim faults clear`,
    )
  const steps = []
  const progress = context.progress('Playing', scenario.steps.length)
  for await (const { at, ...step } of runScenario(world, scenario)) {
    steps.push({ ...step, at: new Date(at).toISOString() })
    progress.update(steps.length, step.action)
    if (context.stop.aborted) break
  }
  progress.end(scenario.name)
  context.table(steps, [
    { key: 'line', kind: 'count' },
    { key: 'at', title: 'world time', whole: true },
    'action',
    'status',
    'detail',
  ])
  const failed = steps.filter(({ status }) => status === 'failed')
  if (failed.length > 0) endFailed(context, scenario, failed)
  return { scenario: scenario.name, status: failed.length > 0 ? ('failed' as const) : ('passed' as const), steps }
}

function endFailed(
  context: CommandContext,
  { name }: Scenario,
  failed: readonly { readonly line: number; readonly detail: string }[],
): void {
  const texts = failed.map(({ line, detail }) => `line ${line}: ${detail}`)
  const count = countText(failed.length, 'check')
  context.endWith('DIFFERENCES', `${count} of ${name} failed: ${texts.join('; ')}`)
}

async function textOf(source: string): Promise<string> {
  const shipped = Object.hasOwn(shippedScenarios, source) ? shippedScenarios[source] : undefined
  if (shipped !== undefined) return shipped.trimStart()
  if (/[./]/.test(source) || source === '-') return readInput(source)
  const names = Object.keys(shippedScenarios)
  const [near] = nearest(source, names, 1)
  throw new Problem(
    'NOT_FOUND',
    `There is no scenario ${JSON.stringify(source)}${near === undefined ? `; there are ${names.join(', ')}` : `; did you mean ${near}?`} A file has a folder or a dot in its name, such as ./${source}.yaml`,
  )
}
