import { type Environment, environments } from '../../../domain/account/state.ts'
import { isProblem } from '../../../kit/problem.ts'
import { setTableStatus } from '../../../services/casino/admin/index.ts'
import type { CommandContext } from '../../context/context.ts'

/** Sets the status of the table in the requested environments. */
export async function changeTableStatus(
  context: CommandContext,
  tableId: string,
  status: 'open' | 'maintenance',
  environmentName: string | undefined,
) {
  const { casino } = await context.services.world()
  const changed: Environment[] = []
  let missing: unknown
  for (const environment of environments.filter((each) => environmentName === undefined || each === environmentName)) {
    try {
      await setTableStatus(casino, environment, tableId, status)
      changed.push(environment)
    } catch (error) {
      // A table of a merchant exists in one environment only.
      if (!isProblem(error, 'NOT_FOUND')) throw error
      missing = error
    }
  }
  if (changed.length === 0) throw missing
  context.fields({ tableId, status, environments: changed.join(', ') })
  return { tableId, status, environments: changed }
}
