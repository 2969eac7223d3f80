import { environments } from '../../../domain/account/state.ts'
import { Args, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

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
