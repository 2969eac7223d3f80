import { nearest } from '../../../kit/nearest.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { runScenario, type StepResult } from '../../../world/scenarios/run.ts'
import { type Scenario, type Step, scenarioFrom } from '../../../world/scenarios/scenario-file.ts'
import { shippedScenarios } from '../../../world/scenarios/shipped.ts'
import type { World } from '../../../world/world.ts'
import type { CommandContext } from '../../context/context.ts'
import { readInput } from '../../terminal/read-input.ts'
import type { StepOutcome } from '../../terminal/steps.ts'

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
  const steps = await playSteps(context, world, scenario)
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

async function playSteps(context: CommandContext, world: World, scenario: Scenario) {
  const played: (Omit<StepResult, 'at'> & { readonly at: string })[] = []
  const results = runScenario(world, scenario)
  const run = async (): Promise<StepOutcome | undefined> => {
    if (context.stop.aborted) return 'skipped'
    const { value: result } = await results.next()
    if (!result) return 'skipped'
    played.push({ ...result, at: new Date(result.at).toISOString() })
    return result.status === 'failed' ? { failed: result.detail } : undefined
  }
  try {
    await context.screen.steps(
      scenario.steps.map((step) => ({ title: stepTitle(step), run })),
      { label: 'Playing', isCounted: true, summary: () => scenario.name },
    )
  } finally {
    // Removes the injected faults, also when a step throws.
    await results.return(undefined)
  }
  return played
}

/** Formats a step as in its file: "deposit: user nora, amount 500". */
function stepTitle(step: Step): string {
  const fields = step.action === 'fault' ? { kind: step.fault.kind } : step.fields
  return `${step.action}: ${Object.entries(fields)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`
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
