import { Args } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

export const tenantArg = { code: Args.string({ required: true, description: 'Company code' }) }

/** Schema of the state of a tenant. */
export const tenantStateSchema = ({ Type }: Shapes) =>
  Type.Object({ companyCode: Type.String(), state: Type.String(), disabled: Type.Boolean() })
