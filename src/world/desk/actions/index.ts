import { validateInput } from '../../../http/server/validate.ts'
import { Problem } from '../../../kit/problem.ts'
import type { ActionDependencies, DeskAction } from './action.ts'
import { callbackActions } from './callbacks.ts'
import { casinoActions } from './casino.ts'
import { chatActions } from './chat.ts'
import { clockActions } from './clock.ts'
import { faultActions } from './faults.ts'
import { gatewayActions } from './gateway.ts'
import { signatureActions } from './signatures.ts'
import { snapshotActions } from './snapshots.ts'

/** All actions of the desk. The list, the forms, their commands and their checks come from this table. */
export const deskActions = {
  ...clockActions,
  ...snapshotActions,
  ...casinoActions,
  ...gatewayActions,
  ...chatActions,
  ...callbackActions,
  ...faultActions,
  ...signatureActions,
} as const satisfies Readonly<Record<string, DeskAction>>

export type ActionName = keyof typeof deskActions

/** An action as the page gets it: everything but its function. */
export type ActionEntry = Omit<DeskAction, 'run'> & { readonly name: ActionName }

/** Returns all actions as the page gets them. */
export function actionCatalog(): ActionEntry[] {
  return actionNames.map((name) => {
    const { run: _run, ...entry }: DeskAction = deskActions[name]
    return { name, ...entry }
  })
}

// `Object.keys` of a closed table gives its names.
export const actionNames = Object.keys(deskActions) as ActionName[]

/** Runs an action with input that is checked here, or throws NOT_FOUND or INVALID_USAGE. */
export async function runAction(
  dependencies: ActionDependencies,
  name: string,
  input: Record<string, unknown>,
): Promise<object> {
  const entry: DeskAction | undefined = Object.hasOwn(deskActions, name) ? deskActions[name as ActionName] : undefined
  if (!entry) throw new Problem('NOT_FOUND', `There is no action ${JSON.stringify(name.slice(0, 60))}`)
  const { faults, value } = await validateInput(entry.input, input)
  const [fault] = faults
  if (fault) throw new Problem('INVALID_USAGE', fault.message, { field: fault.field })
  // The schema above describes the input of this entry's function.
  return entry.run(dependencies, value as never)
}
