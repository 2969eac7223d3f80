import { type Environment, environments } from '../../../domain/account/state.ts'
import type { Casino } from '../../../services/casino/service.ts'
import { Args, Flags } from '../../framework/flags.ts'

/** What the commands that take a table into maintenance and out of it have in common. */

export const tableArg = { table: Args.string({ required: true, description: 'The table' }) }

export const environmentFlag = {
  environment: Flags.string({ summary: 'Only there; both without it', options: [...environments] }),
}

export const tableStatusSchema = async () => {
  const { Type } = await import('typebox')
  return Type.Object({
    tableId: Type.String(),
    status: Type.String(),
    environments: Type.Array(Type.String()),
  })
}

/** Puts the table into a status where it was asked for. */
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
      // A merchant's own table is in one environment only.
      if (!isProblem(error, 'NOT_FOUND')) throw error
      missing = error
    }
  }
  if (changed.length === 0) throw missing
  return { tableId, status, environments: changed }
}
