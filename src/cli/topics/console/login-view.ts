import type { LoginFailures } from '../../../services/gateway/admin/logins.ts'
import { Flags } from '../../framework/flags.ts'
import type { Column, Row } from '../../terminal/table.ts'

/** Which counters of failed logins a command is about. */
export const loginFilterFlags = {
  user: Flags.string({ summary: 'E-mail address of the console user', helpValue: 'EMAIL' }),
  merchant: Flags.string({ summary: 'Id of the merchant', helpValue: 'ID' }),
  address: Flags.string({ summary: 'Address that the attempts came from', helpValue: 'ADDRESS' }),
}

export function loginFilter(flags: {
  user?: string | undefined
  merchant?: string | undefined
  address?: string | undefined
}) {
  return { email: flags.user, merchant: flags.merchant, address: flags.address }
}

export const loginColumns: readonly (Column | string)[] = [
  'state',
  'credential',
  { key: 'countedBy', title: 'counted by' },
  { key: 'user', whole: true },
  'merchant',
  'address',
  { key: 'failures', kind: 'count' },
  { key: 'refused', kind: 'count' },
  { key: 'lastFailureAt', title: 'last failure' },
  { key: 'waitsUntil', title: 'waits until' },
]

export const loginRows = (all: readonly LoginFailures[]): Row[] => all.map((each) => ({ ...each }))

/** The schema of a counter. */
export async function loginSchema() {
  const { Type } = await import('typebox')
  const orNull = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    credential: Type.Enum(['password', 'code']),
    countedBy: Type.Enum(['pair', 'user', 'merchant', 'address'], { description: 'pair: a user from one address' }),
    merchant: orNull,
    user: orNull,
    address: orNull,
    failures: Type.Integer({ description: 'Wrong passwords or codes that still count' }),
    refused: Type.Integer({ description: 'Attempts refused without a look at the password or code' }),
    lastFailureAt: Type.String(),
    state: Type.Enum(['counting', 'waiting', 'locked']),
    waitsUntil: Type.Union([Type.String({ description: 'When the next attempt is let through' }), Type.Null()]),
  })
}
