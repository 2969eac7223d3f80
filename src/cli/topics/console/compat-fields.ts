import { dryRunFlag, Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { merchantFlags } from './merchant.ts'

export const compatFlags = {
  ...dryRunFlag,
  header: Flags.string({
    summary: 'Name of the second signature header (initially x-compat-sig)',
    helpValue: 'NAME',
  }),
  ...merchantFlags,
}

/** Schema of the merchants after the change. */
export const compatSchema = ({ Type }: Shapes) => {
  const row = Type.Object({
    id: Type.String(),
    environment: Type.String(),
    compat: Type.Boolean(),
    compatHeader: Type.String(),
  })
  return Type.Object({ merchants: Type.Array(row) })
}
