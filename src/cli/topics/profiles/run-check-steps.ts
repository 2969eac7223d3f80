import type { Check } from '../../../operator/doctor.ts'
import type { Screen } from '../../terminal/screen.ts'
import type { StepOutcome } from '../../terminal/steps.ts'

/** Checks that are made together, as one step of the run. */
export interface CheckStep {
  readonly title: string
  check(): Promise<Check[]>
}

/** Makes the checks step by step and returns all of them. A step without checks is skipped. */
export async function runCheckSteps(screen: Screen, steps: readonly CheckStep[]): Promise<Check[]> {
  const made: Check[] = []
  await screen.steps(
    steps.map(({ title, check }) => ({
      title,
      run: async () => {
        const checks = await check()
        made.push(...checks)
        return outcomeOf(checks)
      },
    })),
  )
  return made
}

function outcomeOf(checks: readonly Check[]): StepOutcome | undefined {
  const failed = checks.find(({ status }) => status === 'fail')
  if (failed) return { failed: failed.message }
  return checks.every(({ status }) => status === 'skip') ? 'skipped' : undefined
}
