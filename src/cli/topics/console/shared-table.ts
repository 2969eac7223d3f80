import { environments } from '../../../domain/account/state.ts'
import { Flags } from '../../framework/flags.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Base class of commands about a merchant's own tables. */

export const ownEnvironmentFlag = {
  environment: Flags.string({ summary: 'Environment of the table', options: [...environments], default: 'live' }),
}

export const environmentIn = (text: string) => environments.find((each) => each === text) ?? 'live'

export const sharedTableSchema = ({ Type }: Shapes) =>
  Type.Object({
    tableId: Type.String(),
    environment: Type.Enum([...environments]),
    owner: Type.Union([Type.String(), Type.Null()]),
    sharedWith: Type.Array(Type.String()),
    approved: Type.Boolean(),
  })
