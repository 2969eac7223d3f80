import { setTimeout } from 'node:timers/promises'
import type { Static, TObject } from 'typebox'
import type { World } from '../../world.ts'
import type { CommandForm } from './command-form.ts'

/** Dependencies of an action. */
export interface ActionDependencies {
  readonly world: World
}

/** An action of the desk. Its form, its command and its check are derived from this one entry. */
export interface DeskAction {
  /** Name on its button. */
  readonly title: string
  /** Effect in one sentence. */
  readonly summary: string
  readonly input: TObject
  /** The commands that do the same, in their order. */
  readonly commands: readonly CommandForm[]
  /** True if it removes something: its button asks for confirmation. */
  readonly isDangerous?: boolean
  run(dependencies: ActionDependencies, input: never): Promise<object>
}

/** Definition of an action whose `run` gets the input that its schema describes. */
export function action<Input extends TObject>(
  definition: Omit<DeskAction, 'input' | 'run'> & {
    readonly input: Input
    run(dependencies: ActionDependencies, input: Static<Input>): Promise<object>
  },
): DeskAction {
  return definition
}

/**
 * Maximum time that an action waits for the work it made due. A receiver that does not respond must not block the desk.
 */
const settleWithinMs = 1_500

/** Runs what an action made due, as a command does at its end, and returns the result. */
export async function settled<T>(world: World, result: T): Promise<T> {
  const work = world.settle().catch(() => 0)
  await Promise.race([work, setTimeout(settleWithinMs, undefined, { ref: false })])
  return result
}
