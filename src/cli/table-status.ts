import type { Casino } from '../casino/casino.ts'
import { environments } from '../domain/account.ts'
import { Args, Flags } from './flags.ts'

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
  const { setTableStatus } = await import('../casino/console.ts')
  const where = environments.filter((environment) => asked === undefined || environment === asked)
  for (const environment of where) await setTableStatus(casino, environment, tableId, status)
  return { tableId, status, environments: where }
}
