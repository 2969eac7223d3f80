import { type Environment, environments } from '../../../domain/account/state.ts'
import type { Casino } from '../../../services/casino/service.ts'
import { Args, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Base class of commands that start and end the maintenance of a table. */

export const tableArg = { table: Args.string({ required: true, description: 'Table ID' }) }

export const tableEnvironmentFlag = {
  environment: Flags.string({ summary: 'Environment of the table (default: both)', options: [...environments] }),
}

export const tableStatusSchema = ({ Type }: Shapes) =>
  Type.Object({
    tableId: Type.String(),
    status: Type.String(),
    environments: Type.Array(Type.String()),
  })

/** Sets the status of the table in the requested environments. */
export async function tableStatusCommand(
  casino: Casino,
  tableId: string,
  status: 'open' | 'maintenance',
  asked: string | undefined,
) {
  const [{ setTableStatus }, { isProblem }] = await Promise.all([
    import('../../../services/casino/admin/index.ts'),
    import('../../../kit/problem.ts'),
  ])
  const changed: Environment[] = []
  let missing: unknown
  for (const environment of environments.filter((each) => asked === undefined || each === asked)) {
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
  return { tableId, status, environments: changed }
}
